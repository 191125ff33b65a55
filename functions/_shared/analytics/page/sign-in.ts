import { html } from 'hono/html'
import { frame } from './frame.ts'

/** The form to sign in with, and why it is there again. The address that was typed is kept. */
export function signInBody(problem: string | null = null, email = '') {
  return frame(
    html`<form class="card sign-in" method="post">
<h1>Sign in</h1>
<p class="note">For university administrators.</p>
${problem === null ? '' : html`<p class="problem" id="problem" role="alert">${problem}</p>`}
<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="254" required value="${email}" ${problem === null ? '' : html`aria-describedby="problem"`}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1000" required ${problem === null ? '' : html`aria-describedby="problem"`}>
<button type="submit">Sign in</button>
</form>`,
    { signedIn: false },
  )
}

/** A page that says one thing. */
export function noticeBody(heading: string, sentence: string, signedIn: boolean) {
  return frame(html`<section class="card notice"><h1>${heading}</h1><p>${sentence}</p></section>`, {
    signedIn,
  })
}
