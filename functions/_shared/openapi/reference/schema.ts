import { html } from 'hono/html'
import type { Html } from '../../http/page.ts'
import type { JsonSchema } from '../openapi.ts'

/** Deepest level that is indented further. */
const DEEPEST = 5

/** The mark of an optional field. */
export const OPTIONAL = html` <span class="may">optional</span>`

/** Where the page of schemas shows one, from any other page of the reference. */
export function schemaAddress(name: string): string {
  return `?of=schemas#schema-${name}`
}

/** The fields of a schema as rows of a table: an object's members, an array's entries. Named schemas are linked. */
export function fieldTable(schema: JsonSchema): Html {
  const rows = fieldsOf(schema)
  if (rows.length === 0) return html`<p>${typeOf(schema)}${describedAs(schema)}</p>`
  return html`<div class="wide" tabindex="0"><table class="fields">
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.map(
    ({ name, depth, required, field }) => html`
<tr><td class="depth-${Math.min(depth, DEEPEST)}"><code>${name}</code>${required ? '' : OPTIONAL}</td>
<td>${typeOf(field)}</td><td>${inline(field.description ?? '')}</td></tr>`,
  )}
</tbody></table></div>`
}

type Field = { name: string; depth: number; required: boolean; field: JsonSchema }

/** The members of a schema, each followed by its own; of an array those of its entries. */
export function fieldsOf(schema: JsonSchema, depth = 0): Field[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = asSchema(property)
    return [{ name, depth, required: required.includes(name), field }, ...fieldsOf(within(field), depth + 1)]
  })
}

/** The schema whose members are listed: that of an array's entries, or of a value that may also be null. */
function within(schema: JsonSchema): JsonSchema {
  if (schema.items && !Array.isArray(schema.items)) return within(asSchema(schema.items))
  const [only, ...others] = notNull(schema)
  return only && others.length === 0 ? within(only) : schema
}

/** A schema's type in words, with its range. */
export function typeOf(schema: JsonSchema): Html {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return html`<a href="${schemaAddress(name)}">${name}</a>`
  }
  const choices = notNull(schema)
  if (choices.length > 0) {
    const isNullable = (schema.anyOf ?? []).length > choices.length
    return html`${choices.map((choice, index) => html`${index > 0 ? ' or ' : ''}${typeOf(choice)}`)}${isNullable ? ' or null' : ''}`
  }
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum) {
    return html`${schema.enum.map((value, index) => html`${index > 0 ? ', ' : ''}<code>${String(value)}</code>`)}`
  }
  if (schema.type === 'array') {
    return html`array of ${typeOf(asSchema(Array.isArray(schema.items) ? {} : schema.items))}${lengthOf(schema.minItems, schema.maxItems, 'entries')}`
  }
  const types = [schema.type ?? 'any'].flat().join(' or ')
  const format = schema.format ? ` (${schema.format})` : ''
  return html`${types}${format}${rangeOf(schema)}${lengthOf(schema.minLength, schema.maxLength, 'characters')}`
}

function notNull({ anyOf = [], oneOf = [] }: JsonSchema): JsonSchema[] {
  return [...anyOf, ...oneOf].map(asSchema).filter(({ type }) => type !== 'null')
}

function rangeOf({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, ${minimum} or more`
  if (exclusiveMinimum !== undefined) return `, above ${exclusiveMinimum}`
  return maximum === undefined ? '' : `, ${maximum} at most`
}

function lengthOf(least: number | undefined, most: number | undefined, what: string): string {
  if (least && most !== undefined) return `, ${least} to ${most} ${what}`
  if (most !== undefined) return `, ${most} ${what} at most`
  return least ? `, ${least} ${what} or more` : ''
}

function describedAs({ description }: JsonSchema): Html | string {
  return description ? html`: ${inline(description)}` : ''
}

function asSchema(schema: JsonSchema | boolean | undefined): JsonSchema {
  return typeof schema === 'object' ? schema : {}
}

/** A sentence with code in backticks. */
export function inline(text: string): Html {
  return html`${text.split(/(`[^`]+`)/).map((part) => (part.startsWith('`') && part.length > 2 ? html`<code>${part.slice(1, -1)}</code>` : part))}`
}

/** Paragraphs, separated by empty lines. */
export function paragraphs(text: string): Html {
  return html`${text.split(/\n{2,}/).map((part) => html`<p>${inline(part)}</p>`)}`
}
