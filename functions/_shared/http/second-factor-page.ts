import { html } from 'hono/html'
import type { Database } from '../database.ts'
import type { Html } from './page.ts'

/** What an authenticator app is set up with: a picture to scan, or a text to type. */
type AppToAdd = { factorId: string; qrCode: string; secret: string }

/** What the page asks for: the code of an app, of one that is being set up, or to set one up. */
export type SecondFactorStep =
  | { step: 'code'; factorId?: string | undefined }
  | { step: 'new' }
  | { step: 'added'; app: AppToAdd }

/** Whether an account has to give the code of its app, or has none yet. */
export async function stepOf(database: Database, account: string): Promise<SecondFactorStep> {
  const [{ has_app }] = await database<[{ has_app: boolean }]>`
    select exists (select from auth.mfa_factors where user_id = ${account} and status = 'verified') as has_app`
  return { step: has_app ? 'code' : 'new' }
}

/** The form for the second factor, and why it is shown again. */
export function secondFactorForm(asked: SecondFactorStep, problem: string | null): Html {
  const shown = problem === null ? '' : html`<p class="problem" id="problem" role="alert">${problem}</p>`
  const describedBy = problem === null ? '' : html`aria-describedby="problem"`
  if (asked.step === 'new') {
    return html`<form class="card sign-in" method="post">
<h1>Second factor</h1>
<p class="note">Your account needs an authenticator app, which shows a new code every half minute.</p>
${shown}
<input type="hidden" name="set_up" value="1">
<button type="submit">Set up an app</button>
</form>`
  }
  const app = asked.step === 'added' ? asked.app : null
  const factorId = asked.step === 'added' ? asked.app.factorId : asked.factorId
  return html`<form class="card sign-in" method="post">
<h1>Second factor</h1>
${
  app === null
    ? ''
    : html`<p class="note">Scan the picture with your authenticator app, or type the key.</p>
<p><img src="${app.qrCode}" alt="Picture to scan; the key below says the same" width="200" height="200"></p>
<p><code>${app.secret}</code></p>`
}
${factorId === undefined ? '' : html`<input type="hidden" name="factor_id" value="${factorId}">`}
${shown}
<label for="code">Code of your authenticator app</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required ${describedBy}>
<button type="submit">Continue</button>
</form>`
}
