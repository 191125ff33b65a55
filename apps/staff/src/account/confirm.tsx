import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useBrandColor } from '../../../ui/brand.ts'
import { ButtonLink, Loaded, Screen } from '../../../ui/elements.tsx'
import { AccountField, Action, Form, LanguageChoice, type Typed } from '../../../ui/form.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { done, HERE, readConfiguration, useRead, useService } from '../../../ui/service.tsx'
import { stayActive } from '../idle.ts'
import { codeOf } from '../problems.ts'
import { CodeField, giveCode } from './code-field.tsx'
import { forgetMailLink, type MailLink, useMailLink } from './mail-link.ts'

/** What became of a link whose button was pressed. */
type Outcome = 'done' | 'half' | 'refused' | 'ended'

/**
 * Where the mails of Auth lead everybody, students too. Opening it takes nothing; a button does. The session
 * of a link is this screen's alone: whoever is signed in here stays, and what it is of is kept nowhere.
 */
export default function Confirm() {
  const link = useMailLink()
  if (link) return <Link key={link.token} link={link} />
  return (
    <>
      <Brand />
      <Screen title="link.gone">
        <P id="link.open-again" />
        <ButtonLink to="/" label="account.sign-in" />
      </Screen>
    </>
  )
}

/** Whose mail it is, where that is known. */
function Brand({ university }: { university?: string | undefined }) {
  const { t } = useTexts()
  return (
    <header>
      <strong>{[university, t('link.title')].filter(Boolean).join(' · ')}</strong>
    </header>
  )
}

function Link({ link }: { link: MailLink }) {
  const { api } = useService()
  const { token, type } = link
  const body = { token_hash: token, type, redirect_to: link.redirectTo }
  // Its answer is about what the link was before it was taken.
  const asked = useRead(['mail-link', token], () => done(api.POST('/api/auth/link', { body })), {
    staleTime: 'static',
    gcTime: 0,
  })
  useBrandColor(asked.data?.university?.color)
  const redirectTo = asked.data?.redirect_to
  return (
    <>
      <Brand university={asked.data?.university?.name} />
      {asked.data ? (
        <Known link={link} wayBack={redirectTo?.startsWith(HERE) ? null : (redirectTo ?? null)} />
      ) : (
        <Unknown asked={asked} />
      )}
    </>
  )
}

/** A link that leads nowhere, or of which it is not known yet where. */
function Unknown({ asked }: { asked: UseQueryResult<unknown> }) {
  const isGone = asked.error !== null && codeOf(asked.error) === 'not_found'
  return (
    <Screen key={String(isGone)} title={isGone ? 'link.gone' : 'link.title'}>
      {isGone ? <P id="link.gone-explanation" /> : <Loaded query={asked}>{() => null}</Loaded>}
      <LanguageChoice />
    </Screen>
  )
}

type KnownProps = { link: MailLink; wayBack: string | null }

function Known({ link, wayBack }: KnownProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [client] = useState(newLinkClient)
  const { type } = link
  const asksPassword = type === 'recovery' || type === 'invite'
  // A mail that signs somebody in to another app has a code for it: no token goes on in an address.
  const isCode = type === 'magiclink' && wayBack !== null
  if (outcome === null)
    return (
      <Screen key="open" title={`link.${type}`}>
        <P id={isCode ? 'link.magiclink-code' : `link.${type}-explanation`} />
        {isCode && <WayBack to={wayBack} />}
        {!isCode && asksPassword && <NewPassword link={link} client={client} onOutcome={setOutcome} />}
        {!isCode && !asksPassword && <Take link={link} client={client} onOutcome={setOutcome} />}
        <LanguageChoice />
      </Screen>
    )
  if (outcome !== 'done')
    return (
      <Screen key={outcome} title={`link.${outcome}`}>
        <P id={`link.${outcome}-explanation`} />
      </Screen>
    )
  return (
    <Screen key="done" title={`link.${type}-done`}>
      <P role="status" id={`link.${type}-next`} />
      {wayBack === null ? (
        <ButtonLink to="/" kind="primary" label="account.sign-in" />
      ) : (
        <WayBack to={wayBack} />
      )}
      {type === 'signup' && <OtherPassword client={client} />}
    </Screen>
  )
}

/** The way back to the app that asked for the mail: an address that the service allows. */
function WayBack({ to }: { to: string }) {
  const { t } = useTexts()
  return (
    <a className="button primary" href={to} rel="noreferrer">
      {t('link.to-app')}
    </a>
  )
}

type TakeProps = { link: MailLink; client: Promise<Client>; onOutcome: (outcome: Outcome) => void }

function Take({ link, client, onOutcome }: TakeProps) {
  const { auth } = useService().client
  async function take() {
    const taken = await takeLink(await client, link)
    if (taken === 'done' && link.type === 'magiclink') await signInHere()
    onOutcome(taken)
  }
  async function signInHere() {
    const { data } = await (await client).auth.getSession()
    if (!data.session) return
    await done(auth.setSession(data.session))
    // Not before: a tab that is locked would open for whoever was here.
    stayActive()
  }
  return <Action kind="primary" label={`link.${link.type}-button`} run={take} />
}

/** A new password, after a reset or an invitation: the link is taken once it is there, and tried again without it where it is too weak. */
function NewPassword({ link, client, onOutcome }: TakeProps) {
  const [isTaken, setIsTaken] = useState(false)
  const [needsCode, setNeedsCode] = useState(false)
  async function save(typed: Typed) {
    const linked = await client
    if (!isTaken) {
      const taken = await takeLink(linked, link)
      if (taken !== 'done') return onOutcome(taken)
      setIsTaken(true)
    }
    const saved = await savePassword(linked, typed, needsCode)
    if (saved === 'code') setNeedsCode(true)
    else onOutcome(saved)
  }
  return (
    <Form submit={`link.${link.type}-button`} onSubmit={save}>
      <AccountField is="new-password" maxLength={72} />
      <P className="muted" id="link.password-rule" />
      {needsCode && <P role="status" className="notice" id="link.code-needed" />}
      {needsCode && <CodeField />}
    </Form>
  )
}

/** After a sign-up: whoever does not know the password of the account, as somebody else made it, chooses one. */
function OtherPassword({ client }: { client: Promise<Client> }) {
  const { t } = useTexts()
  return (
    <details className="card">
      <summary>{t('link.choose')}</summary>
      <Form
        submit="link.save"
        done="link.recovery-done"
        onSubmit={async (typed) => savePassword(await client, typed, false)}
      >
        <P id="link.choose-explanation" />
        <AccountField is="new-password" maxLength={72} />
        <P className="muted" id="link.password-rule" />
      </Form>
    </details>
  )
}

type Client = Pick<SupabaseClient, 'auth'>

/** A client whose session is nobody's but this screen's. */
async function newLinkClient(): Promise<Client> {
  const { url, publishableKey } = await readConfiguration()
  const memory = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false }
  return createClient(url, publishableKey, { auth: { ...memory, storageKey: 'wellbeing.link' } })
}

async function takeLink({ auth }: Client, { token, type }: MailLink): Promise<Outcome> {
  const { data, error } = await auth.verifyOtp({ token_hash: token, type })
  if (!error) {
    forgetMailLink()
    // Of a change of address the first of two gives no session.
    return data.session || type !== 'email_change' ? 'done' : 'half'
  }
  if (error.code === 'otp_expired') return 'ended'
  if (error.status === 403 || error.status === 422) return 'refused'
  throw error
}

/** Gives the account of a session its new password, and ends the session. */
async function savePassword(
  client: Client,
  typed: Typed,
  hasCode: boolean,
): Promise<'done' | 'ended' | 'code'> {
  const { auth } = client
  if (hasCode) await giveCode(client, typed('code'))
  const { error } = await auth.updateUser({ password: typed('new-password') })
  // What somebody has already is what they chose.
  if (!error || error.code === 'same_password') {
    await auth.signOut({ scope: 'local' })
    return 'done'
  }
  if (error.code === 'insufficient_aal') return 'code'
  if (codeOf(error) === 'session_ended') return 'ended'
  throw error
}
