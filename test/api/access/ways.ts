import postgres from 'postgres'
import type { Project } from '../../../harness/stack/project.ts'

/** What came of a request: the keys of the rows that it read or wrote, or how it was refused. */
export type Outcome = { status: number; code: string | null; keys: string[] }

/** A way to a table's rows; `null` stands for all rows. */
export type Way = {
  select(table: string, key: string, keys: string[] | null): Promise<Outcome>
  insert(table: string, key: string, row: object): Promise<Outcome>
  update(table: string, key: string, keys: string[], change: object): Promise<Outcome>
  remove(table: string, key: string, keys: string[]): Promise<Outcome>
}

/** Straight to `/rest/v1`, with a token or a key. */
export function restWay(project: Project, credential: string): Way {
  const isToken = credential.split('.').length === 3
  async function request(table: string, method: string, query: Record<string, string>, body?: object) {
    const [schema = '', name = ''] = table.split('.')
    const headers: Record<string, string> = {
      apikey: isToken ? project.publishableKey : credential,
      'accept-profile': schema,
      'content-profile': schema,
      'content-type': 'application/json',
      prefer: 'return=representation',
      ...(isToken && { authorization: `Bearer ${credential}` }),
    }
    const address = `${project.apiUrl}/rest/v1/${name}?${new URLSearchParams(query)}`
    const response = await fetch(address, { method, headers, body: body && JSON.stringify(body) })
    return outcomeOf(response.status, await response.json(), query.select ?? '')
  }
  const among = (key: string, keys: string[]) => ({ [key]: `in.(${keys.join(',')})` })
  return {
    select: (table, key, keys) =>
      request(table, 'GET', { select: key, ...(keys ? among(key, keys) : { limit: '1000' }) }),
    insert: (table, key, row) => request(table, 'POST', { select: key }, row),
    update: (table, key, keys, change) =>
      request(table, 'PATCH', { select: key, ...among(key, keys) }, change),
    remove: (table, key, keys) => request(table, 'DELETE', { select: key, ...among(key, keys) }),
  }
}

/** Through `/api/database/*`, with a token. `renew` gives the caller a new allowance, every fifty requests. */
export function apiWay(project: Project, credential: string, renew: () => Promise<unknown>): Way {
  let requests = 0
  async function request(action: string, body: Record<string, unknown>, key: string): Promise<Outcome> {
    if (requests % 50 === 0) await renew()
    requests += 1
    const response = await fetch(`${project.apiUrl}/functions/v1/api/database/${action}`, {
      method: 'POST',
      headers: {
        apikey: project.publishableKey,
        authorization: `Bearer ${credential}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    return outcomeOf(response.status, response.ok ? answer.data : answer, key)
  }
  return {
    select: (table, key, keys) =>
      request('select', { table, columns: key, limit: 1000, ...(keys && { filters: { [key]: keys } }) }, key),
    insert: (table, key, data) => request('insert', { table, data, returning: key }, key),
    update: (table, key, keys, data) =>
      request('update', { table, data, filters: { [key]: keys }, returning: key }, key),
    remove: (table, key, keys) => request('delete', { table, filters: { [key]: keys }, returning: key }, key),
  }
}

/** What a function of the API gave, or how it refused. */
export type Answer = { status: number; code: string | null; answer: unknown }

/** At the database, as the Data API asks it for somebody with that token, but for the check of each request. */
export function databaseWay(sql: postgres.Sql, token: string): Way {
  const ask = async (statement: (tx: postgres.TransactionSql) => Promise<{ key: string }[]>) => {
    const { status, code, answer } = await asBearer(sql, token, statement)
    return { status, code, keys: (answer ?? []).map(({ key }) => key).sort() }
  }
  /** A row of the table with these values, and the names of its columns that are given. */
  const rowOf = (tx: postgres.TransactionSql, table: string, values: object) => {
    const given = JSON.parse(JSON.stringify(values))
    return [tx(Object.keys(given)), tx`jsonb_populate_record(null::${tx(table)}, ${tx.json(given)})`] as const
  }
  return {
    select: (table, key, keys) =>
      ask(
        (tx) => tx`
          select ${tx(key)}::text as key from ${tx(table)}
          where ${keys === null ? tx`true` : tx`${tx(key)}::text = any (${keys})`} limit 1000`,
      ),
    insert: (table, key, values) =>
      ask((tx) => {
        const [names, row] = rowOf(tx, table, values)
        return tx`insert into ${tx(table)} (${names}) select ${names} from ${row} returning ${tx(key)}::text as key`
      }),
    update: (table, key, keys, change) =>
      ask((tx) => {
        const [names, row] = rowOf(tx, table, change)
        return tx`
          update ${tx(table)} set (${names}) = (select ${names} from ${row})
          where ${tx(key)}::text = any (${keys}) returning ${tx(key)}::text as key`
      }),
    remove: (table, key, keys) =>
      ask(
        (tx) =>
          tx`delete from ${tx(table)} where ${tx(key)}::text = any (${keys}) returning ${tx(key)}::text as key`,
      ),
  }
}

/** Calls a function of `public` by `/rest/v1/rpc`, with a token or a key. */
export async function callByRequest(
  project: Project,
  credential: string,
  name: string,
  args: object,
): Promise<Answer> {
  const isToken = credential.split('.').length === 3
  const response = await fetch(`${project.apiUrl}/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers: {
      apikey: isToken ? project.publishableKey : credential,
      'content-type': 'application/json',
      ...(isToken && { authorization: `Bearer ${credential}` }),
    },
    body: JSON.stringify(args),
  })
  // A function that returns nothing has a response without content.
  const answer = JSON.parse((await response.text()) || 'null')
  return { status: response.status, code: answer?.code ?? null, answer }
}

/** Calls a function of `public` at the database, as `/rest/v1/rpc` does for somebody with that token. */
export async function callInDatabase(
  sql: postgres.Sql,
  token: string,
  name: string,
  args: object,
): Promise<Answer> {
  const [signature] = await sql<[{ is_set: boolean; is_void: boolean; types: Record<string, string> }]>`
    select p.proretset as is_set, p.prorettype = 'void'::regtype as is_void,
      (
        select coalesce(json_object_agg(a.name, a.type::regtype), '{}')
        from unnest(p.proargnames[:p.pronargs], p.proargtypes::oid[]) as a (name, type)
      ) as types
    from pg_proc p
    where p.oid = to_regproc(${`public.${name}`})`
  const given = Object.keys(args)
  const call = `public.${name}(${given.map((arg) => `${arg} => given.${arg}`).join(', ')})`
  const from = given.length
    ? `jsonb_to_record($1) as given (${given.map((arg) => `${arg} ${signature.types[arg]}`).join(', ')}), ${call}`
    : call
  const value = signature.is_set
    ? `coalesce(jsonb_agg(to_jsonb(answer)), '[]')`
    : signature.is_void
      ? 'null'
      : 'to_jsonb(answer)'
  const { status, code, answer } = await asBearer(sql, token, (tx) =>
    tx.unsafe<{ answer: unknown }[]>(
      `select ${value} as answer from ${from} as answer`,
      given.length ? [tx.json(JSON.parse(JSON.stringify(args)))] : [],
    ),
  )
  return { status, code, answer: answer?.[0]?.answer ?? null }
}

/** Runs a statement as the role and with the claims of a token; how it is refused is what the Data API makes of the error. */
async function asBearer<Row>(
  sql: postgres.Sql,
  token: string,
  statement: (tx: postgres.TransactionSql) => Promise<Row[]>,
): Promise<{ status: number; code: string | null; answer: Row[] | null }> {
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  try {
    let answer: Row[] = []
    await sql.begin(async (tx) => {
      await tx`
        select set_config('role', ${claims}::text::json ->> 'role', true), set_config('request.jwt.claims', ${claims}, true)`
      answer = await statement(tx)
    })
    return { status: 200, code: null, answer }
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw error
    const status =
      error.code === '42501' ? 403 : error.code.startsWith('PT') ? Number(error.code.slice(2)) : 400
    return { status, code: error.code, answer: null }
  }
}

function outcomeOf(status: number, body: unknown, key: string): Outcome {
  if (Array.isArray(body)) {
    return { status, code: null, keys: body.map((row) => String(row[key])).sort() }
  }
  const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : null
  return { status, code, keys: [] }
}
