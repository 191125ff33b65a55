import type { PolicyGrammar } from '../../../../types/shapes.ts'

/** What a policy applies to, as the grammar of docs/security-policies.md has it; whether it is valid the database says. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | Comparison
  | { count: number; of: string; by: string; within: number }

export type Value = string | number | boolean | (string | number)[]
export type Comparison = { field: string; op: string; value: Value }
export type Field = PolicyGrammar['fields'][number]
export type Kind = 'compare' | 'count' | 'all' | 'any' | 'not'

export const KINDS = ['compare', 'count', 'all', 'any', 'not'] as const satisfies readonly Kind[]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

/** A condition that a form can show; null of anything else. */
export function conditionOf(value: unknown): Condition | null {
  if (!isObject(value)) return null
  if (Array.isArray(value.all)) return groupOf(value.all, (all) => ({ all }))
  if (Array.isArray(value.any)) return groupOf(value.any, (any) => ({ any }))
  if ('not' in value) {
    const not = conditionOf(value.not)
    return not && { not }
  }
  const { field, op, value: compared, count, of, by, within } = value
  if (typeof field === 'string' && typeof op === 'string') {
    if (isPlain(compared) || typeof compared === 'boolean') return { field, op, value: compared }
    if (Array.isArray(compared) && compared.every(isPlain)) return { field, op, value: compared }
    return null
  }
  if (typeof count !== 'number' || typeof within !== 'number') return null
  return typeof of === 'string' && typeof by === 'string' ? { count, of, by, within } : null
}

function groupOf(values: readonly unknown[], group: (parts: Condition[]) => Condition): Condition | null {
  const parts = values.map(conditionOf)
  const shown = parts.filter((part) => part !== null)
  return shown.length === parts.length ? group(shown) : null
}

export function kindOf(condition: Condition): Kind {
  if ('all' in condition) return 'all'
  if ('any' in condition) return 'any'
  if ('not' in condition) return 'not'
  return 'count' in condition ? 'count' : 'compare'
}

/** The parts of a group; of anything else itself, as it becomes the part of the group that it is made into. */
const partsOf = (condition: Condition): Condition[] => {
  if ('all' in condition) return condition.all
  if ('any' in condition) return condition.any
  return 'not' in condition ? [condition.not] : [condition]
}

/** A condition made into another kind, with what it has of that already. */
export function madeInto(kind: Kind, condition: Condition, grammar: PolicyGrammar): Condition {
  const parts = partsOf(condition)
  const [first = newComparison(grammar)] = parts
  switch (kind) {
    case 'all':
      return { all: parts }
    case 'any':
      return { any: parts }
    case 'not':
      return { not: parts.length > 1 ? condition : first }
    case 'count':
      return { count: 10, of: grammar.events[0] ?? '', by: 'address', within: 900 }
    default:
      return 'field' in first ? first : newComparison(grammar)
  }
}

export function newComparison(grammar: PolicyGrammar): Comparison {
  const role = grammar.fields.find(({ field }) => field === 'role') ?? grammar.fields[0]
  return role ? comparisonWith(role) : { field: '', op: '', value: '' }
}

const LISTS = ['in', 'not_in']

/** A comparison of a field, with what was compared before as far as it still fits. */
export function comparisonWith(field: Field, before?: Partial<Comparison>): Comparison {
  const op = field.operators.find((one) => one === before?.op) ?? field.operators[0] ?? 'eq'
  return { field: field.field, op, value: valueFor(field, op, before?.value) }
}

function valueFor({ kind, choices }: Field, op: string, before: Value | undefined): Value {
  if (kind === 'flag' || op === 'exists') return before !== false
  const wanted = kind === 'number' ? 'number' : 'string'
  const fitting = [before ?? []]
    .flat()
    .filter(isPlain)
    .filter((one) => typeof one === wanted && (!choices || choices.includes(String(one))))
  if (isList(op)) return fitting
  return fitting[0] ?? choices?.[0] ?? (kind === 'number' ? 0 : '')
}

export const isList = (op: string): boolean => LISTS.includes(op)
