import type { Content, JsonSchema, OperationObject } from '../openapi.ts'
import { fieldsOf } from './schema.ts'

/** What the reference is searched for: a name, what is said of it, and the values that it can have. */
export type Part = {
  kind: 'field' | 'parameter' | 'error' | 'event'
  name: string
  text: string
  values?: readonly unknown[]
}

/** What can be found: what is said of it first, and the names in it. */
export type Searched = { title: string; note?: string; description?: string; parts: () => readonly Part[] }

/** What has the words, and the parts that have those which its title and note do not say. */
export type Found<Entry> = { entry: Entry; parts: readonly Part[] }

/** Most parts that a result names. */
const MAX_PARTS = 3

/** What has every word of a search, whatever its case: first what says them in its title or note. In the order given otherwise. */
export function find<Entry extends Searched>(entries: readonly Entry[], asked: string): Found<Entry>[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const found = entries.flatMap((entry) => {
    const said = `${entry.title} ${entry.note ?? ''}`.toLowerCase()
    const unsaid = words.filter((word) => !said.includes(word))
    const described = (entry.description ?? '').toLowerCase()
    const parts =
      unsaid.length === 0 ? [] : entry.parts().filter((part) => unsaid.some((word) => has(part, word)))
    const isFound = unsaid.every((word) => described.includes(word) || parts.some((part) => has(part, word)))
    return isFound ? [{ entry, parts: parts.slice(0, MAX_PARTS), unsaid: unsaid.length }] : []
  })
  return found.toSorted((one, other) => one.unsaid - other.unsaid)
}

function has({ name, text, values = [] }: Part, word: string): boolean {
  return [name, text, ...values].join(' ').toLowerCase().includes(word)
}

/** The parameters, the fields and the error codes of a call. */
export function partsOfCall({ parameters = [], requestBody, responses }: OperationObject): Part[] {
  const bodies = [
    requestBody?.content,
    ...Object.entries(responses).map(([status, { content }]) => (Number(status) < 400 ? content : undefined)),
  ]
  const codes = Object.entries(responses).flatMap(([status, { description }]) =>
    Number(status) < 400 ? [] : [...description.matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
  )
  return [
    ...parameters.map(({ name, description = '' }): Part => ({ kind: 'parameter', name, text: description })),
    ...bodies.flatMap((content) => partsOfContent(content ?? {})),
    ...codes.map((name): Part => ({ kind: 'error', name, text: '' })),
  ]
}

function partsOfContent(content: Content): Part[] {
  return Object.values(content).flatMap(({ schema }) => partsOfSchema(schema))
}

/** The fields of a schema, each with what it means. */
export function partsOfSchema(schema: JsonSchema): Part[] {
  return fieldsOf(schema).map(({ name, field: { description = '', enum: values = [] } }) => ({
    kind: 'field',
    name,
    text: description,
    values,
  }))
}
