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

function outcomeOf(status: number, body: unknown, key: string): Outcome {
  if (Array.isArray(body)) {
    return { status, code: null, keys: body.map((row) => String(row[key])).sort() }
  }
  const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : null
  return { status, code, keys: [] }
}
