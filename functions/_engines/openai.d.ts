/** The part of OpenAI's client that the pipeline calls; see engines/openai.ts. */
import type { z } from 'zod'

/** An answer that is not a success; `status` is missing when there was no answer. */
export class APIError extends Error {
  readonly status: number | undefined
  readonly code: string | null | undefined
  readonly type: string | undefined
  readonly headers: Headers | undefined
}

export function toFile(content: Uint8Array, name: string, options?: { type?: string }): Promise<File>

/** A JSON schema that the answer has to follow, and the reading of that answer. */
export interface ResponseFormat<Content> {
  type: 'json_schema'
  $parseRaw(content: string): Content
}

export function zodResponseFormat<Schema extends z.ZodType>(
  schema: Schema,
  name: string,
): ResponseFormat<z.infer<Schema>>

export interface RequestOptions {
  signal?: AbortSignal
  /** Milliseconds. */
  timeout?: number
  maxRetries?: number
}

export interface ChatRequest {
  model: string
  messages: { role: 'system' | 'developer' | 'user' | 'assistant'; content: string }[]
  temperature?: number
  seed?: number
  max_completion_tokens?: number
  /** `false`: the provider keeps no copy. */
  store?: boolean
  /** Only `parse` reads the answer by it; `create` asks for it and leaves the reading to its caller. */
  response_format?: ResponseFormat<unknown>
}

export interface ChatMessage {
  content: string | null
  refusal: string | null
}

export interface ChatCompletion<Message extends ChatMessage = ChatMessage> {
  model: string
  choices: { finish_reason: string; message: Message }[]
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
      /** As `create`, and reads the answer; throws when it was cut off. `parsed` is `null` after a refusal. */
      parse<Content>(
        request: ChatRequest & { response_format: ResponseFormat<Content> },
        options?: RequestOptions,
      ): Promise<ChatCompletion<ChatMessage & { parsed: Content | null }>>
    }
  }
}
