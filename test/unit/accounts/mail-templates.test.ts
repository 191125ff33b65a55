import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseTemplate, textOf } from 'local-supabase'
import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { templateOf, withSections } from '../../../scripts/mails/templates.ts'
import { MAILS, type MailName, WORDS } from '../../../scripts/mails/words.ts'
import { ROOT } from '../../../scripts/root.ts'

const names = Object.keys(MAILS) as MailName[]
const config = readFileSync(join(ROOT, 'supabase', 'config.toml'), 'utf8')

const section = z.record(
  z.string(),
  z.object({ subject: z.string(), content_path: z.string(), enabled: z.literal(true).optional() }),
)
const { auth } = z
  .object({ auth: z.object({ email: z.object({ template: section, notification: section }) }) })
  .parse(parse(config))
const declared = { ...auth.email.template, ...auth.email.notification }

const hasGo = spawnSync('go', ['version']).status === 0

const values = {
  SiteURL: 'https://staff.example.edu',
  TokenHash: 'pkce_5f1c0c8e7a2b4d6f9e3a1b5c7d9f0e2a4c6b8d0f1e3a5c7b9d1f3e5a',
  Token: '0123456789',
  RedirectTo: 'http://localhost:5173/welcome?from=mail&x=1#end',
  Email: "o'neil+tag@northfield.example.edu",
  NewEmail: 'robin@eastbrook.example.edu',
  OldEmail: 'r@example.edu',
  FactorType: 'totp',
  ConfirmationURL: 'https://project.example.edu/auth/v1/verify?token=x',
}

/** What an account may say of itself, which nobody has checked. */
const metadata = [
  { language: 'de' },
  { language: 'ar', first_name: 'Robin' },
  {},
  null,
  { language: ['de'] },
  { language: { a: 1 } },
  { language: 7 },
  { language: '<b>de</b>', first_name: '<a href="https://evil.example">Win</a>' },
]

describe('the mails of Auth', () => {
  test('are those that the words make, and config.toml names each', () => {
    expect(withSections(config)).toBe(config)
    expect(Object.keys(declared).sort()).toEqual([...names].sort())
    for (const name of names) {
      expect(declared[name]?.content_path).toBe(`./supabase/templates/${name}.html`)
      expect(readFileSync(join(ROOT, declared[name]?.content_path ?? ''), 'utf8')).toBe(templateOf(name))
    }
  })

  test('have an address to a page, none that confirms by being opened, and say all as plain text', () => {
    for (const name of names) {
      const html = parseTemplate(templateOf(name), name)({ ...values, Data: {} })
      expect(html).not.toContain('/verify')
      const text = textOf(html)
      const { type } = MAILS[name]
      const { heading, otherwise, code } = WORDS.en.mails[name] as {
        heading: string
        otherwise: string
        code?: string
      }
      expect(text).toContain(heading)
      expect(text).toContain(otherwise)
      if (code) expect(text).toContain(`${code}\n\n${values.Token}\n`)
      if (type === null) expect(text).not.toContain('http')
      else {
        expect(text).toContain(
          `${values.SiteURL}/#/auth/confirm?token_hash=${values.TokenHash}&type=${type}&redirect_to=http%3a%2f%2flocalhost%3a5173%2fwelcome%3ffrom%3dmail%26x%3d1%23end`,
        )
      }
    }
  })

  test('are in the language of the account, and show nothing that it says of itself', () => {
    const write = parseTemplate(templateOf('confirmation'), 'confirmation')
    const subject = parseTemplate(declared.confirmation?.subject ?? '', 'subject')
    for (const [tag, { mails }] of Object.entries(WORDS)) {
      const data = { language: tag, first_name: 'Wincash', university_id: 'x' }
      expect(write({ ...values, Data: data })).toContain(mails.confirmation.heading)
      expect(write({ ...values, Data: data })).not.toContain('Wincash')
      expect(subject({ Data: data })).toBe(mails.confirmation.subject)
    }
    for (const data of metadata.slice(2))
      expect(write({ ...values, Data: data })).toBe(write({ ...values, Data: { language: 'en' } }))
  })

  test.skipIf(!hasGo)(
    'are what html/template of Go makes of them, byte for byte (skipped without Go)',
    () => {
      const sources = names.flatMap((name) => [templateOf(name), declared[name]?.subject ?? ''])
      const cases = sources.flatMap((source) =>
        metadata.map((Data) => ({ source, values: { ...values, Data: Data ?? undefined } })),
      )
      // Addresses that are none, and words that look like markup.
      const odd = {
        ...values,
        SiteURL: 'javascript:alert(1)',
        RedirectTo: '"><script>alert(1)</script>ü%2f %',
        TokenHash: '&type=invite#',
        Email: '"<b>\'+\u0000&amp;@x.example',
        Data: {},
      }
      cases.push({ source: templateOf('email_change'), values: odd })
      cases.push({
        source: '<a title="{{ .Email }}" href="{{ .SiteURL }}/a b?x={{.Email}}">{{- .Email -}} </a>',
        values: odd,
      })
      cases.push({ source: '{{ if .NoSuch }}a{{ else if .Email }}b{{ end }}{{/* {{ no }} */}}', values: odd })
      const rendered = execFileSync('go', ['run', join(import.meta.dirname, 'render.go')], {
        input: JSON.stringify(cases),
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      })
      expect(cases.map(({ source, values }) => parseTemplate(source, 'case')(values))).toEqual(
        JSON.parse(rendered),
      )
    },
    120_000,
  )
})
