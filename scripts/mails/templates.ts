import { directionOf, LANGUAGES, type Language } from '../../functions/_shared/languages.ts'
import { MAILS, type MailName, type MailWords, WORDS } from './words.ts'

/** The languages that the account may ask for; without one of them it gets English. */
const OTHERS = LANGUAGES.filter((tag) => tag !== 'en')

/** The command that writes them. */
const COMMAND = 'npm run mails'

/**
 * What each language says, as a template that chooses. What an account says of itself is whatever somebody typed, for an address
 * that may be another's: of it the language alone is read, as text, which `printf` makes of anything, and none of it is shown.
 */
function inEveryLanguage(write: (tag: Language) => string): string {
  const chosen = OTHERS.map(
    (tag, index) =>
      `{{ ${index === 0 ? 'if' : 'else if'} eq (printf "%v" .Data.language) "${tag}" }}${write(tag)}`,
  )
  return `${chosen.join('')}{{ else }}${write('en')}{{ end }}`
}

/** The addresses that the words name. */
const VALUES: Partial<Record<MailName, { old: string; new: string }>> = {
  email_change: { old: '{{ .Email }}', new: '{{ .NewEmail }}' },
  email_changed: { old: '{{ .OldEmail }}', new: '{{ .Email }}' },
}

function filled(text: string, name: MailName): string {
  const values = VALUES[name]
  return values
    ? text.replace('{old}', `<bdi>${values.old}</bdi>`).replace('{new}', `<bdi>${values.new}</bdi>`)
    : text
}

const TEXT = 'margin:0 0 16px;font-size:16px;line-height:1.5'
const SMALL = 'margin:0 0 12px;font-size:14px;line-height:1.5;color:#4d5b6a'

/** Screen of the staff's app on which a button confirms: opening it does nothing, whoever opens it. No server sees what is behind `#`. */
const page = (type: string) => `{{ .SiteURL }}/#/auth/confirm?token_hash={{ .TokenHash }}&amp;type=${type}`

function bodyOf(name: MailName, tag: Language): string {
  const language = WORDS[tag]
  const words: MailWords = language.mails[name]
  const { type } = MAILS[name]
  const button = words.button &&
    type && [
      `<p style="margin:0 0 20px"><a class="button" href="${page(type)}&amp;redirect_to={{ .RedirectTo }}" style="display:inline-block;padding:13px 22px;border-radius:10px;background:#1c5d99;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none">${words.button}</a></p>`,
    ]
  const code = words.code && [
    `<p style="margin:0 0 6px;font-size:16px;line-height:1.5">${words.code}</p>`,
    '<p class="code" style="margin:0 0 20px;font:600 26px/1.3 ui-monospace,Menlo,Consolas,monospace;letter-spacing:2px">{{ .Token }}</p>',
  ]
  const copy = button && [
    `<p class="soft" style="${SMALL}">${language.copy}<br><span dir="ltr" style="word-break:break-all">${page(type)}</span></p>`,
  ]
  return [
    '',
    `<div lang="${tag}" dir="${directionOf(tag)}">`,
    `<h1 style="margin:0 0 12px;font-size:22px;line-height:1.3">${words.heading}</h1>`,
    `<p style="${TEXT}">${filled(words.reason, name)}</p>`,
    ...(button || []),
    ...(code || []),
    ...(button ? [`<p style="${TEXT}">${language.lasts}</p>`] : []),
    `<p style="${TEXT}">${words.otherwise}</p>`,
    ...(copy || []),
    `<p class="soft" style="${SMALL};margin-bottom:0">${language.footer}</p>`,
    '</div>',
    '',
  ].join('\n')
}

/** A mail as Auth fills it in: a template of Go's `html/template`, in every language. */
export function templateOf(name: MailName): string {
  return `{{- /* Made by ${COMMAND} from scripts/mails/words.ts: edit that. */ -}}
<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>Student wellbeing</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  body, .ground { background: #10151b !important; }
  .card { background: #19212a !important; border-color: #313d49 !important; color: #e8edf3 !important; }
  .soft, .brand { color: #a9b6c4 !important; }
  a { color: #7cb7f0; }
  .button { background: #7cb7f0 !important; color: #0c1a28 !important; }
}
</style>
</head>
<body style="margin:0;background:#f4f5f7">
<div class="ground" style="background:#f4f5f7;padding:20px 12px 32px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif">
<div style="max-width:560px;margin:0 auto">
<p class="brand" style="margin:0 0 12px;padding:0 4px;font-size:15px;font-weight:600;color:#4d5b6a">Student wellbeing</p>
<div class="card" style="background:#ffffff;border:1px solid #d8dee6;border-radius:14px;padding:22px 20px;color:#18222f;overflow-wrap:anywhere">
${inEveryLanguage((tag) => bodyOf(name, tag))}
</div>
</div>
</div>
</body>
</html>
`
}

/** The sections of config.toml that name the templates and their subjects. */
export function configSections(): string {
  const sections = (Object.keys(MAILS) as MailName[]).map((name) => {
    const { section } = MAILS[name]
    return [
      `[auth.email.${section}.${name}]`,
      ...(section === 'notification' ? ['enabled = true'] : []),
      `subject = '${inEveryLanguage((tag) => WORDS[tag].mails[name].subject)}'`,
      `content_path = "./supabase/templates/${name}.html"`,
    ].join('\n')
  })
  return `${sections.join('\n\n')}\n`
}

/** config.toml with these sections between their marks. Throws where it has no marks. */
export function withSections(config: string): string {
  const marked = new RegExp(
    `(# Mails of Auth, made by ${COMMAND}\\..*\\n)[\\s\\S]*?(# End of the mails of Auth\\.\\n)`,
  )
  if (!marked.test(config)) throw new Error('config.toml has no marks for the mails of Auth')
  return config.replace(marked, (_, begin: string, end: string) => `${begin}${configSections()}${end}`)
}
