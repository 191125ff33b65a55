import { type Context, Hono } from 'hono'
import { z } from 'zod'
import type { Inbox } from './inbox.ts'
import { pagePolicy } from './layout.ts'
import { phonePage, phonesPage } from './phone-pages.ts'
import type { TwilioAccount } from './twilio/account.ts'
import { E164 } from './twilio/api.ts'
import { outcome, writeOutcome } from './twilio/outcome.ts'

const phone = z.string().regex(E164, 'A number in E.164 is needed, such as +12025550100')
const reply = z.object({ text: z.string().trim().min(1).max(1600) })
const coming = z.object({
  outcome: z
    .literal(['', null])
    .transform(() => null)
    .or(outcome),
})
const decided = z.object({
  outcome: outcome.refine((set) => set.kind === 'deliver' || set.kind === 'fail', 'deliver or fail:<code>'),
})

/** Pages and JSON in which a person, or a test, is the owner of the phones and the network. */
export function phoneRoutes(inbox: Inbox, account: TwilioAccount | undefined) {
  const app = new Hono()
  app.get('/phones', (c) => {
    c.header('content-security-policy', pagePolicy)
    return c.html(phonesPage(inbox.phones(), account))
  })
  app.get('/phones/:number', (c) => {
    c.header('content-security-policy', pagePolicy)
    const number = c.req.param('number')
    return c.html(phonePage(number, inbox.conversation(number), account))
  })
  app.get('/api/phones/:number', (c) => {
    const number = c.req.param('number')
    const state = account && {
      blocked: account.isBlocked(number),
      outcome: writeOutcome(account.outcome(number)),
    }
    return c.json({ number, ...state, texts: inbox.conversation(number) })
  })
  if (!account) return app

  /** Sets what becomes of the next texts, and says how that went, to a page's form or to a program. */
  const set = async (c: Context, number?: string) => {
    const { outcome } = coming.parse(await fieldsOf(c))
    await account.setOutcome(outcome, number === undefined ? undefined : phone.parse(number))
  }
  app.put('/api/outcome', async (c) => {
    await set(c)
    return c.body(null, 204)
  })
  app.put('/api/phones/:number/outcome', async (c) => {
    await set(c, c.req.param('number'))
    return c.body(null, 204)
  })
  app.post('/phones/outcome', async (c) => {
    await set(c)
    return c.redirect('/phones', 303)
  })
  app.post('/phones/:number/outcome', async (c) => {
    await set(c, c.req.param('number'))
    return c.redirect(`/phones/${encodeURIComponent(c.req.param('number'))}`, 303)
  })

  app.post('/api/phones/:number/replies', async (c) => {
    const { text } = reply.parse(await fieldsOf(c))
    return c.json(await account.reply(phone.parse(c.req.param('number')), text), 201)
  })
  app.post('/phones/:number/replies', async (c) => {
    const number = phone.parse(c.req.param('number'))
    await account.reply(number, reply.parse(await fieldsOf(c)).text)
    return c.redirect(`/phones/${encodeURIComponent(number)}`, 303)
  })

  const decide = async (c: Context, id: string) => {
    const { outcome } = decided.parse(await fieldsOf(c))
    return outcome.kind === 'deliver' || outcome.kind === 'fail' ? account.decide(id, outcome) : false
  }
  app.put('/api/messages/:id/outcome', async (c) => {
    if (await decide(c, c.req.param('id'))) return c.body(null, 204)
    return c.json({ error: 'There is no such text, or it is decided.' }, 409)
  })
  app.post('/messages/:id/outcome', async (c) => {
    const text = inbox.find(c.req.param('id'))
    await decide(c, c.req.param('id'))
    return c.redirect(text ? `/phones/${encodeURIComponent(text.to)}` : '/phones', 303)
  })
  app.onError((error, c) => {
    if (!(error instanceof z.ZodError)) throw error
    return c.json({ error: error.issues[0]?.message ?? 'invalid' }, 400)
  })
  return app
}

/** The fields of a form, or the JSON of a program. */
async function fieldsOf(c: Context): Promise<unknown> {
  if (c.req.header('content-type')?.startsWith('application/json')) return c.req.json().catch(() => null)
  return c.req.parseBody()
}
