import { BlockList, isIPv6 } from 'node:net'
import fc from 'fast-check'

/** A condition, as docs/security-policies.md describes it. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | { field: string; op: string; value: unknown }
  | { count: number; of: string; by: 'address' | 'account'; within: number }

/** What is known of a request; a field that is missing is not known. */
export type Facts = Record<string, unknown> & { address?: string; events?: Record<string, number> }

/** What texts are made of: what could end a literal, a pattern or an expression, in any script. */
const piece = fc.constantFrom(
  'a',
  'B',
  '/',
  '"',
  "'",
  '\\',
  '$',
  '.',
  '*',
  '[',
  '%',
  '@',
  ' ',
  'ß',
  '中',
  '🙂',
  '&&',
  '!',
  'u0022',
)
const text = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''))
const paths = fc.oneof(text, fc.constantFrom('/api/students', '/api/students/1', '/API/students', '/api'))

const ADDRESSES = [
  '192.0.2.1',
  '192.0.2.200',
  '198.51.100.7',
  '10.1.2.3',
  '2001:db8::1',
  '2001:db8:1::2',
  'fe80::1',
]
const NETWORKS = [
  '192.0.2.0/24',
  '192.0.2.128/25',
  '192.0.2.1',
  '10.9.9.9/8',
  '0.0.0.0/0',
  '2001:db8::/32',
  '2001:db8:1::/48',
  '::/0',
]
const ROLES = ['student', 'counselor', 'university_admin', 'security_admin']
const EVENTS = ['sign_in_failed', 'access_refused']
const numbers = fc.oneof(fc.integer({ min: -2, max: 30 }), fc.constantFrom(0.5, 1.25, -1000000000, 23.75))

type Kind = 'choice' | 'text' | 'set' | 'number' | 'flag' | 'address'

/** The fields that a condition may compare: their kind, and values that they have. */
const FIELDS: Record<string, { kind: Kind; values: fc.Arbitrary<unknown> }> = {
  service: { kind: 'choice', values: fc.constantFrom('functions', 'rest', 'storage', 'realtime', 'auth') },
  method: { kind: 'choice', values: fc.constantFrom('GET', 'POST', 'DELETE') },
  aal: { kind: 'choice', values: fc.constantFrom('aal1', 'aal2') },
  network: { kind: 'choice', values: fc.constantFrom('campus', 'platform', 'other') },
  function: { kind: 'text', values: text },
  path: { kind: 'text', values: paths },
  user_agent: { kind: 'text', values: text },
  sign_in_method: { kind: 'text', values: fc.constantFrom('password', 'otp', 'totp') },
  role: { kind: 'set', values: fc.constantFrom(...ROLES) },
  university: { kind: 'set', values: text },
  account_age: { kind: 'number', values: numbers },
  hour: { kind: 'number', values: numbers },
  weekday: { kind: 'number', values: numbers },
  signed_in: { kind: 'flag', values: fc.boolean() },
  address: { kind: 'address', values: fc.constantFrom(...NETWORKS) },
}

const OPERATORS: Record<Kind, readonly string[]> = {
  choice: ['eq', 'ne', 'in', 'not_in', 'exists'],
  text: ['eq', 'ne', 'in', 'not_in', 'starts_with', 'contains', 'exists'],
  set: ['eq', 'ne', 'in', 'not_in', 'exists'],
  number: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'not_in', 'exists'],
  flag: ['eq'],
  address: ['in', 'not_in', 'exists'],
}

const comparison: fc.Arbitrary<Condition> = fc
  .constantFrom(...Object.entries(FIELDS))
  .chain(([field, { kind, values }]) =>
    fc
      .constantFrom(...OPERATORS[kind])
      .chain((op) =>
        (op === 'exists'
          ? fc.boolean()
          : op === 'in' || op === 'not_in'
            ? fc.array(values, { minLength: 1, maxLength: 3 })
            : values
        ).map((value) => ({ field, op, value })),
      ),
  )

const count: fc.Arbitrary<Condition> = fc.record({
  count: fc.integer({ min: 1, max: 4 }),
  of: fc.constantFrom(...EVENTS),
  by: fc.constantFrom('address' as const, 'account' as const),
  within: fc.constantFrom(60, 900),
})

/** Any condition of the grammar, most of them small. */
export const conditions: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    { weight: 6, arbitrary: comparison },
    { weight: 1, arbitrary: count },
    { weight: 2, arbitrary: fc.record({ all: fc.array(tie('condition'), { minLength: 1, maxLength: 4 }) }) },
    { weight: 2, arbitrary: fc.record({ any: fc.array(tie('condition'), { minLength: 1, maxLength: 4 }) }) },
    { weight: 2, arbitrary: fc.record({ not: tie('condition') }) },
  ),
})).condition

const valuesOf = (name: string) => FIELDS[name]?.values ?? fc.constant(null)

/** Any facts, of which any may be unknown. */
export const facts: fc.Arbitrary<Facts> = fc.record(
  {
    ...Object.fromEntries(
      Object.entries(FIELDS).map(([name, { kind, values }]) => [
        name,
        kind === 'set'
          ? fc.array(values, { maxLength: 3 })
          : kind === 'address'
            ? fc.constantFrom(...ADDRESSES)
            : values,
      ]),
    ),
    path: valuesOf('path'),
    events: fc.dictionary(
      fc.constantFrom(
        ...EVENTS.flatMap((kind) =>
          ['address', 'account'].flatMap((by) => [60, 900].map((s) => `${kind} ${by} ${s}`)),
        ),
      ),
      fc.integer({ min: 0, max: 5 }),
    ),
  },
  { requiredKeys: [] },
)

/** Whether a condition holds, by the words of the documentation alone. */
export function holds(condition: Condition, known: Facts): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, known))
  if ('any' in condition) return condition.any.some((part) => holds(part, known))
  if ('not' in condition) return !holds(condition.not, known)
  if ('count' in condition) {
    return (known.events?.[`${condition.of} ${condition.by} ${condition.within}`] ?? 0) >= condition.count
  }
  const { field, op, value } = condition
  const fact = known[field]
  if (op === 'exists') return value === (Array.isArray(fact) ? fact.length > 0 : fact !== undefined)
  if (fact === undefined) return false
  if (op === 'ne') return !matches(fact, value)
  if (op === 'in') return Array.isArray(value) && value.some((one) => matchesIn(field, fact, one))
  if (op === 'not_in') return Array.isArray(value) && !value.some((one) => matchesIn(field, fact, one))
  return compares(fact, op, value)
}

function matchesIn(field: string, fact: unknown, one: unknown): boolean {
  return field === 'address' ? isWithin(String(fact), String(one)) : matches(fact, one)
}

/** A set matches a value that it has. */
function matches(fact: unknown, value: unknown): boolean {
  return Array.isArray(fact) ? fact.includes(value) : fact === value
}

function compares(fact: unknown, op: string, value: unknown): boolean {
  switch (op) {
    case 'eq':
      return matches(fact, value)
    case 'starts_with':
      return String(fact).startsWith(String(value))
    case 'contains':
      return String(fact).includes(String(value))
    case 'lt':
      return Number(fact) < Number(value)
    case 'lte':
      return Number(fact) <= Number(value)
    case 'gt':
      return Number(fact) > Number(value)
    case 'gte':
      return Number(fact) >= Number(value)
    default:
      throw new Error(`There is no operator ${op}`)
  }
}

function isWithin(address: string, network: string): boolean {
  const [base = '', prefix] = network.split('/')
  const family = isIPv6(base) ? 'ipv6' : 'ipv4'
  if ((family === 'ipv6') !== isIPv6(address)) return base === '::' && prefix === '0'
  const list = new BlockList()
  list.addSubnet(base, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family)
  return list.check(address, family)
}
