import type { OpenApiDocument, ParameterObject } from '../../functions/_shared/openapi/openapi.ts'
import type { Chance } from './chance.ts'
import type { DescribedCall } from './described-call.ts'
import type { Attacker, Attackers } from './person.ts'
import { type Json, validValue } from './valid-value.ts'

type Calling = Attackers & { attacker: Attacker }

/** A good value of a parameter: the attacker's own thing, else the documented example. */
export function exampleParameter(
  document: OpenApiDocument,
  { path }: DescribedCall,
  { name, required, example, schema }: ParameterObject,
  attacker: Attacker,
  chance: Chance,
): Json | undefined {
  const own = {
    university_id: attacker.university,
    universityId: attacker.university,
    key: attacker.file,
    ...(path.startsWith('/checkins/') && { id: ownOf(attacker.checkIns, chance) }),
    ...(path.startsWith('/api/universities/') && { id: attacker.university }),
    ...(path.startsWith('/api/students/') && { id: attacker.student }),
  }
  const owned = Object.entries(own).find(([field]) => field === name)?.[1]
  if (owned !== undefined) return owned
  if (example !== undefined && example !== null) return example as Json
  return required ? validValue(document, schema) : undefined
}

/** A good body: the documented example, with the attacker's own things in it. */
export function exampleBody(
  document: OpenApiDocument,
  { body, path }: DescribedCall,
  calling: Calling,
  chance: Chance,
): { [name: string]: Json } {
  const good = body?.example ?? (body ? validValue(document, body.schema) : {})
  const { attacker, account, still } = calling
  const own: Record<string, Json> = {
    sessionId: ownOf(attacker.sessions, chance),
    university_id: attacker.university,
    password: account.password,
    // A good one takes a second to analyse.
    ...(chance.happens(0.05) && { imageData: still }),
    refresh_token: account.refreshToken,
    email: path.endsWith('/signup') ? `newcomer-${chance.uuid()}@northfield.example.edu` : account.email,
  }
  const named = Object.entries(good as Record<string, Json>).map(([name, value]) => [
    name,
    own[name] ?? value,
  ])
  return Object.fromEntries(named)
}

/** Often one of the first few, of which more is known. */
function ownOf(ids: readonly string[], chance: Chance): string {
  if (ids.length === 0) return chance.uuid()
  return chance.pick(chance.happens(0.5) ? ids.slice(0, 5) : ids)
}
