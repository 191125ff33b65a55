import { html } from 'hono/html'
import type { Message } from './inbox.ts'
import { type Content, linked, page, timeOf } from './layout.ts'
import { segmentsOf, type TwilioAccount } from './twilio/account.ts'
import { COMING_OUTCOMES, FINAL_OUTCOMES, type Outcome, writeOutcome } from './twilio/outcome.ts'

/** The phones that have texts. */
export function phonesPage(phones: Map<string, Message>, account: TwilioAccount | undefined) {
  const rows = [...phones].map(
    ([number, text]) => html`<li><a href="${addressOf(number)}"><span class="kind">Phone</span>
<span><span class="subject">${number}</span><br><span class="faint">${text.text.slice(0, 80)}</span></span>
<span class="faint">${timeOf(text)}</span></a></li>`,
  )
  return page(
    'Phones',
    html`<header><h1>Phones</h1><a href="/">All messages</a></header>
<main>${account ? comingForm('/phones/outcome', 'The next texts', account.outcome()) : ''}
${rows.length > 0 ? html`<ul aria-label="Phones">${rows}</ul>` : html`<p>No texts yet.</p>`}</main>`,
  )
}

/** One phone: its conversation, and what its owner and the network do. */
export function phonePage(number: string, texts: Message[], account: TwilioAccount | undefined) {
  const address = addressOf(number)
  const own = account?.ownOutcome(number)
  return page(
    number,
    html`<header><h1>${number}</h1><span><a href="${address}">Refresh</a> · <a href="/phones">Phones</a></span></header>
<main>${
      account
        ? html`${comingForm(`${address}/outcome`, 'The next texts to this phone', own ?? account.outcome(), own === undefined)}
${account.isBlocked(number) ? html`<p><strong>This phone has texted STOP.</strong> Twilio refuses texts to it until it texts START.</p>` : ''}`
        : ''
    }
${texts.length > 0 ? html`<ul class="phone" aria-label="Texts">${texts.map((text) => bubble(text, account))}</ul>` : html`<p>No texts yet.</p>`}
${
  account
    ? html`<form class="reply" method="post" action="${address}/replies"><input name="text" aria-label="Reply" placeholder="Reply, such as STOP" maxlength="1600" required autocomplete="off"><button>Send</button></form>`
    : html`<p class="faint">This stack carries no replies.</p>`
}</main>`,
  )
}

function bubble(message: Message, account: TwilioAccount | undefined) {
  const { id, text, twilio } = message
  const isFromPhone = twilio?.direction === 'inbound'
  const isAway = twilio && !isFromPhone && twilio.status !== 'delivered'
  const canDecide = account && (twilio?.status === 'queued' || twilio?.status === 'sent')
  const segments = segmentsOf(text)
  return html`<li class="${isFromPhone ? 'from' : ''} ${isAway ? 'away' : ''}"><div class="bubble">${linked(text)}</div>
<span class="faint">${timeOf(message)}${twilio && !isFromPhone ? ` · ${twilio.status}${twilio.errorCode ? ` (${twilio.errorCode})` : ''}` : ''}${segments > 1 ? ` · ${segments} segments` : ''}</span>
${twilio?.warning ? html`<p class="warning">${twilio.warning}</p>` : ''}${
  canDecide
    ? html`<form method="post" action="/messages/${id}/outcome">${select('What becomes of this text', FINAL_OUTCOMES)}<button>Decide</button></form>`
    : ''
}</li>`
}

function comingForm(action: string, label: string, set: Outcome, isDefault?: boolean) {
  const inherited = isDefault === undefined ? [] : [['', 'As for all phones'] as const]
  const chosen = isDefault ? '' : writeOutcome(set)
  return html`<form class="setting" method="post" action="${action}"><label>${label}: ${select(undefined, [...inherited, ...COMING_OUTCOMES], chosen)}</label><button>Set</button></form>`
}

function select(
  label: string | undefined,
  options: readonly (readonly [string, string])[],
  chosen?: string,
): Content {
  // One that was set through the API may be none of the list.
  const unlisted =
    chosen === undefined || options.some(([value]) => value === chosen) ? [] : [[chosen, chosen] as const]
  const rows = [...options, ...unlisted].map(
    ([value, name]) => html`<option value="${value}" ${value === chosen ? 'selected' : ''}>${name}</option>`,
  )
  return html`<select name="outcome" ${label ? html`aria-label="${label}"` : ''}>${rows}</select>`
}

function addressOf(number: string): string {
  return `/phones/${encodeURIComponent(number)}`
}
