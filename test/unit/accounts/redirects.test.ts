import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAllowedRedirect } from 'local-supabase'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { isAllowed } from '../../../functions/_shared/accounts/redirects.ts'
import { ROOT } from '../../../scripts/root.ts'

const { auth } = z
  .object({ auth: z.object({ additional_redirect_urls: z.array(z.string()) }) })
  .parse(parse(readFileSync(join(ROOT, 'supabase', 'config.toml'), 'utf8')))

const SITE = 'https://pages.example.edu/api'
const ALLOWED = [
  ...auth.additional_redirect_urls,
  'https://*.app.example.edu/**',
  'https://one.example.edu/?.html',
]

// Each as `IsRedirectURLValid` of supabase/auth answers with this site and list.
test.each([
  ['https://pages.example.edu/anything', true],
  ['http://pages.example.edu/anything', false],
  ['https://pages.example.edu:8443/', false],
  ...[3000, 4200, 5173, 8081, 19006, 54325].flatMap((port) => [
    [`http://localhost:${port}`, true] as const,
    [`http://localhost:${port}/welcome?x=1#there`, true] as const,
    [`http://127.0.0.1:${port}/welcome`, true] as const,
  ]),
  ['http://localhost:9999/', false],
  ['http://127.0.0.1:9999/', true],
  ['http://127.9.9.9/', true],
  ['http://[::1]:3000/', true],
  ['http://2130706433/', false],
  ['http://192.168.0.7:8081/', false],
  ['exp://127.0.0.1:8081/--/auth', true],
  ['exp://localhost:8081/--/auth', true],
  ['exp://192.168.0.7:8081/--/auth', false],
  ['student-wellbeing://signed-in', true],
  ['student-wellbeing://', true],
  ['http://localhost:3000@evil.example/', false],
  ['http://localhost:3000.evil.example/', false],
  ['https://a.app.example.edu/x/y', true],
  ['https://a.b.app.example.edu/x', false],
  ['https://evil.example/?https://a.app.example.edu/', false],
  ['https://one.example.edu/a.html', true],
  ['https://one.example.edu/ab.html', false],
  ['javascript:alert(1)', false],
  ['not an address', false],
  ['', false],
] as const)(
  '%j may be where a mail leads: %s, for the functions as for the local Auth',
  (address, allowed) => {
    expect(isAllowed(address, { site: SITE, allowed: ALLOWED })).toBe(allowed)
    expect(isAllowedRedirect(address, SITE, ALLOWED)).toBe(allowed)
  },
)
