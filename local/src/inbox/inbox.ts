import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'

export const newMessage = z.object({
  channel: z.enum(['email', 'sms']),
  to: z.string().min(1),
  from: z.string().default(''),
  subject: z.string().default(''),
  text: z.string().default(''),
  html: z.string().default(''),
})

const message = newMessage.extend({ id: z.string(), key: z.string().optional(), receivedAt: z.string() })

export type NewMessage = z.input<typeof newMessage>
export type Message = z.infer<typeof message>

/** Where mails and texts go. */
export interface MessageSink {
  add(message: NewMessage): Promise<Message>
}

/** The messages that the stack sent, newest last, in memory and as JSON lines in a file. */
export class Inbox implements MessageSink {
  readonly #path: string | undefined
  readonly #messages: Message[]
  #writes: Promise<void> = Promise.resolve()

  private constructor(path: string | undefined, messages: Message[]) {
    this.#path = path
    this.#messages = messages
  }

  /** @param path file that keeps the messages between starts; without it they live in memory only */
  static async open(path?: string): Promise<Inbox> {
    if (path === undefined) return new Inbox(undefined, [])
    await mkdir(dirname(path), { recursive: true })
    const content = await readFile(path, 'utf8').catch(() => '')
    if (content !== '' && !content.endsWith('\n')) await appendFile(path, '\n')
    const messages = content.split('\n').flatMap((line) => {
      try {
        return [message.parse(JSON.parse(line))]
      } catch {
        // An empty line, or one that a killed process left unfinished.
        return []
      }
    })
    return new Inbox(path, messages)
  }

  /** @param key idempotency key: a message that is already here under it is not added again */
  async add(added: NewMessage, key?: string): Promise<Message> {
    const known = key !== undefined && this.#messages.find((entry) => entry.key === key)
    if (known) return known
    const entry = { id: randomUUID(), key, receivedAt: new Date().toISOString(), ...newMessage.parse(added) }
    this.#messages.push(entry)
    await this.#write((path) => appendFile(path, `${JSON.stringify(entry)}\n`))
    return entry
  }

  /** Messages, newest first; only those to an address or number if one is given. */
  list(to?: string): Message[] {
    const wanted = to?.toLowerCase()
    return this.#messages
      .filter((entry) => wanted === undefined || entry.to.toLowerCase() === wanted)
      .reverse()
  }

  find(id: string): Message | undefined {
    return this.#messages.find((entry) => entry.id === id)
  }

  async clear(): Promise<void> {
    this.#messages.length = 0
    await this.#write((path) => writeFile(path, ''))
  }

  #write(write: (path: string) => Promise<void>): Promise<void> {
    const path = this.#path
    if (path === undefined) return Promise.resolve()
    const written = this.#writes.then(() => write(path))
    this.#writes = written.catch(() => {})
    return written
  }
}
