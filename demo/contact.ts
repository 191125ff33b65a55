import type { Narrator } from './narrator.ts'

/** A mail or a text of the stack's inbox. */
type Message = { to: string; text: string; twilio?: { direction: string; status: string } }

/** North American areas; in each, the numbers 555 0100 to 555 0199 belong to nobody. */
const AREAS = [202, 212, 305, 312, 404, 415, 503, 512, 602, 617, 702, 713]

/**
 * A fictional number that the inbox has no texts for: what an earlier run replied holds for its numbers.
 *
 * @throws Error when the stack sends its texts to a provider outside
 */
export async function unusedPhone(inboxUrl: string): Promise<string> {
  for (;;) {
    const area = AREAS[Math.floor(Math.random() * AREAS.length)]
    const phone = `+1${area}55501${String(Math.floor(Math.random() * 100)).padStart(2, '0')}`
    const response = await fetch(`${inboxUrl}/api/phones/${encodeURIComponent(phone)}`)
    const { outcome, texts }: { outcome?: string; texts: Message[] } = await response.json()
    if (outcome === undefined) throw new Error('This stack sends its texts to a provider, not to the inbox.')
    if (texts.length === 0) return phone
  }
}

/** Somebody whom a student named: reads their mail, opens links, fills in forms and replies to texts, all as a person does. */
export class Contact {
  readonly id: string
  readonly name: string
  readonly phone: string
  readonly email: string
  readonly #inboxUrl: string
  readonly #narrator: Narrator
  /** What was read last. */
  #message = ''

  constructor(
    { id, name, phone, email }: { id: string; name: string; phone: string; email: string },
    inboxUrl: string,
    narrator: Narrator,
  ) {
    this.id = id
    this.name = name
    this.phone = phone
    this.email = email
    this.#inboxUrl = inboxUrl
    this.#narrator = narrator
  }

  /** Waits for the email that asks whether they agree, and reads it. */
  readMail(): Promise<string> {
    return this.#read(`The email to ${this.name}`, async () => {
      const [newest] = await messagesTo(this.#inboxUrl, this.email)
      return newest?.text
    })
  }

  /** Waits for another text than the last one, and reads it once it is known that it was delivered. */
  readText(words: string): Promise<string> {
    return this.#read(`The text to ${this.name} with "${words}"`, () => this.#newText(words))
  }

  /** Waits for such a text as well, and reads it beside the page that is open. */
  glanceAtText(words: string): Promise<string> {
    return this.#narrator.until(`The text to ${this.name} with "${words}"`, () => this.#newText(words))
  }

  async #newText(words: string): Promise<string | null> {
    const [newest] = await messagesTo(this.#inboxUrl, this.phone)
    const isNew = newest?.twilio?.status === 'delivered' && newest.text !== this.#message
    return isNew && newest.text.includes(words) ? newest.text : null
  }

  async #read(what: string, find: () => Promise<string | null | undefined>): Promise<string> {
    this.#message = await this.#narrator.until(what, find)
    return this.#message
  }

  /** How many texts with these words came to the phone; all without any. */
  async texts(words = ''): Promise<number> {
    const texts = await messagesTo(this.#inboxUrl, this.phone)
    return texts.filter(({ text }) => text.includes(words)).length
  }

  /** Opens the link of what was read last as a mail service does, before anybody reads it. */
  async scan(): Promise<void> {
    for (const method of ['HEAD', 'GET']) {
      const response = await fetch(linkIn(this.#message), { method })
      await response.body?.cancel()
    }
  }

  /** Opens the link of what was read last, as a browser does where a person taps it; returns the page's heading. */
  open(): Promise<string> {
    const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-user': '?1', 'user-agent': BROWSER }
    return headingOf(linkIn(this.#message), { headers })
  }

  /** Sends a form of the page behind that link; returns the heading of the page that follows. */
  submit(fields: Record<string, string>): Promise<string> {
    return headingOf(linkIn(this.#message), {
      method: 'POST',
      headers: { 'user-agent': BROWSER },
      body: new URLSearchParams(fields),
    })
  }

  /** Replies to the texts, as Twilio passes it on; returns the answers. */
  async reply(text: string): Promise<string[]> {
    const response = await fetch(`${this.#inboxUrl}/api/phones/${encodeURIComponent(this.phone)}/replies`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    })
    if (!response.ok) throw new Error(`The inbox took no reply: ${response.status} ${await response.text()}`)
    const { answers }: { answers: Message[] } = await response.json()
    return answers.map((answer) => answer.text)
  }
}

/** The messages to an address or a number, newest first. */
export async function messagesTo(inboxUrl: string, to: string): Promise<Message[]> {
  const response = await fetch(`${inboxUrl}/api/messages?to=${encodeURIComponent(to)}`)
  const { messages }: { messages: Message[] } = await response.json()
  return messages
}

const BROWSER =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'

/** The link of a message. */
function linkIn(message: string): string {
  const link = /https?:\/\/\S+\/buddy\/\S+/.exec(message)?.[0]
  if (link === undefined) throw new Error(`There is no link in: ${message}`)
  return link
}

async function headingOf(address: string, init: RequestInit): Promise<string> {
  const response = await fetch(address, init)
  const heading = /<h1>([^<]*)<\/h1>/.exec(await response.text())?.[1]
  if (heading === undefined)
    throw new Error(`No page came from ${new URL(address).pathname}: ${response.status}`)
  return heading
}
