import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { AuthSettings, MailSender } from '../config.ts'
import type { MessageSink } from '../inbox/inbox.ts'

export type MailKind =
  | 'confirmation'
  | 'recovery'
  | 'magic_link'
  | 'email_change'
  | 'invite'
  | 'reauthentication'

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

const defaultText = ({ sentence, button }: MailText) =>
  button
    ? `${sentence}\n{{ .ConfirmationURL }}\n\nOr enter this code: {{ .Token }}\n`
    : `${sentence} {{ .Token }}\n`

const escapeHtml = (value: string) =>
  value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

function fill(template: string, values: Record<string, string>, toText: (value: string) => string): string {
  return template.replace(/\{\{\s*\.(\w+)\s*\}\}/g, (_, name: string) => toText(values[name] ?? ''))
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
}

export interface AuthMailer {
  send(kind: MailKind, mail: Mail): Promise<void>
}

/**
 * Writes the mails of the auth service into the inbox, from the templates of config.toml or its own.
 *
 * @param projectDir the folder that holds `supabase/`, which `content_path` is relative to
 */
export function createMailer(
  inbox: MessageSink,
  settings: AuthSettings,
  sender: MailSender,
  siteUrl: string,
  projectDir: string,
): AuthMailer {
  async function htmlOf(kind: MailKind): Promise<string> {
    const template = settings.email.template[kind]
    if (template?.content) return template.content
    if (template?.content_path) return readFile(resolve(projectDir, template.content_path), 'utf8')
    return defaultHtml(texts[kind])
  }
  return {
    async send(kind, mail) {
      const values = {
        ConfirmationURL: mail.url,
        Token: mail.otp,
        TokenHash: mail.tokenHash,
        SiteURL: siteUrl,
        RedirectTo: mail.redirectTo,
        Email: mail.email ?? mail.to,
        NewEmail: mail.newEmail ?? '',
      }
      await inbox.add({
        channel: 'email',
        to: mail.to,
        from: `${sender.sender_name} <${sender.admin_email}>`,
        subject: fill(settings.email.template[kind]?.subject ?? texts[kind].subject, values, String),
        text: fill(defaultText(texts[kind]), values, String),
        html: fill(await htmlOf(kind), values, escapeHtml),
      })
    },
  }
}
