import {
  type Answer,
  ask,
  jsonOf,
  type Probe,
  Report,
  requireControl,
  rowsIn,
  served,
  type Target,
} from '../target.ts'

/** An exposed table or view with the owner's account in it, and what signed-in people may try with it. */
type Relation = {
  schema: string
  name: string
  can_select: boolean
  can_insert: boolean
  can_delete: boolean
  /** A column that people may change. */
  changeable: string | null
}

/**
 * Another student's rows: read, changed, deleted, and written in their name. Only the victim's rows are ever asked for, so
 * that a rule that is open shows nobody else's.
 */
export const otherStudentsRows: Probe = async (target) => {
  const report = new Report(target)
  const control = await rest(target, 'GET', { schema: 'public', name: 'profiles' }, target.attacker.id)
  requireControl(rowsIn(control) === 1, 'own_row_unreadable')
  for (const relation of await relations(target)) await attackRelation(target, relation, report)
  await attackThroughFunctions(target, report)
  return report
}

async function attackRelation(target: Target, relation: Relation, report: Report): Promise<void> {
  const { database, victim } = target
  const table = `${relation.schema}.${relation.name}`
  const fault = (action: string, sentence: string) => ({
    fault: `${table}:${action}`,
    severity: 'critical' as const,
    title: `Another student's rows of ${table} can be ${sentence}`,
  })
  const [row] = await database<{ content: Record<string, unknown> }[]>`
    select to_jsonb(t) as content from ${database(table)} t where user_id = ${victim.id} limit 1`
  // A rule shows itself on rows only.
  if (row && relation.can_select) {
    const read = await rest(target, 'GET', relation, victim.id)
    report.attack(rowsIn(read) > 0, fault('select', 'read'), read)
  }
  if (row && relation.changeable !== null) {
    // To what it is: a rule that is open changes nothing.
    const body = { [relation.changeable]: row.content[relation.changeable] }
    const changed = await rest(target, 'PATCH', relation, victim.id, body)
    report.attack(rowsIn(changed) > 0, fault('update', 'changed'), changed)
  }
  if (row && relation.can_delete) {
    const removed = await rest(target, 'DELETE', relation, victim.id)
    report.attack(rowsIn(removed) > 0, fault('delete', 'deleted'), removed)
  }
  if (relation.can_insert) {
    const added = await rest(target, 'POST', relation, victim.id, { user_id: victim.id })
    // Postgres looks at policies before it looks at constraints: whoever gets that far was let in.
    const passed = served(added) || /^23/.test(codeOf(added))
    report.attack(passed, fault('insert', 'written in their name'), added)
  }
}

async function attackThroughFunctions(target: Target, report: Report): Promise<void> {
  const { database, attacker, victim } = target
  const { token } = attacker
  const [checkIn] = await database<
    { id: string }[]
  >`select id from checkin.check_ins where user_id = ${victim.id}`
  requireControl(checkIn !== undefined, 'victim_without_rows')
  const selected = (table: string) =>
    ask(target, 'POST', '/functions/v1/api/database/select', {
      token,
      body: { table, columns: 'user_id', filters: { user_id: victim.id } },
    })
  const fault = (name: string) => ({
    fault: `functions:${name}`,
    severity: 'critical' as const,
    title: `Another student's data is served by a function: ${name}`,
  })
  const read = await ask(target, 'GET', `/functions/v1/checkins/${checkIn?.id}`, { token })
  report.attack(served(read), fault('checkins'), read)
  const student = await ask(target, 'GET', `/functions/v1/api/students/${victim.id}`, { token })
  report.attack(served(student), fault('students'), student)
  for (const table of ['profiles', 'checkin.fusion_results']) {
    const answer = await selected(table)
    const body = jsonOf(answer)
    const rows =
      body && typeof body === 'object' && 'data' in body && Array.isArray(body.data) ? body.data : []
    report.attack(rows.length > 0, fault(`database-select/${table}`), answer)
  }
}

/** A request of the Data API about one person's rows alone. */
function rest(
  target: Target,
  method: string,
  { schema, name }: Pick<Relation, 'schema' | 'name'>,
  owner: string,
  body?: unknown,
): Promise<Answer> {
  const filter = method === 'POST' ? '' : `?select=user_id&user_id=eq.${owner}`
  return ask(target, method, `/rest/v1/${name}${filter}`, {
    token: target.attacker.token,
    headers: {
      ...(method === 'GET' ? { 'accept-profile': schema } : { 'content-profile': schema }),
      // Without asking for the new row back, which may not be read even where it may be written.
      prefer: method === 'POST' ? 'return=minimal' : 'return=representation',
    },
    ...(body !== undefined && { body }),
  })
}

function codeOf(answer: Answer): string {
  const body = jsonOf(answer)
  return body && typeof body === 'object' && 'code' in body ? String(body.code) : ''
}

function relations({ database }: Target): Promise<Relation[]> {
  return database<Relation[]>`
    select
      n.nspname as schema,
      c.relname as name,
      has_column_privilege('authenticated', c.oid, 'user_id', 'select') as can_select,
      has_column_privilege('authenticated', c.oid, 'user_id', 'insert') as can_insert,
      has_table_privilege('authenticated', c.oid, 'delete') as can_delete,
      (
        select a.attname
        from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and has_column_privilege('authenticated', c.oid, a.attnum, 'update')
        order by a.attnum
        limit 1
      ) as changeable
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'checkin')
      and c.relkind in ('r', 'p', 'v', 'm')
      and exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped
      )
      and has_any_column_privilege('authenticated', c.oid, 'select, insert, update')
    order by 1, 2`
}
