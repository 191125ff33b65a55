import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { Inbox, Message, TwilioText } from '../inbox.ts'
import { ANSWERS, type OptOutType, optOutTypeOf } from './keywords.ts'
import { type Outcome, outcome, writeOutcome } from './outcome.ts'
import { callWebhook, messagesOf } from './webhook.ts'

/** An account at Twilio that does not exist, whose texts go to the inbox. */
export type TwilioSettings = {
  accountSid: string
  authToken: string
  /** Number of the sender (E.164), or a messaging service's SID. */
  from: string
  /** Address that hears the replies. */
  webhook: string
  /**
   * Who hears STOP, START and HELP. `twilio`, the default: Twilio confirms them and blocks the number, as its numbers do;
   * `advanced`: and names them in `OptOutType`, as a messaging service with Advanced Opt-Out does; `none`: only the webhook.
   */
  optOut?: 'twilio' | 'advanced' | 'none' | undefined
}

/** A text that the API has taken, or asks to be sent. */
export type NewText = { to: string; body: string; statusCallback: string | undefined }

const state = z.object({
  outcome: outcome.optional(),
  phones: z.record(z.string(), outcome).default({}),
  blocked: z.array(z.string()).default([]),
})

/** The number that a messaging service sends from, and that stands for the sender otherwise: Twilio's own for tests. */
export const TEST_NUMBER = '+15005550006'

/** Texts as Twilio carries them: statuses and replies are told to the webhooks, signed, in the background. */
export class TwilioAccount {
  readonly settings: TwilioSettings
  readonly #inbox: Inbox
  readonly #path: string | undefined
  readonly #outcomes: Map<string, Outcome>
  readonly #blocked: Set<string>
  #outcome: Outcome
  #saving: Promise<void> = Promise.resolve()
  readonly #underWay = new Set<Promise<void>>()
  readonly #stopping = new AbortController()

  private constructor(
    settings: TwilioSettings,
    inbox: Inbox,
    path: string | undefined,
    kept: z.infer<typeof state>,
  ) {
    this.settings = settings
    this.#inbox = inbox
    this.#path = path
    this.#outcome = kept.outcome ?? { kind: 'deliver' }
    this.#outcomes = new Map(Object.entries(kept.phones))
    this.#blocked = new Set(kept.blocked)
  }

  /** @param path file that keeps what is set, and who is blocked, between starts; without it they live in memory only */
  static async open(settings: TwilioSettings, inbox: Inbox, path?: string): Promise<TwilioAccount> {
    if (path === undefined) return new TwilioAccount(settings, inbox, path, state.parse({}))
    await mkdir(dirname(path), { recursive: true })
    const kept = await readFile(path, 'utf8')
      .then(JSON.parse)
      .catch(() => ({}))
    return new TwilioAccount(settings, inbox, path, state.catch(state.parse({})).parse(kept))
  }

  /** The number that texts come from. */
  get number(): string {
    return this.messagingServiceSid ? TEST_NUMBER : this.settings.from
  }

  get messagingServiceSid(): string | undefined {
    return this.settings.from.startsWith('MG') ? this.settings.from : undefined
  }

  /** Whether a phone has texted STOP and not START since. */
  isBlocked(phone: string): boolean {
    return this.#blocked.has(phone)
  }

  /** What becomes of the next texts, of one phone or of all that have nothing of their own. */
  outcome(phone?: string): Outcome {
    return (phone !== undefined && this.#outcomes.get(phone)) || this.#outcome
  }

  /** What is set for one phone alone. */
  ownOutcome(phone: string): Outcome | undefined {
    return this.#outcomes.get(phone)
  }

  /** @param set null: the phone has nothing of its own any more; for all: they arrive */
  async setOutcome(set: Outcome | null, phone?: string): Promise<void> {
    if (phone === undefined) this.#outcome = set ?? { kind: 'deliver' }
    else if (set === null) this.#outcomes.delete(phone)
    else this.#outcomes.set(phone, set)
    await this.#save()
  }

  /** Takes a text to send; the rest happens in the background. */
  async send({ to, body, statusCallback }: NewText): Promise<Message> {
    const text = await this.#add(to, body, { direction: 'outbound-api', status: 'queued', statusCallback })
    this.#carry(text, this.outcome(to))
    return text
  }

  /** Decides what becomes of a text that was sent. False when that is decided, or there is no such text. */
  async decide(id: string, decided: Extract<Outcome, { kind: 'deliver' | 'fail' }>): Promise<boolean> {
    const status = this.#inbox.find(id)?.twilio?.status
    if (status !== 'queued' && status !== 'sent') return false
    if (decided.kind === 'deliver') await this.#setStatus(id, { status: 'delivered' })
    else await this.#setStatus(id, { status: 'undelivered', errorCode: decided.code })
    return true
  }

  /**
   * A text from a phone: tells the webhook, and sends what it responds. Resolves once it has, with the text and the answers.
   */
  async reply(phone: string, body: string): Promise<{ text: Message; answers: Message[] }> {
    const message = { channel: 'sms', from: phone, to: this.number, text: body } as const
    const sid = newSid()
    const text = await this.#inbox.add(message, undefined, { sid, direction: 'inbound', status: 'received' })
    const optOutType = this.settings.optOut === 'none' ? undefined : optOutTypeOf(body)
    const answers = optOutType ? await this.#hear(phone, optOutType) : []
    const named = this.settings.optOut === 'advanced' ? optOutType : undefined
    const called = await this.#call(this.settings.webhook, {
      ...{ SmsMessageSid: sid, SmsStatus: 'received', NumMedia: '0' },
      ...{ NumSegments: String(segmentsOf(body)), Body: body },
      ...this.#common({ sid, from: phone, to: this.number }),
      ...(named && { OptOutType: named }),
    })
    const replies = called.ok ? messagesOf(called.body) : []
    const warning = called.problem ?? (replies ? undefined : `No TwiML: ${called.body.slice(0, 200)}`)
    if (warning) await this.#inbox.update(text.id, { warning })
    for (const reply of replies ?? []) answers.push(await this.#answer(phone, reply))
    return { text, answers }
  }

  /** Breaks off what is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#underWay)
    await this.#saving
  }

  /** What the network does on a keyword: it confirms what has changed. */
  async #hear(phone: string, optOutType: OptOutType): Promise<Message[]> {
    const wasBlocked = this.isBlocked(phone)
    if (optOutType === 'STOP') this.#blocked.add(phone)
    if (optOutType === 'START') this.#blocked.delete(phone)
    await this.#save()
    if (wasBlocked !== (optOutType === 'START')) return []
    return [await this.#add(phone, ANSWERS[optOutType], { direction: 'outbound-reply', status: 'delivered' })]
  }

  /** Sends what a webhook responded. */
  async #answer(phone: string, body: string): Promise<Message> {
    const next = this.outcome(phone)
    const refused = this.isBlocked(phone) ? 21610 : next.kind === 'refuse' ? next.code : undefined
    const status = refused === undefined ? 'queued' : 'failed'
    const text = await this.#add(phone, body, { direction: 'outbound-reply', status, errorCode: refused })
    if (refused === undefined) this.#carry(text, next)
    return text
  }

  #add(phone: string, body: string, twilio: Omit<TwilioText, 'sid'>): Promise<Message> {
    const message = { channel: 'sms', from: this.number, to: phone, text: body } as const
    return this.#inbox.add(message, undefined, { sid: newSid(), ...twilio })
  }

  #carry(text: Message, next: Outcome): void {
    const carried = this.#setStatus(text.id, { status: 'sent' }).then(async () => {
      if (next.kind === 'deliver' || next.kind === 'no-response')
        await this.decide(text.id, { kind: 'deliver' })
      if (next.kind === 'fail') await this.decide(text.id, next)
    })
    this.#underWay.add(carried)
    void carried.finally(() => this.#underWay.delete(carried))
  }

  async #setStatus(id: string, changes: Pick<TwilioText, 'status' | 'errorCode'>): Promise<void> {
    const text = this.#inbox.find(id)
    if (!text?.twilio) return
    const { sid, statusCallback } = text.twilio
    await this.#inbox.update(id, changes)
    if (statusCallback === undefined) return
    const { status, errorCode } = changes
    const { problem } = await this.#call(statusCallback, {
      ...{ MessageStatus: status, SmsStatus: status },
      ...(errorCode !== undefined && { ErrorCode: String(errorCode) }),
      ...this.#common({ sid, from: this.number, to: text.to }),
    })
    if (problem) await this.#inbox.update(id, { warning: problem })
  }

  /** The fields of every webhook of Twilio. */
  #common({ sid, from, to }: { sid: string; from: string; to: string }): Record<string, string> {
    return {
      ...{ MessageSid: sid, SmsSid: sid, AccountSid: this.settings.accountSid, ApiVersion: '2010-04-01' },
      ...{ From: from, To: to },
      ...(this.messagingServiceSid && { MessagingServiceSid: this.messagingServiceSid }),
    }
  }

  #call(url: string, fields: Record<string, string>) {
    return callWebhook(url, fields, { authToken: this.settings.authToken, signal: this.#stopping.signal })
  }

  #save(): Promise<void> {
    const path = this.#path
    if (path === undefined) return Promise.resolve()
    const phones = Object.fromEntries([...this.#outcomes].map(([phone, set]) => [phone, writeOutcome(set)]))
    const kept = { outcome: writeOutcome(this.#outcome), phones, blocked: [...this.#blocked] }
    const saved = this.#saving.then(() => writeFile(path, `${JSON.stringify(kept, null, 2)}\n`))
    this.#saving = saved.catch(() => {})
    return saved
  }
}

function newSid(): string {
  return `SM${randomBytes(16).toString('hex')}`
}

/** Characters of the basic set of GSM 03.38, and those that count twice in it. */
const GSM = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/
const GSM_TWICE = /[\^{}\\[~\]|€]/g

/** How many messages of the network a text takes. */
export function segmentsOf(text: string): number {
  const isGsm = GSM.test(text)
  const length = text.length + (isGsm ? (text.match(GSM_TWICE)?.length ?? 0) : 0)
  const [single, part] = isGsm ? [160, 153] : [70, 67]
  return length <= single ? 1 : Math.ceil(length / part)
}
