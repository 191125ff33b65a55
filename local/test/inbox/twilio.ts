import { createServer } from 'node:http'
import twilio from 'twilio'
import { Inbox } from '../../src/inbox/inbox.ts'
import { type InboxServer, startInbox } from '../../src/inbox/server.ts'
import { TwilioAccount, type TwilioSettings } from '../../src/inbox/twilio/account.ts'

export const TOKEN = 'an-invented-token'
export const SENDER = '+15005550006'

/** A request to the product's webhooks. */
export type Heard = { path: string; fields: Record<string, string>; isSigned: boolean }

/** An inbox with an account, the product's side as the real library has it, and a server for its webhooks. */
export type TwilioSetup = {
  url: string
  inbox: Inbox
  account: TwilioAccount
  /** Twilio's own client. */
  client: ReturnType<typeof twilio>
  /** Where the product hears statuses and replies. */
  webhooks: string
  heard: Heard[]
  /** What the webhook for replies responds, as status and body. */
  respond: { status: number; body: string }
  /** Sends JSON to the inbox. */
  ask(method: string, path: string, body: unknown): Promise<Response>
  stop(): Promise<void>
}

export async function startTwilioSetup(
  settings: Partial<TwilioSettings> = {},
  path?: string,
): Promise<TwilioSetup> {
  const heard: Heard[] = []
  const respond = { status: 200, body: '<?xml version="1.0" encoding="UTF-8"?><Response></Response>' }
  let webhooks = ''
  const product = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const fields = Object.fromEntries(new URLSearchParams(body))
    const signature = String(request.headers['x-twilio-signature'])
    const isSigned = twilio.validateRequest(TOKEN, signature, `${webhooks}${request.url}`, fields)
    heard.push({ path: request.url ?? '', fields, isSigned })
    response.writeHead(respond.status, { 'content-type': 'text/xml' }).end(respond.body)
  })
  await new Promise<void>((resolve) => product.listen(0, '127.0.0.1', resolve))
  const address = product.address()
  webhooks = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

  const accountSid = `AC${'0'.repeat(32)}`
  const inbox = await Inbox.open()
  const account = await TwilioAccount.open(
    { accountSid, authToken: TOKEN, from: SENDER, webhook: `${webhooks}/texts`, ...settings },
    inbox,
    path,
  )
  const server: InboxServer = await startInbox({ port: 0, inbox, account })
  const url = `http://127.0.0.1:${server.port}`
  return {
    ...{ url, inbox, account, webhooks, heard, respond },
    client: clientOf(url, TOKEN),
    ask: (method, path, body) =>
      fetch(url + path, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async stop() {
      await server.stop()
      product.closeAllConnections()
      await new Promise((resolve) => product.close(resolve))
    },
  }
}

/** Twilio's own client of the account, or of another, at the inbox. */
export function clientOf(url: string, token: string, accountSid = `AC${'0'.repeat(32)}`) {
  const client = twilio(accountSid, token)
  client.api.baseUrl = url
  return client
}

let last = 0
/** A number that no other test texts. */
export function newPhone(): string {
  last += 1
  return `+1202555${String(100 + last).padStart(4, '0')}`
}
