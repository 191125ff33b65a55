import type { DatabaseError } from '../postgres/errors.ts'

const statusOfCode: Record<string, number> = {
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '57P01': 503,
  '57P02': 503,
  '57P03': 503,
  P0001: 400,
}

const statusOfClass: Record<string, number> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  '54': 500,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
}

function statusOf(code: string, role: string): number {
  if (code === '42501') return role === 'anon' ? 401 : 403
  const raised = /^PT(\d{3})$/.exec(code)
  if (raised) return Number(raised[1])
  return statusOfCode[code] ?? statusOfClass[code.slice(0, 2)] ?? 400
}

function parse(text: string | undefined): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

export function restError(
  status: number,
  error: { code: string; message: string; details?: string | null; hint?: string | null },
  headers: Record<string, string> = {},
): Response {
  const { code, message, details = null, hint = null } = error
  return Response.json({ code, details, hint, message }, { status, headers })
}

/** PostgREST names the table of a column that does not exist, because it always asks for `table.column`. */
function qualifyColumn(message: string, path: string): string {
  const table = /^\/([^/]+)$/.exec(path)?.[1]
  return table
    ? message.replace(/^column "([^"]+)" does not exist$/, `column ${table}.$1 does not exist`)
    : message
}

/**
 * PostgREST's response to an error that Postgres raised (its documented table of statuses).
 *
 * @param role that the request ran as
 * @param path of the request, below `/rest/v1`
 */
export function databaseErrorResponse(
  error: DatabaseError,
  { role, path }: { role: string; path: string },
): Response {
  const { code, detail, hint } = error
  const message = code === '42703' ? qualifyColumn(error.message, path) : error.message
  if (code === 'PGRST') {
    const body = parse(message)
    const wanted = parse(detail)
    if (
      typeof body?.code === 'string' &&
      typeof body.message === 'string' &&
      typeof wanted?.status === 'number'
    ) {
      const headers = Object.entries(wanted.headers ?? {}).filter(([, value]) => typeof value === 'string')
      const { details = null, hint: bodyHint = null } = body
      return Response.json(
        { code: body.code, details, hint: bodyHint, message: body.message },
        { status: wanted.status, headers: Object.fromEntries(headers) },
      )
    }
    return restError(500, {
      code: 'PGRST121',
      message: `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`,
      details: 'MESSAGE and DETAIL must be JSON objects',
    })
  }
  const status = statusOf(code, role)
  // Browsers and clients ask for the realm when a key would help.
  const headers: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
  return restError(status, { code, message, details: detail, hint }, headers)
}
