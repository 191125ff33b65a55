import { ServiceError } from '../errors.ts'
import type { Condition } from './conditions.ts'

/** Gateways on the way cut a request's address at about 8 KB; most of that is for columns and filters. */
const MOST_CHARACTERS = 6000

/**
 * Refuses what would not fit into the address of one request, where the Data API takes columns and filters.
 *
 * Throws `query_too_long`.
 */
export function assertFitsAddress(columns: string[], conditions: Condition[]): void {
  const parts = conditions.flatMap(({ column, operator, operand }) => [column, operator, operand])
  const characters = [...columns, ...parts].reduce(
    (sum, part) => sum + encodeURIComponent(part).length + 3,
    0,
  )
  if (characters <= MOST_CHARACTERS) return
  throw new ServiceError(
    'query_too_long',
    `Columns and filters have more than ${MOST_CHARACTERS} characters, as an address spells them. Ask in parts.`,
    { characters, max_characters: MOST_CHARACTERS },
  )
}
