import { createServer } from 'node:http'
import { Hono } from 'hono'
import { html, raw } from 'hono/html'
import { listen, sendResponse, stopServer, toRequest } from '../gateway/http.ts'
import { type Inbox, type Message, newMessage } from './inbox.ts'

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

const style = raw(`
:root { color-scheme: light dark; --ink: #1c1c1c; --faint: #5f6368; --line: #dfe1e5; --page: #fafafa; --card: #fff; --link: #0b57d0 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ededed; --faint: #a8abaf; --line: #3a3d41; --page: #171717; --card: #212121; --link: #8ab4f8 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main, header { max-width: 52rem; margin: 0 auto; padding: 1rem }
header { display: flex; align-items: center; justify-content: space-between; gap: 1rem }
h1 { font-size: 1.35rem; margin: 0 }
a { color: var(--link) }
ul { list-style: none; margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: .5rem }
li + li { border-top: 1px solid var(--line) }
li a { display: grid; grid-template-columns: 4rem 1fr auto; gap: .25rem 1rem; padding: .75rem 1rem; text-decoration: none; color: inherit }
li a:hover { background: color-mix(in srgb, var(--link) 8%, transparent) }
a:focus-visible, button:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
.kind { font-size: .75rem; font-weight: 600; text-transform: uppercase; color: var(--faint); padding-top: .25rem }
.faint, dt { color: var(--faint); font-size: .875rem }
.subject { font-weight: 600; overflow-wrap: anywhere }
button { font: inherit; padding: .4rem .9rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); color: inherit; cursor: pointer }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 1rem 0 } dd { margin: 0; overflow-wrap: anywhere }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; font: inherit }
iframe { width: 100%; height: 30rem; border: 1px solid var(--line); border-radius: .5rem; background: #fff }
`)

type Content = ReturnType<typeof html>

const page = (title: string, content: Content) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>${content}</body>
</html>`

const kindOf = ({ channel }: Message) => (channel === 'sms' ? 'Text' : 'Email')
const timeOf = ({ receivedAt }: Message) =>
  html`<time datetime="${receivedAt}">${receivedAt.slice(0, 19).replace('T', ' ')} UTC</time>`

const row = (message: Message) => html`<li><a href="/messages/${message.id}">
<span class="kind">${kindOf(message)}</span>
<span><span class="subject">${message.subject || message.text.slice(0, 80) || '(no subject)'}</span><br>
<span class="faint">to ${message.to}</span></span>
<span class="faint">${timeOf(message)}</span></a></li>`

/** All messages, newest first. */
export function listPage(messages: Message[], to?: string) {
  const content =
    messages.length === 0
      ? html`<p>Nothing yet. Emails and texts that this stack sends appear here.</p>`
      : html`<ul aria-label="Messages">${messages.map(row)}</ul>`
  return page(
    'Inbox',
    html`<header><h1>Inbox${to ? html` of ${to}` : ''}</h1>
<form method="post" action="/clear"><button>Delete all</button></form></header>
<main>${to ? html`<p><a href="/">All messages</a></p>` : ''}${content}</main>`,
  )
}

/** Plain text whose addresses can be followed. */
function linked(text: string) {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, i) => (i % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))
}

export function messagePage(message: Message) {
  const { subject, from, to, text } = message
  return page(
    subject || 'Message',
    html`<header><h1>${subject || kindOf(message)}</h1><a href="/">All messages</a></header>
<main>
<dl><dt>From</dt><dd>${from || '–'}</dd><dt>To</dt><dd><a href="/?to=${encodeURIComponent(to)}">${to}</a></dd>
<dt>Sent</dt><dd>${timeOf(message)}</dd></dl>
${message.html ? html`<iframe title="The message" src="/messages/${message.id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>` : ''}
${text ? html`<h2 class="faint">Plain text</h2><pre>${linked(text)}</pre>` : ''}
</main>`,
  )
}
