import type { Chance } from './chance.ts'
import type { Attacker, Attackers } from './person.ts'
import type { RawRequest } from './raw-http.ts'
import { QUERY_VALUES } from './values/queries.ts'
import { TEXT_VALUES } from './values/texts.ts'

/** A function of the Data API with the names of its arguments. */
export type Procedure = { name: string; arguments: readonly string[] }

/** A call past the functions, without who makes it. */
export type DirectCall = Pick<RawRequest, 'method' | 'target' | 'body'> & { headers?: RawRequest['headers'] }

/** What a call past the functions is put together of. */
export type Choice = {
  chance: Chance
  attackers: Attackers
  attacker: Attacker
  procedures: readonly Procedure[]
}

/** Hostile texts of every family. */
export const HOSTILE_TEXTS = [...QUERY_VALUES, ...TEXT_VALUES].flatMap((value) =>
  'text' in value ? [value.text] : [],
)
