import type * as z from 'zod'
import OpenAI, { APIError, zodResponseFormat } from '../../_vendor/openai.js'
import { traceHeaders } from '../log.ts'
import { crisisOutput } from './crisis-output.ts'
import { ModelFailure, modelOutput, type ReadCompletion, readCompletion } from './model-output.ts'
import { crisisMessagesFor, messagesFor, type Previous } from './prompt.ts'
import { refusesService } from './provider-errors.ts'

/** How to reach the provider. */
export type LanguageModelSettings = {
  apiKey: string
  baseUrl: string | undefined
  model: string
  /** For each of the two attempts, milliseconds. */
  timeoutMs: number
  /** Pause before the second attempt where the provider names none, milliseconds. */
  retryPauseMs?: number
}

/** Reads a transcript; returns the fields as the model gave them. Throws `ModelFailure` and nothing else. */
export type AskModel = (transcript: string, previous: Previous) => Promise<Record<string, unknown>>

/** Reads a transcript for a crisis and nothing else; returns the answer as the model gave it. Throws `ModelFailure` and nothing else. */
export type AskForCrisis = (transcript: string) => Promise<string>

/** Is told of each request of a model that failed for good; never throws. */
export type ReportFailure = (failure: ModelFailure) => Promise<void>

const MAX_OUTPUT_TOKENS = 2048
const MAX_RESPONSE_BYTES = 256 * 1024
const RETRY_PAUSE_MS = 500
/** A provider that asks for a longer pause is not retried. */
const LONGEST_PAUSE_MS = 5_000
/** Both attempts and the pause between, so that a request ends well within the platform's 150 s. */
const LONGEST_MS = 100_000
/** The same where a job of the pipeline waits, so that it ends within its lease of 20 s. */
const LONGEST_CRISIS_MS = 14_000

/** A model behind OpenAI's chat completions API that describes a student's wellbeing. */
export function languageModel(settings: LanguageModelSettings, report: ReportFailure): AskModel {
  const question = { name: 'transcript_result', output: modelOutput, longestMs: LONGEST_MS }
  const ask = asker(settings, question, report)
  return async (transcript, previous) => (await ask(messagesFor(transcript, previous))).fields
}

/** The same model, asked for a crisis and nothing else, within 14 s. */
export function crisisReader(settings: LanguageModelSettings, report: ReportFailure): AskForCrisis {
  const question = { name: 'crisis_reading', output: crisisOutput, longestMs: LONGEST_CRISIS_MS }
  const ask = asker(settings, question, report)
  return async (transcript) => (await ask(crisisMessagesFor(transcript))).answer
}

type Messages = ReturnType<typeof messagesFor>

/**
 * Asks for output of a strict schema. A request is retried once after a failure that may be transient: no connection, no response in time, 408, 409, 429 or
 * 5xx. A response that cannot be used is not retried, nor is a provider that refuses the service, as where its account has nothing left.
 */
function asker(
  settings: LanguageModelSettings,
  { name, output, longestMs }: { name: string; output: z.ZodObject; longestMs: number },
  report: ReportFailure,
): (messages: Messages) => Promise<ReadCompletion> {
  const expected = Object.keys(output.shape)
  const client = new OpenAI({
    apiKey: settings.apiKey,
    baseURL: settings.baseUrl,
    maxRetries: 0,
    fetch: boundedFetch(MAX_RESPONSE_BYTES),
    logLevel: 'off',
  })

  return async (messages) => {
    const request = {
      model: settings.model,
      messages,
      response_format: zodResponseFormat(output, name),
      max_completion_tokens: MAX_OUTPUT_TOKENS,
      store: false,
    }
    const end = performance.now() + longestMs
    const ask = async () => {
      const timeout = Math.ceil(Math.min(settings.timeoutMs, end - performance.now()))
      return readCompletion(
        await client.chat.completions.create(request, { timeout, headers: traceHeaders() }),
        expected,
      )
    }
    try {
      return await ask().catch(async (error: unknown) => {
        const wait = isTransient(error)
          ? pauseAfter(error, settings.retryPauseMs ?? RETRY_PAUSE_MS)
          : Infinity
        if (wait > LONGEST_PAUSE_MS || performance.now() + wait >= end) throw error
        await new Promise((resolve) => setTimeout(resolve, wait))
        return ask()
      })
    } catch (error) {
      const failure = failureOf(error)
      await report(failure)
      throw failure
    }
  }
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof APIError) || error.cause instanceof ResponseTooLarge || refusesService(error))
    return false
  return error.status === undefined || [408, 409, 429].includes(error.status) || error.status >= 500
}

/** Milliseconds that the provider asks to wait, else the usual pause with jitter. */
function pauseAfter(error: unknown, usual: number): number {
  const headers = error instanceof APIError ? error.headers : undefined
  const millis = headers?.get('retry-after-ms')
  const after = headers?.get('retry-after')
  const requested = millis ? Number(millis) : after ? delayOf(after) : Number.NaN
  return requested >= 0 ? requested : usual * (0.5 + Math.random())
}

/** `Retry-After` in seconds or as a date. */
function delayOf(header: string): number {
  const seconds = Number(header)
  return Number.isNaN(seconds) ? Math.max(0, Date.parse(header) - Date.now()) : seconds * 1000
}

function failureOf(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  if (!(error instanceof APIError)) return new ModelFailure('no_response')
  if (error.cause instanceof ResponseTooLarge) return new ModelFailure('response_too_large')
  const { status, code } = error
  if (status !== undefined) {
    const providerCode = typeof code === 'string' && /^[a-z_]{1,60}$/.test(code) ? { providerCode: code } : {}
    return new ModelFailure(refusesService(error) ? 'provider_refused' : 'http_error', {
      status,
      ...providerCode,
    })
  }
  return new ModelFailure(/timed out/i.test(error.message) ? 'timeout' : 'connection')
}

/** The provider's response is longer than any valid one. */
class ResponseTooLarge extends Error {}

/**
 * A `fetch` that resolves when the whole body has been read, so that its caller's time limit covers the body too, and that
 * rejects with `ResponseTooLarge` when it is over `maxBytes`. Redirects fail: the transcript goes to the provider only.
 */
function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' })
    const chunks: Uint8Array<ArrayBuffer>[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      if (size > maxBytes) throw new ResponseTooLarge('The response is too large')
      chunks.push(chunk)
    }
    const { status, headers } = response
    return new Response(size > 0 ? new Blob(chunks) : null, { status, headers })
  }
}
