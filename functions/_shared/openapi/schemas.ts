import * as z from 'zod'
import type { JsonSchema } from './openapi.ts'

/** Formats that make the pattern beside them redundant. */
const PLAIN_FORMATS = ['uuid', 'date-time', 'date', 'email', 'uri']

/**
 * Converts zod schemas to JSON Schemas and collects the named ones (`.meta({ id })`), so that each is described once.
 * Throws if two different ones have the same name.
 */
export class Schemas {
  readonly named: Record<string, JsonSchema> = {}

  /** What is sent (`input`) or returned (`output`). */
  write(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...written
    } = z.toJSONSchema(schema, {
      io,
      override: ({ jsonSchema }) => {
        if (PLAIN_FORMATS.includes(jsonSchema.format ?? '')) delete jsonSchema.pattern
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      },
    })
    for (const [name, definition] of Object.entries($defs)) this.#name(name, definition)
    return withReferences(written)
  }

  #name(name: string, definition: JsonSchema): void {
    const schema = withReferences(definition)
    const known = this.named[name]
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two schemas are named ${name}`)
    }
    this.named[name] = schema
  }
}

/** The schema with references to where the document keeps its schemas. */
function withReferences(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
