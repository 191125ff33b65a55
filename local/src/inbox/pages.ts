import { html } from 'hono/html'
import type { Message } from './inbox.ts'
import { linked, page, timeOf } from './layout.ts'

const kindOf = ({ channel }: Message) => (channel === 'sms' ? 'Text' : 'Email')
const row = (message: Message) => html`<li><a href="/messages/${message.id}">
<span class="kind">${kindOf(message)}</span>
<span><span class="subject">${message.subject || message.text.slice(0, 80) || '(no subject)'}</span><br>
<span class="faint">${message.twilio?.direction === 'inbound' ? `from ${message.from}` : `to ${message.to}`}</span></span>
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
<main><p>${to ? html`<a href="/">All messages</a> · ` : ''}<a href="/phones">Phones</a></p>${content}</main>`,
  )
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
