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

/** What Twilio knows of a text, in its words. */
const twilioText = z.object({
  sid: z.string(),
  direction: z.enum(['outbound-api', 'outbound-reply', 'inbound']),
  status: z.enum(['queued', 'sent', 'delivered', 'undelivered', 'failed', 'received']),
  errorCode: z.number().int().optional(),
  statusCallback: z.string().optional(),
  /** A webhook that did not respond as it should. */
  warning: z.string().optional(),
})

const message = newMessage.extend({
  id: z.string(),
  key: z.string().optional(),
  receivedAt: z.string(),
  twilio: twilioText.optional(),
})

export type NewMessage = z.input<typeof newMessage>
export type Message = z.infer<typeof message>
export type TwilioText = z.infer<typeof twilioText>

/** Where mails and texts go. */
export interface MessageSink {
  add(message: NewMessage): Promise<Message>
}

/** The messages that the stack sent, and replies to them, newest last, in memory and as JSON lines in a file. */
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
    // A message that changed stands there again; the last one counts.
    const messages = new Map<string, Message>()
    for (const line of content.split('\n')) {
      try {
        const read = message.parse(JSON.parse(line))
        messages.set(read.id, read)
      } catch {
        // An empty line, or one that a killed process left unfinished.
      }
    }
    return new Inbox(path, [...messages.values()])
  }

  /** @param key idempotency key: a message that is already here under it is not added again */
  async add(added: NewMessage, key?: string, twilio?: TwilioText): Promise<Message> {
    const known = key !== undefined && this.#messages.find((entry) => entry.key === key)
    if (known) return known
    const receivedAt = new Date().toISOString()
    const entry = { id: randomUUID(), key, receivedAt, twilio, ...newMessage.parse(added) }
    this.#messages.push(entry)
    await this.#append(entry)
    return entry
  }

  /** Changes what Twilio knows of a text; without effect on a message that is none, or is gone. */
  async update(id: string, changes: Partial<TwilioText>): Promise<void> {
    const entry = this.find(id)
    if (!entry?.twilio) return
    entry.twilio = { ...entry.twilio, ...changes }
    await this.#append(entry)
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

  /** The texts to and from a phone, oldest first. */
  conversation(number: string): Message[] {
    return this.#messages.filter((entry) => phoneOf(entry) === number)
  }

  /** The phones that texts went to or came from, the latest conversation first, each with its last text. */
  phones(): Map<string, Message> {
    const phones = new Map<string, Message>()
    for (const entry of this.#messages.toReversed()) {
      const number = phoneOf(entry)
      if (number !== undefined && !phones.has(number)) phones.set(number, entry)
    }
    return phones
  }

  async clear(): Promise<void> {
    this.#messages.length = 0
    await this.#write((path) => writeFile(path, ''))
  }

  #append(entry: Message): Promise<void> {
    return this.#write((path) => appendFile(path, `${JSON.stringify(entry)}\n`))
  }

  #write(write: (path: string) => Promise<void>): Promise<void> {
    const path = this.#path
    if (path === undefined) return Promise.resolve()
    const written = this.#writes.then(() => write(path))
    this.#writes = written.catch(() => {})
    return written
  }
}

/** The number of the phone that a text is on; undefined for an email. */
export function phoneOf({ channel, from, to, twilio }: Message): string | undefined {
  if (channel !== 'sms') return undefined
  return twilio?.direction === 'inbound' ? from : to
}
