import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as the provider received it. */
export type Received = {
  request: IncomingMessage
  path: string
  authorization: string | undefined
  body: RequestBody
}

export type RequestBody = {
  model: string
  messages: { role: string; content: string }[]
  max_completion_tokens: number
  store: boolean
  response_format: { type: string; json_schema: { strict: boolean; schema: Record<string, unknown> } }
}

/** How the provider responds to one request. */
export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void

export type FakeProvider = {
  baseUrl: string
  received: Received[]
  /** What it does with each request in turn, and with every one after the last. */
  behave(...behaviours: Behaviour[]): void
  stop(): Promise<void>
}

/** A model's result that needs no repair. */
export const GOOD = {
  text_score: 61.5,
  mood_score: null,
  uncertainty: 0.3,
  themes: ['exams', 'friends', 'sleep'],
  keywords: ['exam', 'library'],
  risk_level: 'none',
  direction_of_change: 'same',
  conversation_summary: 'You have a lot on before your exams. Your friends seem to carry you through it.',
  drivers_positive: ['time with friends'],
  drivers_negative: ['exam stress'],
}

/** A real HTTP server on 127.0.0.1 that speaks OpenAI's chat completions API, or fails to. */
export async function startProvider(port = 0): Promise<FakeProvider> {
  const received: Received[] = []
  let behaviours: Behaviour[] = [answers(GOOD)]
  let next = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { authorization } = request.headers
      const path = `${request.method} ${request.url}`
      received.push({ request, path, authorization, body: JSON.parse(body) })
      const behaviour = behaviours[Math.min(next++, behaviours.length - 1)]
      behaviour?.(response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    behave(...chosen) {
      behaviours = chosen
      next = 0
      received.length = 0
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Responds with a completion of this content; anything but a string is made JSON. */
export function answers(content: unknown, choice: Record<string, unknown> = {}): Behaviour {
  return says({
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: {
          role: 'assistant',
          content: typeof content === 'string' ? content : JSON.stringify(content),
          refusal: null,
        },
        ...choice,
      },
    ],
  })
}

/** Responds 200 with this body. */
export function says(body: unknown, contentType = 'application/json'): Behaviour {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (response) => response.writeHead(200, { 'content-type': contentType }).end(text)
}

/** Fails with an HTTP status, and with what OpenAI's API says of an error. */
export function fails(
  status: number,
  headers: Record<string, string> = {},
  error: { type?: string; code?: string } = {},
): Behaviour {
  return (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message: 'no', type: 'test', code: null, ...error } }))
}

/** Never responds. */
export const hangs: Behaviour = () => {}

/** Closes the connection without a response. */
export const resets: Behaviour = (response) => response.socket?.resetAndDestroy()

/** Closes the connection in the middle of a response. */
export const breaksOff: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
  response.write('{"choices": [', () => response.socket?.destroy())
}

/** Sends a byte at a time and never ends. */
export const drips: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}

/** Sends without end, as fast as it can. */
export const floods: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = ' '.repeat(64 * 1024)
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', pour)
  }
  pour()
}

/** Redirects the caller. */
export function redirects(to: string): Behaviour {
  return (response) => response.writeHead(307, { location: to }).end()
}
