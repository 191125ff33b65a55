import * as z from 'zod'

/** Any value of JSON. */
export type Json = string | number | boolean | null | JsonObject | Json[]

/** An object whose members nobody has fixed. */
export type JsonObject = { [name: string]: Json }

/** `Json` in the description. A type of TypeScript may only refer to itself through an object's members, so a list in a list is any list. */
const described = {
  id: 'Json',
  description: 'Any value of JSON.',
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { $ref: '#/$defs/JsonObject' },
    {
      type: 'array',
      items: {
        anyOf: [
          { type: ['string', 'number', 'boolean', 'null'] },
          { $ref: '#/$defs/JsonObject' },
          { type: 'array' },
        ],
      },
    },
  ],
}

/** Any value of JSON. Nothing is left to check: it is read from a body, or from the database, which hold nothing else. */
export const json: z.ZodType<Json, Json> = z.any().meta(described)

/** An object whose members nobody has fixed; `JsonObject` in the description. */
export const jsonObject = z
  .record(z.string(), json)
  .meta({ id: 'JsonObject', description: 'An object whose members nobody has fixed.' })
