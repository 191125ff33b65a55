import type { Bytes } from '../bytes.ts'

/** What an attack tries. */
export type Family =
  | 'sql'
  | 'filter'
  | 'header'
  | 'path'
  | 'json'
  | 'unicode'
  | 'number'
  | 'date'
  | 'identity'
  | 'markup'
  | 'size'
  | 'prototype'
  | 'token'
  | 'form'
  | 'method'
  | 'type'

/**
 * A value that is put in the place of a good one: a text, what stands in JSON (which may not be JSON), bytes that may be
 * no text, or what stands in an address as it is. Where a place takes only text, the JSON stands there as text.
 */
export type HostileValue = { family: Family } & (
  | { text: string }
  | { json: string }
  | { bytes: Bytes }
  | { address: Bytes }
)

/** Texts of one family. */
export function texts(family: Family, values: readonly string[]): HostileValue[] {
  return values.map((text) => ({ family, text }))
}

/** What stands in JSON, of one family. */
export function jsons(family: Family, values: readonly string[]): HostileValue[] {
  return values.map((json) => ({ family, json }))
}
