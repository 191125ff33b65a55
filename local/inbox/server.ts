import { createServer } from 'node:http'
import { Hono } from 'hono'
import { listen, stopServer } from '../gateway/listen.ts'
import { sendResponse, toRequest } from '../gateway/node-adapter.ts'
import { type Inbox, newMessage } from './inbox.ts'
import { listPage, messagePage } from './pages.ts'

export interface InboxServer {
  port: number
  stop(): Promise<void>
}

// A message's own HTML runs no scripts and loads nothing from elsewhere.
const messagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data: cid:; base-uri 'none'"
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'self'; base-uri 'none'"

function inboxApp(inbox: Inbox) {
  const app = new Hono()
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
  return app
}

/** Serves the inbox: pages for people, `/api/messages` for tests and for what sends messages. */
export async function startInbox({ port, inbox }: { port: number; inbox: Inbox }): Promise<InboxServer> {
  const app = inboxApp(inbox)
  const server = createServer(async (message, response) => {
    await sendResponse(await app.fetch(toRequest(message, response, 'http://localhost')), response)
  })
  const listeningPort = await listen(server, port)
  return { port: listeningPort, stop: () => stopServer(server) }
}
