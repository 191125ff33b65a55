import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AuthSettings, MailSender } from '../config.ts'
import type { MessageSink } from '../inbox/inbox.ts'
import { parseTemplate, type TemplateValues, textOf } from './go-template.ts'

type MailSource = AuthSettings['email']['template'][string]

export type MailKind =
  | 'confirmation'
  | 'recovery'
  | 'magic_link'
  | 'email_change'
  | 'invite'
  | 'reauthentication'

/** What somebody is told after it happened, where `[auth.email.notification]` has it on. */
export type NotificationKind =
  | 'password_changed'
  | 'email_changed'
  | 'mfa_factor_enrolled'
  | 'mfa_factor_unenrolled'

interface MailText {
  subject: string
  title: string
  sentence: string
  button?: string
}

const texts: Record<MailKind, MailText> = {
  confirmation: {
    subject: 'Confirm Your Signup',
    title: 'Confirm your signup',
    sentence: 'Follow this link to confirm your account:',
    button: 'Confirm your email',
  },
  recovery: {
    subject: 'Reset Your Password',
    title: 'Reset your password',
    sentence: 'Follow this link to choose a new password:',
    button: 'Reset password',
  },
  magic_link: {
    subject: 'Your Magic Link',
    title: 'Sign in',
    sentence: 'Follow this link to sign in:',
    button: 'Sign in',
  },
  email_change: {
    subject: 'Confirm Email Change',
    title: 'Confirm the change of your email address',
    sentence: 'Follow this link to change your address from {{ .Email }} to {{ .NewEmail }}:',
    button: 'Change email',
  },
  invite: {
    subject: 'You have been invited',
    title: 'You have been invited',
    sentence: 'Follow this link to accept the invitation:',
    button: 'Accept the invitation',
  },
  reauthentication: {
    subject: 'Confirm Reauthentication',
    title: 'Confirm it is you',
    sentence: 'Enter this code:',
  },
}

const defaultHtml = ({ title, sentence, button }: MailText) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body style="font-family:sans-serif;line-height:1.5;color:#1c1c1c;max-width:36rem;margin:2rem auto;padding:0 1rem">
<h1 style="font-size:1.4rem">${title}</h1>
<p>${sentence}</p>
${button ? `<p><a href="{{ .ConfirmationURL }}">${button}</a></p>\n<p>Or enter this code:</p>` : ''}
<p style="font-size:1.75rem;letter-spacing:.3rem"><strong>{{ .Token }}</strong></p>
</body></html>`

/** Auth's own words, for a notification that has no template. */
const notices: Record<NotificationKind, { subject: string; html: string }> = {
  password_changed: {
    subject: 'Your password was changed',
    html: '<h2>Your password was changed</h2><p>The password for your account was recently changed.</p>',
  },
  email_changed: {
    subject: 'Your email address was changed',
    html: '<h2>Your email address was changed</h2><p>The email address for your account was changed from {{ .OldEmail }} to {{ .Email }}.</p>',
  },
  mfa_factor_enrolled: {
    subject: 'A new verification method was added to your account',
    html: '<h2>A new verification method was added</h2><p>Sign-in verification method {{ .FactorType }} was added to your account.</p>',
  },
  mfa_factor_unenrolled: {
    subject: 'A verification method was removed from your account',
    html: '<h2>A verification method was removed</h2><p>Sign-in verification method {{ .FactorType }} was removed from your account.</p>',
  },
}

export interface Mail {
  to: string
  /** Six digits or so that the user may type instead of following the link. */
  otp: string
  /** The link's token; empty where there is no link. */
  tokenHash: string
  url: string
  redirectTo: string
  email?: string
  newEmail?: string
  /** What the account says of itself (`.Data`). */
  data: Record<string, unknown> | null
}

/** A mail that says what has happened. */
export interface Notice {
  to: string
  /** Of the account, now. */
  email: string
  oldEmail?: string
  factorType?: string
  data: Record<string, unknown> | null
}

export interface AuthMailer {
  send(kind: MailKind, mail: Mail): Promise<void>
  /** Sends it where the project wants it sent. */
  notify(kind: NotificationKind, notice: Notice): Promise<void>
}

/**
 * Writes the mails of the auth service into the inbox, from the templates of config.toml or its own. What they say as plain text is
 * what their HTML says, as Auth sends HTML alone.
 *
 * @param projectDir the folder that holds `supabase/`, which `content_path` is relative to
 * @throws Error naming a template that is not there, or that the stack cannot render as Auth does
 */
export function createMailer(
  inbox: MessageSink,
  settings: AuthSettings,
  sender: MailSender,
  siteUrl: string,
  projectDir: string,
): AuthMailer {
  const { template, notification } = settings.email
  function parsed(name: string, own: MailSource | undefined, standard: { subject: string; html: string }) {
    const path = own?.content_path && resolve(projectDir, own.content_path)
    const html = own?.content ?? (path ? readFileSync(path, 'utf8') : standard.html)
    return {
      subject: parseTemplate(own?.subject ?? standard.subject, `subject of ${name}`),
      html: parseTemplate(html, own?.content_path ?? name),
    }
  }
  const kinds = Object.entries(texts) as [MailKind, MailText][]
  const mails = new Map<string, ReturnType<typeof parsed>>(
    kinds.map(([kind, text]) => [
      kind,
      parsed(kind, template[kind], { subject: text.subject, html: defaultHtml(text) }),
    ]),
  )
  for (const [kind, standard] of Object.entries(notices))
    mails.set(kind, parsed(kind, notification[kind], standard))

  async function deliver(kind: MailKind | NotificationKind, to: string, values: TemplateValues) {
    const mail = mails.get(kind)
    if (!mail) return
    const html = mail.html({ SiteURL: siteUrl, ...values })
    await inbox.add({
      channel: 'email',
      to,
      from: `${sender.sender_name} <${sender.admin_email}>`,
      subject: mail.subject({ SiteURL: siteUrl, ...values }),
      text: textOf(html),
      html,
    })
  }
  return {
    send: (kind, mail) =>
      deliver(kind, mail.to, {
        ConfirmationURL: mail.url,
        Token: mail.otp,
        TokenHash: mail.tokenHash,
        RedirectTo: mail.redirectTo,
        Email: mail.email ?? mail.to,
        NewEmail: mail.newEmail ?? '',
        SendingTo: mail.to,
        Data: mail.data ?? {},
      }),
    async notify(kind, { to, email, oldEmail, factorType, data }) {
      if (!notification[kind]?.enabled || !to) return
      await deliver(kind, to, { Email: email, OldEmail: oldEmail, FactorType: factorType, Data: data ?? {} })
    },
  }
}
