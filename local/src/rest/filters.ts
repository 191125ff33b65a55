import { randomUUID } from 'node:crypto'
import type { AnyAST } from '@supabase/lite'

/** Parameters whose values are no filters. */
const others = new Set(['select', 'order', 'limit', 'offset', 'on_conflict', 'columns', 'and', 'or'])
const logic = new Set(['and', 'or'])

const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1)

/** Operators whose operand is one value, which PostgREST takes as it is. */
const singleValue = /^((?:not\.)?(?:eq|neq|gt|gte|lt|lte|match|imatch)\.)(.*)$/s

const operators =
  'not|eq|neq|gt|gte|lt|lte|like|ilike|match|imatch|is|isdistinct|in|cs|cd|ov|sl|sr|nxl|nxr|adj|fts|plfts|phfts|wfts'
const withOperator = new RegExp(`^(${operators})(\\([^)]*\\))?\\.`)

/** Whether a parameter of a function's address says what to do with its rows, and is no argument. */
export const isFilter = (name: string, value: string) =>
  others.has(lastPart(name)) || withOperator.test(value)

/** In a logic tree: a quoted text by itself, or such an operator with its operand, which may be quoted. */
const operand =
  /"(?:[^"\\]|\\.)*"|\.((?:not\.)?(?:eq|neq|gt|gte|lt|lte|match|imatch|like|ilike))\.("(?:[^"\\]|\\.)*"|[^,)]*)/gs

/** Stands for operands in what lite parses, because it would make of them what they look like. */
export type Operands = Map<string, string>

/**
 * Puts the values of a query's filters into quotes, and a mark for each value of `or` and `and`. lite takes what is in
 * quotes as it is; of the rest it makes null, booleans, numbers and objects by their looks, so that a text `null`, `true`
 * or `1.0` is never found. Quotes within `or` and `and` it does not unescape.
 */
export function quoteFilterValues(url: URL): Operands {
  const operands: Operands = new Map()
  const prefix = randomUUID()
  const mark = (tree: string) =>
    tree.replace(operand, (whole, operator: string | undefined, value = '') => {
      if (operator === undefined) return whole
      const name = `${prefix}/${operands.size}`
      operands.set(name, value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value)
      return `.${operator}."${name}"`
    })
  const parameters = [...url.searchParams].map(([name, value]): [string, string] => {
    const last = lastPart(name)
    if (logic.has(last)) return [name, mark(value)]
    return [name, others.has(last) ? value : value.replace(singleValue, '$1"$2"')]
  })
  url.search = new URLSearchParams(parameters).toString()
  return operands
}

/** Puts the operands back where lite has parsed the marks. */
export function restoreOperands(ast: AnyAST, operands: Operands): void {
  if (operands.size === 0) return
  const restore = (value: unknown, key?: string): unknown => {
    if (typeof value === 'string') {
      // Of a pattern lite keeps the quotes.
      const found = operands.get(value) ?? operands.get(value.slice(1, -1))
      if (found === undefined) return value
      return key === '$like' || key === '$ilike' ? found.replaceAll('*', '%') : found
    }
    if (Array.isArray(value)) return value.map((item) => restore(item, key))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, restore(item, name)]))
  }
  for (const part of ['where', 'select', 'join'] as const) {
    if (ast[part]) Object.assign(ast, { [part]: restore(ast[part]) })
  }
}

/** Names that every object of JavaScript has. */
const inherited = Object.getOwnPropertyNames(Object.prototype).join('|')
const inheritedOperator = new RegExp(`^(?:not\\.)?(?:${inherited})(?![\\w-])`)

/** The first filter whose operator is such a name: lite would find it among its operators, and fail. */
export function filterWithoutOperator(url: URL): string | undefined {
  return [...url.searchParams]
    .filter(([name]) => !others.has(lastPart(name)))
    .find(([, value]) => inheritedOperator.test(value))?.[1]
}
