import { html } from 'hono/html'

/** What every state of the page has around it. */
export function frame(content: unknown, { signedIn }: { signedIn: boolean }) {
  return html`<a class="skip" href="#content">Skip to the content</a>
<header><p class="brand"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 13h4l2.5-7 5 12 2.5-5h4"/></svg>Student wellbeing</p>
${signedIn ? html`<form method="post"><input type="hidden" name="sign_out" value="1"><button class="quiet" type="submit">Sign out</button></form>` : ''}</header>
<main id="content">${content}</main>`
}
