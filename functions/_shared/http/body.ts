import type { z } from 'zod'
import { ServiceError } from '../errors.ts'
import { piecesOf, startDeadline } from './body-deadline.ts'
import type { BodyMemory } from './body-memory.ts'

/** Limits of what a response repeats of a body's faults. */
const MAX_ISSUES = 20
const MAX_PROBLEM_CHARACTERS = 200

/** Largest JSON body, bytes, unless a route says otherwise. */
const MAX_JSON_BYTES = 1_000_000

/** Deepest nesting of a JSON body; more would exhaust the stack when it is serialised again. */
const MAX_JSON_DEPTH = 64

/**
 * Most values of a JSON body, as many as the shortest fill `MAX_JSON_BYTES`: a larger body is one with a long text in it. Each
 * object takes some sixty bytes of memory, however short it is.
 */
const MAX_JSON_VALUES = MAX_JSON_BYTES / 2

/** How often a body is in memory: as it came, as a text, and as the values in it. */
const TEXT_COPIES = 3

/**
 * Reads a JSON body; an absent body counts as `{}`.
 *
 * Stops reading at `maxBytes`, 1 MB by default. Throws `body_too_large`, `request_timeout`, `busy` or `invalid_json`.
 */
export async function readJson(
  request: Request,
  memory: BodyMemory,
  maxBytes = MAX_JSON_BYTES,
): Promise<unknown> {
  return parseJson(await readText(request, memory, maxBytes))
}

/**
 * Reads and validates a JSON body, as `readJson` does.
 *
 * Throws `invalid_parameters` too, with the field and the rule in its details, never the value.
 */
export async function readBody<Schema extends z.ZodType>(
  request: Request,
  memory: BodyMemory,
  schema: Schema,
): Promise<z.infer<Schema>> {
  return validated(schema, await readJson(request, memory))
}

/** Checks that a body is declared to be JSON. Throws `content_type_not_supported`. */
export function checkContentType({ headers }: Request): void {
  if (/^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')) return
  throw new ServiceError('content_type_not_supported', 'Send the body with Content-Type: application/json.')
}

/** Validates what was sent. Throws `invalid_parameters` with the field and the rule in its details, never the value. */
export function validated<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.slice(0, MAX_ISSUES).map((issue) => ({
    field: issue.path.join('.').slice(0, MAX_PROBLEM_CHARACTERS),
    problem: issue.message.slice(0, MAX_PROBLEM_CHARACTERS),
  }))
  const first = issues[0]
  throw new ServiceError(
    'invalid_parameters',
    first
      ? `Check ${first.field ? `the field ${first.field}` : 'the body'}: ${first.problem}`
      : 'Check the body.',
    { issues },
  )
}

/** Reads a body as text. Throws `body_too_large` as soon as it exceeds `maxBytes`, `request_timeout` and `busy`. */
export async function readText(request: Request, memory: BodyMemory, maxBytes: number): Promise<string> {
  const declared = declaredBytes(request.headers)
  const tooLarge = () =>
    new ServiceError('body_too_large', `The body is over ${maxBytes / 1_000_000} MB.`, {
      max_bytes: maxBytes,
    })
  if (declared !== null && declared > maxBytes) throw tooLarge()
  if (declared !== null) memory.add(declared, TEXT_COPIES)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of request.body ? piecesOf(request.body, startDeadline(maxBytes)) : []) {
    size += chunk.byteLength
    if (size > (declared ?? maxBytes)) throw tooLarge()
    if (declared === null) memory.add(chunk.byteLength, TEXT_COPIES)
    chunks.push(chunk)
  }
  return new Blob(chunks).text()
}

/** The length that a body declares, bytes; null when it declares none, or no number. */
export function declaredBytes(headers: Headers): number | null {
  const declared = headers.get('content-length')
  return declared !== null && /^\d{1,15}$/.test(declared) ? Number(declared) : null
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  const { depth, values } = extentOf(text)
  if (depth > MAX_JSON_DEPTH) {
    throw new ServiceError('invalid_json', `The body is nested more than ${MAX_JSON_DEPTH} levels deep.`)
  }
  if (values > MAX_JSON_VALUES) {
    throw new ServiceError('invalid_json', `The body holds more than ${MAX_JSON_VALUES} values.`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new ServiceError('invalid_json', 'The body is not valid JSON.')
  }
}

/**
 * Deepest nesting of arrays and objects in a JSON text, and a number that its values do not exceed: the brackets that open
 * and the commas. Neither counts within strings.
 */
export function extentOf(text: string): { depth: number; values: number } {
  let depth = 0
  let deepest = 0
  let values = 1
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (quoted) {
      if (character === '\\') index++
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === ',') values++
    else if (character === '[' || character === '{') {
      values++
      deepest = Math.max(deepest, ++depth)
    } else if (character === ']' || character === '}') depth--
  }
  return { depth: deepest, values }
}
