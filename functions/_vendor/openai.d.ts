/** The part of OpenAI's client that the pipeline calls; see vendor/openai.ts. */
import type { z } from 'zod'

/** An unsuccessful response; `status` is missing when there was no response. */
export class APIError extends Error {
  readonly status: number | undefined
  readonly code: string | null | undefined
  readonly type: string | undefined
  readonly headers: Headers | undefined
}

export function toFile(content: Uint8Array, name: string, options?: { type?: string }): Promise<File>

/** A JSON schema that the response must match. */
export interface ResponseFormat {
  type: 'json_schema'
}

export function zodResponseFormat(schema: z.ZodType, name: string): ResponseFormat

export interface RequestOptions {
  signal?: AbortSignal
  /** Milliseconds. */
  timeout?: number
  maxRetries?: number
  /** Further headers of the request. */
  headers?: Record<string, string | undefined>
}

export interface ChatRequest {
  model: string
  messages: { role: 'system' | 'developer' | 'user' | 'assistant'; content: string }[]
  temperature?: number
  seed?: number
  max_completion_tokens?: number
  /** `false`: the provider keeps no copy. */
  store?: boolean
  /** The format to request; the caller parses the response. */
  response_format?: ResponseFormat
}

export interface ChatMessage {
  content: string | null
  refusal: string | null
}

export interface ChatCompletion {
  model: string
  choices: { finish_reason: string; message: ChatMessage }[]
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
}

export default class OpenAI {
  constructor(options: {
    apiKey: string
    baseURL?: string
    /** Milliseconds. */
    timeout?: number
    maxRetries?: number
    fetch?: typeof fetch
    /** `off`: the client writes nothing to the log, whatever OPENAI_LOG says. */
    logLevel?: 'off' | 'error' | 'warn'
  })

  readonly audio: {
    transcriptions: {
      create(
        request: { file: File; model: string; language?: string; prompt?: string },
        options?: RequestOptions,
      ): Promise<{ text: string }>
    }
  }

  readonly chat: {
    completions: {
      create(request: ChatRequest, options?: RequestOptions): Promise<ChatCompletion>
    }
  }
}
