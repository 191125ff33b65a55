import fc from 'fast-check'
import type postgres from 'postgres'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import {
  type Condition,
  conditions,
  type Facts,
  facts,
  holds,
} from '../../../harness/factories/policy-conditions.ts'
import { newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'
import { dose, SEED } from '../../depth.ts'

const project = inject('project')

/** Pairs of conditions and facts, as many as a transaction takes at a time. */
const BATCH = 1000

/** The facts as the database has them: addresses as digits, and counts by what they have reached. */
async function held(sql: postgres.Sql, pairs: readonly (readonly [Condition, Facts])[]): Promise<boolean[]> {
  const given = pairs.map(([condition, { events = {}, ...known }]) => ({
    condition,
    known: {
      ...known,
      reached: countsIn(condition)
        .filter((c) => holds(c, { events }))
        .map(keyOf),
    },
  }))
  const rows = await sql<{ holds: boolean | null }[]>`
    select private.condition_holds(
      e.given -> 'condition',
      e.given -> 'known' || case
        when e.given -> 'known' ? 'address' then
          jsonb_build_object('address_digits', private.address_digits((e.given -> 'known' ->> 'address')::inet))
        else '{}'
      end
    ) as holds
    from jsonb_array_elements(${JSON.stringify(given)}::text::jsonb) with ordinality as e (given, place)
    order by e.place`
  // Null would be neither: a part that cannot be compared.
  return rows.map((row) => decided(row.holds))
}

function decided(value: boolean | null): boolean {
  if (value === null) throw new Error('A condition is neither true nor false')
  return value
}

type Count = Extract<Condition, { count: number }>

function countsIn(condition: Condition): Count[] {
  if ('all' in condition) return condition.all.flatMap(countsIn)
  if ('any' in condition) return condition.any.flatMap(countsIn)
  if ('not' in condition) return countsIn(condition.not)
  return 'count' in condition ? [condition] : []
}

const keyOf = ({ count, of, by, within }: Count) => `${count} of ${of} by ${by} within ${within}`

describe('conditions', () => {
  // Takes minutes in depth.
  const patience = { timeout: dose(300_000, 1_800_000) }
  test('hold in the database as the documentation says, whatever they are', patience, async () => {
    const total = dose(4000, 100_000)
    let differing = 0
    let holding = 0
    await withDatabase(project, async (sql) => {
      for (let begin = 0; begin < total; begin += BATCH) {
        const pairs = fc.sample(fc.tuple(conditions, facts), {
          numRuns: Math.min(BATCH, total - begin),
          seed: Number(SEED) * 1000 + begin / BATCH,
        })
        const found = await held(sql, pairs)
        for (const [place, [condition, known]] of pairs.entries()) {
          const expected = holds(condition, known)
          if (expected) holding++
          if (found[place] === expected) continue
          differing++
          expect
            .soft({ condition, known, holds: found[place] })
            .toEqual({ condition, known, holds: expected })
        }
      }
    })
    expect(differing).toBe(0)
    // Neither answer is rare, or agreeing would say little.
    expect(holding / total).toBeGreaterThan(0.2)
    expect(holding / total).toBeLessThan(0.8)
  })
})

/** A condition nested so deep. */
const nested = (depth: number): unknown =>
  depth === 0 ? { field: 'hour', op: 'eq', value: 1 } : { not: nested(depth - 1) }

const comparing = (field: unknown, op: unknown, value: unknown) => ({ field, op, value })

/** Conditions that are not in the grammar, and where the error says that they fail. */
const HOSTILE: [string, unknown, string][] = [
  ['no object', [], 'conditions'],
  ['nothing', {}, 'conditions'],
  ['an unknown member', { ...comparing('hour', 'eq', 1), more: 1 }, 'conditions'],
  ['two forms at once', { all: [nested(0)], any: [nested(0)] }, 'conditions'],
  ['an empty list', { all: [] }, 'conditions.all'],
  ['a list that is none', { any: { 0: nested(0) } }, 'conditions.any'],
  ['a long list', { any: Array.from({ length: 51 }, () => nested(0)) }, 'conditions.any'],
  ['nothing to negate', { not: null }, 'conditions.not'],
  ['nesting', nested(9), 'conditions.not.not.not.not.not.not.not.not'],
  ['much nesting', nested(60), 'conditions.not'],
  ['an unknown field', comparing('password', 'eq', 'x'), 'conditions.field'],
  ['a field of the facts that no condition may name', comparing('reached', 'eq', 'x'), 'conditions.field'],
  ['a path for a field', comparing('$.role', 'eq', 'x'), 'conditions.field'],
  ['a field that is no text', comparing(['hour'], 'eq', 1), 'conditions.field'],
  ['an unknown operator', comparing('path', 'like_regex', '(a+)+$'), 'conditions.op'],
  ['an operator of another kind', comparing('role', 'gt', 'student'), 'conditions.op'],
  ['an operator that is no text', comparing('path', null, 'x'), 'conditions.op'],
  ['a value of another type', comparing('hour', 'eq', '1'), 'conditions.value'],
  ['a value that is an object', comparing('path', 'eq', { a: 1 }), 'conditions.value'],
  ['a number beyond every range', comparing('hour', 'eq', 1e300), 'conditions.value'],
  ['an empty text', comparing('path', 'contains', ''), 'conditions.value'],
  ['a long text', comparing('path', 'eq', 'a'.repeat(201)), 'conditions.value'],
  ['a line break', comparing('path', 'eq', 'a\nb'), 'conditions.value'],
  ['an unknown choice', comparing('role', 'eq', 'king'), 'conditions.value'],
  ['one value for a list', comparing('role', 'in', 'student'), 'conditions.value'],
  ['one bad value of a list', comparing('role', 'in', ['student', 'king']), 'conditions.value[1]'],
  ['no address', comparing('address', 'in', ['192.0.2.0/33']), 'conditions.value[0]'],
  ['SQL for an address', comparing('address', 'in', ["0.0.0.0/0'; drop table x"]), 'conditions.value[0]'],
  ['a count of nothing', { count: 0, of: 'sign_in_failed', by: 'address', within: 60 }, 'conditions.count'],
  ['a fraction', { count: 1.5, of: 'sign_in_failed', by: 'address', within: 60 }, 'conditions.count'],
  ['a count of something else', { count: 1, of: 'logins', by: 'address', within: 60 }, 'conditions.of'],
  ['a count by something else', { count: 1, of: 'sign_in_failed', by: 'role', within: 60 }, 'conditions.by'],
  ['a count over years', { count: 1, of: 'sign_in_failed', by: 'address', within: 1e9 }, 'conditions.within'],
]

describe('a condition that is not in the grammar', () => {
  let security: Student
  beforeAll(async () => {
    security = await newStaff(project, 'security_admin')
  })
  const policy = (conditions: unknown) => ({
    name: 'Hostile',
    category: 'monitoring' as const,
    type: 'detective' as const,
    conditions: conditions as never,
    actions: [{ action: 'log_events' as const }],
    priority: 1,
    enabled: false,
  })

  test.each(HOSTILE)('%s: is refused with 400, and says where', async (_, conditions, place) => {
    const { error, status } = await security.client.from('security_policies').insert(policy(conditions))
    expect([status, error?.hint]).toEqual([400, 'policy_invalid'])
    expect(error?.message.startsWith(`Check ${place}`)).toBe(true)
  })

  test('is refused by the call too, in the service’s own words', async () => {
    const { status, body } = await call(
      project,
      security.token,
      'POST',
      'api/security/policies',
      policy(comparing('role', 'in', ['king'])),
    )
    expect([status, body.code]).toEqual([400, 'policy_invalid'])
    expect(body.error).toBe(
      'Check conditions.value[0]: it is one of student, counselor, university_admin, security_admin. See docs/security-policies.md.',
    )
  })

  test('is refused for its size', async () => {
    const long = {
      any: Array.from({ length: 50 }, () =>
        comparing(
          'path',
          'in',
          Array.from({ length: 2 }, () => 'a'.repeat(199)),
        ),
      ),
    }
    const { error, status } = await security.client.from('security_policies').insert(policy(long))
    expect([status, error?.code]).toEqual([400, '23514'])
  })
})

/** Ends a transaction whose policies nobody else may meet. */
class Undone extends Error {}

describe('a count over time', () => {
  test('holds from the given number on, within the given time, of the same address or account', async () => {
    await withDatabase(project, (sql) =>
      sql.begin(async (transaction) => {
        const account = (await newStudent(project, [])).id
        const address = `203.0.113.${Math.floor(Math.random() * 256)}`
        const network = `2001:db8:${Math.floor(Math.random() * 65_536).toString(16)}::1`
        const note = (
          ago: string,
          by: { address: string | null; account: string | null },
          times: number,
        ) => transaction`
          insert into private.security_events (kind, source, minute, address, account, occurrences)
          values (
            'sign_in_failed', 'functions', date_trunc('minute', now() - ${ago}::interval), private.block_network(${by.address}), ${by.account}, ${times}
          )`
        await note('30 seconds', { address: network, account: null }, 2)
        await note('10 minutes', { address: network, account: null }, 3)
        await note('10 minutes', { address: null, account }, 4)
        const reached = async (condition: object, at: string) => {
          const [policy] = await transaction`
            insert into public.security_policies (name, category, type, conditions, actions, priority)
            values ('Counting', 'monitoring', 'detective', ${transaction.json({ not: { ...condition } })}, '[{"action": "log_events"}]', 1)
            returning id`
          const [row] = await transaction<[{ holds: boolean }]>`
            select not jsonb_path_match(private.policy_facts(${account}, null, ${at}, '{}'), condition) as holds
            from private.enabled_policies where policy_id = ${policy?.id}`
          return row.holds
        }
        const counting = (count: number, by: string, within: number) => ({
          count,
          of: 'sign_in_failed',
          by,
          within,
        })
        expect(await reached(counting(5, 'address', 900), network)).toBe(true)
        expect(await reached(counting(6, 'address', 900), network)).toBe(false)
        expect(await reached(counting(2, 'address', 120), network)).toBe(true)
        expect(await reached(counting(3, 'address', 120), network)).toBe(false)
        expect(await reached(counting(1, 'address', 900), address)).toBe(false)
        expect(await reached(counting(4, 'account', 900), address)).toBe(true)
        expect(await reached(counting(5, 'account', 900), address)).toBe(false)
        expect(await reached(counting(4, 'account', 300), address)).toBe(false)
        throw new Undone()
      }),
    ).catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  })
})
