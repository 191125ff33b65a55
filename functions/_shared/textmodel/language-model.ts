import OpenAI, { APIError, zodResponseFormat } from '../../_vendor/openai.js'
import { AnswerTooLarge, boundedFetch } from './bounded-fetch.ts'
import { ModelFailure } from './failure.ts'
import { modelOutput, readCompletion } from './model-output.ts'
import type { Previous } from './previous.ts'
import { messagesFor } from './prompt.ts'

/** How to reach the provider. */
export type LanguageModelSettings = {
  apiKey: string
  baseUrl: string | undefined
  model: string
  /** For each of the two tries, milliseconds. */
  timeoutMs: number
  /** Pause before the second try where the provider names none, milliseconds. */
  retryPauseMs?: number
}

/** Reads a transcript; returns the fields as the model gave them. Throws `ModelFailure` and nothing else. */
export type AskModel = (transcript: string, previous: Previous) => Promise<Record<string, unknown>>

const MOST_OUTPUT_TOKENS = 2048
const MOST_ANSWER_BYTES = 256 * 1024
const RETRY_PAUSE_MS = 500
/** A provider that asks for more is not waited for. */
const LONGEST_PAUSE_MS = 5_000
/** Both tries and the pause between, so that a request ends well within the platform's 150 s. */
const LONGEST_MS = 100_000

/**
 * Opens a model behind OpenAI's chat completions API.
 *
 * It is asked once more after a failure that may pass: no connection, no answer in time, 408, 409, 429 or 5xx. An
 * answer that came but cannot be used is not asked for again.
 */
export function languageModel(settings: LanguageModelSettings): AskModel {
  const client = new OpenAI({
    apiKey: settings.apiKey,
    baseURL: settings.baseUrl,
    maxRetries: 0,
    fetch: boundedFetch(MOST_ANSWER_BYTES),
    logLevel: 'off',
  })

  return async (transcript, previous) => {
    const request = {
      model: settings.model,
      messages: messagesFor(transcript, previous),
      response_format: zodResponseFormat(modelOutput, 'transcript_result'),
      max_completion_tokens: MOST_OUTPUT_TOKENS,
      store: false,
    }
    const end = performance.now() + LONGEST_MS
    const ask = async () => {
      const timeout = Math.ceil(Math.min(settings.timeoutMs, end - performance.now()))
      return readCompletion(await client.chat.completions.create(request, { timeout }))
    }
    try {
      return await ask()
    } catch (error) {
      const wait = isTransient(error) ? pauseAfter(error, settings.retryPauseMs ?? RETRY_PAUSE_MS) : Infinity
      if (wait > LONGEST_PAUSE_MS) throw failureOf(error)
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
    try {
      return await ask()
    } catch (error) {
      throw failureOf(error)
    }
  }
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof APIError) || error.cause instanceof AnswerTooLarge) return false
  return error.status === undefined || [408, 409, 429].includes(error.status) || error.status >= 500
}

/** Milliseconds that the provider asks to wait, else some time around the usual pause. */
function pauseAfter(error: unknown, usual: number): number {
  const headers = error instanceof APIError ? error.headers : undefined
  const millis = headers?.get('retry-after-ms')
  const after = headers?.get('retry-after')
  const asked = millis ? Number(millis) : after ? delayOf(after) : Number.NaN
  return asked >= 0 ? asked : usual * (0.5 + Math.random())
}

/** `Retry-After` in seconds or as a date. */
function delayOf(header: string): number {
  const seconds = Number(header)
  return Number.isNaN(seconds) ? Math.max(0, Date.parse(header) - Date.now()) : seconds * 1000
}

function failureOf(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  if (!(error instanceof APIError)) return new ModelFailure('no_answer')
  if (error.cause instanceof AnswerTooLarge) return new ModelFailure('answer_too_large')
  if (error.status !== undefined) return new ModelFailure('http_error', { status: error.status })
  return new ModelFailure(/timed out/i.test(error.message) ? 'timeout' : 'connection')
}
