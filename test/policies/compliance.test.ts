import type { BuiltDatabase } from 'local-supabase'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localOnly, migratedDatabase } from '../../harness/stack/project.ts'
import { inDepth } from '../depth.ts'
import { FAULTS, RIGHT } from './compliance-faults.ts'

let built: BuiltDatabase
/** As a superuser, who can break anything. */
let sql: postgres.Sql
/** How the controls stand when nothing is wrong. */
let right: Record<string, string>

beforeAll(async () => {
  built = await migratedDatabase('compliance')
  sql = postgres(built.adminUrl, { max: 1, onnotice: () => {} })
  await sql.unsafe(RIGHT)
  right = await assess()
})

afterAll(async () => {
  await sql.end()
  await built.drop()
})

type Evidence = { check_id: string; result: string; problem: string | null; found: string[] }

/** Assesses all frameworks; returns how each control stands. */
async function assess(): Promise<Record<string, string>> {
  await sql`select id from unnest(enum_range(null::public.compliance_framework)) as f, private.assess_compliance(f)`
  const controls = await sql<{ id: string; automated_status: string }[]>`
    select id, automated_status from public.compliance_controls order by id`
  return Object.fromEntries(controls.map(({ id, automated_status }) => [id, automated_status]))
}

/** What the last assessments found, each check once. */
async function evidence(): Promise<Evidence[]> {
  return sql<Evidence[]>`
    select distinct on (e.check_id) e.*
    from (select distinct on (framework) * from public.compliance_assessments order by framework, ended_at desc) a,
      jsonb_to_recordset(a.evidence) as e (check_id text, result text, problem text, found text[])
    order by e.check_id`
}

function changes(before: Record<string, string>, after: Record<string, string>) {
  return Object.fromEntries(Object.entries(after).filter(([id, status]) => status !== before[id]))
}

/** Tables with rows for each student, check-in or message. */
const GROWING = [
  'checkin.check_ins',
  'checkin.audio_analysis',
  'checkin.visual_analysis',
  'checkin.text_analysis',
  'checkin.fusion_results',
  'private.check_in_inputs',
  'private.check_in_media',
  'private.analysis_jobs',
  'private.transcript_results',
  'private.outbox',
  'public.assessment_sessions',
  'public.audit_logs',
  'public.clinical_reviews',
  'public.consents',
  'public.profiles',
  'public.user_roles',
  'public.students',
  'auth.users',
  'storage.objects',
]

describe('the assessment of a database of its own', localOnly('builds a database'), () => {
  test('finds everything right but what this machine lacks', async () => {
    const wrong = (await evidence()).filter(({ result }) => result !== 'passed')
    expect(
      Object.fromEntries(wrong.map(({ check_id, found, problem }) => [check_id, problem ?? found])),
    ).toEqual({
      connections_encrypted: ['ssl is off'],
    })
  })

  test('scans no table that grows with students, once the planner may choose', async () => {
    // Functions keep the plans that they made for small tables.
    await sql`discard plans`
    await sql.begin(async (transaction) => {
      await transaction`set local enable_seqscan = off`
      const scans = () => transaction<{ name: string; scans: number }[]>`
        select schemaname || '.' || relname as name, pg_stat_get_xact_numscans(relid)::int as scans
        from pg_stat_xact_user_tables
        where relid = any (${GROWING}::regclass[]::oid[])
        order by 1`
      const before = await scans()
      await transaction`select id from unnest(enum_range(null::public.compliance_framework)) as f, private.assess_compliance(f)`
      expect(await scans()).toEqual(before)
    })
  })

  test('assesses nothing by what nobody told, and by what is older than is known', async () => {
    await sql`select private.tell_compliance('backup', '2020-01-01', 'an older one')`
    await sql`delete from private.compliance_facts where fact = 'restore_test'`
    expect(changes(right, await assess())).toEqual({
      ctl_hipaa_164_308_a_7: 'not_assessed',
      ctl_gdpr_32_1_c: 'not_assessed',
      ctl_soc2_cc7_5: 'not_assessed',
      ctl_soc2_a1_3: 'not_assessed',
    })
    await sql`select private.tell_compliance('restore_test', now(), 'an invented document')`
    expect(changes(right, await assess())).toEqual({})
    const future = sql`select private.tell_compliance('restore_test', now() + interval '1 day', 'a promise')`
    await expect(future).rejects.toThrow('compliance_facts_past')
  })

  test('says of a check that cannot run that it was not assessed, and goes on', async () => {
    const [check] = await sql<[{ query: string }]>`
      select query from private.compliance_checks where id = 'data_classified'`
    const replace = (query: string) => sql`
      update private.compliance_checks set query = ${query} where id = 'data_classified'`
    await replace('select (1 / 0)::text')
    const broken = await assess().finally(() => replace(check.query))
    const found = (await evidence()).find(({ check_id }) => check_id === 'data_classified')
    expect(changes(right, broken)).toEqual({ ctl_gdpr_30: 'not_assessed', ctl_soc2_c1_1: 'not_assessed' })
    expect(found).toMatchObject({ result: 'not_assessed', problem: 'it failed with 22012' })
    expect(changes(right, await assess())).toEqual({})
  })

  test('is made of each framework by the nightly job, and kept for six years', async () => {
    const count = async () => {
      const [row] = await sql<
        [{ kept: number }]
      >`select count(*)::int as kept from public.compliance_assessments`
      return row.kept
    }
    const before = await count()
    const [job] = await sql<
      { command: string }[]
    >`select command from cron.job where jobname = 'assess-compliance'`
    await sql.unsafe(job?.command ?? '')
    expect(await count()).toBe(before + 3)
    const purge = (after: string) => sql<[{ deleted: number }]>`
      select private.purge_kind('compliance_assessments', now() + ${after}::interval, 2) as deleted`
    expect(await purge('5 years 364 days')).toMatchObject([{ deleted: 0 }])
    expect(await purge('6 years 2 days')).toMatchObject([{ deleted: 2 }])
  })

  // Were one not mended, its controls would be among those that the next one turns, or stay turned to the end.
  const faults = inDepth ? FAULTS : spread(FAULTS, 20)
  test.each(faults)('turns exactly its controls when $name', async (fault) => {
    await sql.unsafe(fault.inject)
    const turned = await assess().finally(() => sql.unsafe(fault.mend))
    expect(changes(right, turned)).toEqual(fault.turns)
  })

  test('turns them back when all is mended', async () => expect(changes(right, await assess())).toEqual({}))
})

/** So many of a list, evenly from all of it. */
function spread<Item>(items: readonly Item[], most: number): Item[] {
  return items.filter((_, place) => (place * most) % items.length < most)
}
