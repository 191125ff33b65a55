import * as z from 'zod'
import { DIRECTIONS } from '../direction-of-change.ts'
import { RISK_LEVELS } from '../risk-level.ts'

/** Why the model's response cannot be used; logged. */
type FailureCode =
  | 'timeout'
  | 'connection'
  | 'http_error'
  | 'provider_refused'
  | 'response_too_large'
  | 'no_response'
  | 'refused'
  | 'filtered'
  | 'truncated'
  | 'empty'
  | 'invalid_json'
  | 'unusable'

/** The model failed. */
export class ModelFailure extends Error {
  readonly code: FailureCode
  /** What the model said all the same; empty where that is nothing. Never logged. */
  readonly answer: string
  /** HTTP status and code of the provider's response, where it was an error. */
  readonly status: number | undefined
  readonly providerCode: string | undefined

  constructor(code: FailureCode, about: { answer?: string; status?: number; providerCode?: string } = {}) {
    super(`The language model failed: ${code}`)
    this.name = 'ModelFailure'
    this.code = code
    this.answer = about.answer ?? ''
    this.status = about.status
    this.providerCode = about.providerCode
  }

  /** The summary in output that is otherwise unusable, where it is complete; else empty. */
  get summary(): string {
    return this.code === 'filtered' || this.code === 'refused' ? '' : suppliedSummary(this.answer)
  }
}

/** The strict schema of the model's output. Strict output has no optional fields, so a missing mood is `null`. */
export const modelOutput = z.object({
  text_score: z.number().describe('Wellbeing, 0 to 100; higher is better.'),
  mood_score: z
    .number()
    .nullable()
    .describe('1 to 10, only when the student states the number explicitly; else null.'),
  uncertainty: z.number().describe('0 certain to 1 uncertain.'),
  themes: z.array(z.string()).describe('3 to 6 main topics, a few words each.'),
  keywords: z.array(z.string()).describe('Key terms that the student used; no names of people.'),
  risk_level: z.enum(RISK_LEVELS),
  direction_of_change: z.enum(DIRECTIONS).describe('Against the previous time; same when there is none.'),
  conversation_summary: z.string().describe('1 to 2 warm sentences to the student, in the second person.'),
  drivers_positive: z.array(z.string()).describe('What raises the wellbeing; empty when nothing does.'),
  drivers_negative: z.array(z.string()).describe('What lowers the wellbeing; empty when nothing does.'),
})

const completion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.unknown(),
        message: z.looseObject({ content: z.unknown(), refusal: z.unknown() }),
      }),
    )
    .min(1),
})

/** A part of a content that comes in parts, as some providers send it. */
const parts = z.array(z.looseObject({ text: z.string() }))

/** What a model answered: the text, and the fields in it as the model gave them, whatever their types. */
export type ReadCompletion = { answer: string; fields: Record<string, unknown> }

/**
 * The answer in a completion. Throws `ModelFailure` when there is nothing to repair, such as none of the expected fields.
 */
export function readCompletion(response: unknown, expected: readonly string[]): ReadCompletion {
  const choice = completion.safeParse(response).data?.choices[0]
  if (!choice) throw new ModelFailure('no_response')
  const { finish_reason, message } = choice
  const answer = contentOf(message.content)
  if (finish_reason === 'content_filter') throw new ModelFailure('filtered', { answer })
  if (typeof message.refusal === 'string' && message.refusal !== '')
    throw new ModelFailure('refused', { answer })
  if (answer === '') throw new ModelFailure('empty')
  if (finish_reason === 'length') throw new ModelFailure('truncated', { answer })
  const fields = parse(answer)
  if (fields === undefined) throw new ModelFailure('invalid_json', { answer })
  if (!isRecord(fields) || !expected.some((field) => Object.hasOwn(fields, field))) {
    throw new ModelFailure('unusable', { answer })
  }
  return { answer, fields }
}

function contentOf(content: unknown): string {
  if (typeof content === 'string') return content.trim()
  const inParts = parts.safeParse(content).data ?? []
  return inParts
    .map(({ text }) => text)
    .join('')
    .trim()
}

/** JSON, alone or with something around it such as a code fence; `undefined` when there is none. */
function parse(content: string): unknown {
  for (const text of [content, content.slice(content.indexOf('{'), content.lastIndexOf('}') + 1)]) {
    try {
      return JSON.parse(text)
    } catch {
      // Try the next form.
    }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const SUMMARY = /"conversation_summary"\s*:\s*("(?:[^"\\]|\\.)*")/

/** The summary, where it is complete in a content that may be broken elsewhere; else empty. */
function suppliedSummary(content: string): string {
  const quoted = content.match(SUMMARY)?.[1]
  const summary = quoted === undefined ? undefined : parse(quoted)
  return typeof summary === 'string' ? summary : ''
}
