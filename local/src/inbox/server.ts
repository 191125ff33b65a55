import { createServer } from 'node:http'
import { Hono } from 'hono'
import { listen, sendResponse, stopServer, toRequest, toStreamedRequest } from '../http/node.ts'
import { type Inbox, newMessage } from './inbox.ts'
import { pagePolicy } from './layout.ts'
import { listPage, messagePage } from './pages.ts'
import { phoneRoutes } from './phones.ts'
import { siteverify } from './siteverify.ts'
import type { TwilioAccount } from './twilio/account.ts'
import { type Connection, twilioApi } from './twilio/api.ts'

export interface InboxServer {
  port: number
  stop(): Promise<void>
}

// A message's own HTML runs no scripts and loads nothing from elsewhere.
const messagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data: cid:; base-uri 'none'"

function inboxApp(inbox: Inbox, account: TwilioAccount | undefined) {
  const app = new Hono<Connection>()
  app.get('/', (c) => {
    c.header('content-security-policy', pagePolicy)
    const to = c.req.query('to')
    return c.html(listPage(inbox.list(to), to))
  })
  app.get('/messages/:id', (c) => {
    const message = inbox.find(c.req.param('id'))
    if (!message) return c.text('There is no such message.', 404)
    c.header('content-security-policy', pagePolicy)
    return c.html(messagePage(message))
  })
  app.get('/messages/:id/html', (c) => {
    const message = inbox.find(c.req.param('id'))
    if (!message?.html) return c.text('There is no such message.', 404)
    c.header('content-security-policy', messagePolicy)
    // The frame's links open in a tab of their own.
    return c.html(`<base target="_blank">${message.html}`)
  })
  app.post('/clear', async (c) => {
    await inbox.clear()
    return c.redirect('/', 303)
  })

  app.get('/api/messages', (c) => c.json({ messages: inbox.list(c.req.query('to')) }))
  app.get('/api/messages/:id', (c) => {
    const message = inbox.find(c.req.param('id'))
    return message ? c.json(message) : c.json({ error: 'There is no such message.' }, 404)
  })
  app.delete('/api/messages', async (c) => {
    await inbox.clear()
    return c.body(null, 204)
  })
  app.post('/api/messages', async (c) => {
    const parsed = newMessage.safeParse(await c.req.json().catch(() => null))
    if (!parsed.success) return c.json({ error: parsed.error.issues[0]?.message ?? 'invalid message' }, 400)
    return c.json(await inbox.add(parsed.data, c.req.header('idempotency-key')), 201)
  })
  // As the providers of captchas check a token, for functions that do it themselves.
  for (const path of ['/turnstile/v0/siteverify', '/siteverify']) {
    app.post(path, async (c) => {
      const { secret, response } = await c.req.parseBody()
      return c.json(siteverify(String(secret ?? ''), String(response ?? '')))
    })
  }
  app.route('/', phoneRoutes(inbox, account))
  if (account) app.route('/', twilioApi(account))
  return app
}

/**
 * Serves the inbox: pages for people, `/api/messages` for tests and for what sends messages.
 *
 * @param account whose texts it carries, as Twilio's API; without it texts come as messages do, and nobody replies
 */
export async function startInbox({
  port,
  inbox,
  account,
}: {
  port: number
  inbox: Inbox
  account?: TwilioAccount | undefined
}): Promise<InboxServer> {
  const app = inboxApp(inbox, account)
  const server = createServer(async (message, response) => {
    const connection = { hangUp: () => void response.socket?.destroy() }
    sendResponse(
      await app.fetch(toRequest(toStreamedRequest(message, response, 'http://localhost')), connection),
      response,
    )
  })
  const listeningPort = await listen(server, port)
  return {
    port: listeningPort,
    async stop() {
      await account?.stop()
      await stopServer(server)
    },
  }
}
