import { type Answer, ask, type Probe, Report, requireControl, type Target } from '../target.ts'

/** Pages, with who is sent to them by what they hold. */
const PAGES = ['/api/docs', '/api/buddy/verify', '/api/privacy/download', '/buddy/checkin/probe'] as const

/** What a header must say, the fault that it is when it does not, and how bad that is. */
const PAGE_HEADERS: readonly (readonly [
  name: string,
  is: RegExp,
  fault: string,
  severity: 'low' | 'medium' | 'high',
])[] = [
  [
    'content-security-policy',
    /^default-src 'none'(?!.*(?:unsafe-inline|\*))/,
    'content-security-policy/default-src',
    'high',
  ],
  ['content-security-policy', /frame-ancestors 'none'/, 'content-security-policy/frame-ancestors', 'medium'],
  ['content-security-policy', /form-action 'self'/, 'content-security-policy/form-action', 'medium'],
  ['x-content-type-options', /^nosniff$/, 'x-content-type-options', 'medium'],
  ['x-frame-options', /^DENY$/i, 'x-frame-options', 'low'],
  ['referrer-policy', /^(no-referrer|same-origin|strict-origin)$/, 'referrer-policy', 'low'],
  ['cache-control', /no-store/, 'cache-control', 'medium'],
]

/** Headers of pages and of JSON, that neither sets a cookie, and that no form of another site signs in. */
export const securityHeaders: Probe = async (target) => {
  const report = new Report(target)
  for (const page of PAGES) {
    const answer = await seenPage(target, page)
    lookForCookie(report, page, answer)
    for (const [name, is, fault, severity] of PAGE_HEADERS) {
      report.attack(
        !is.test(answer.headers.get(name) ?? ''),
        {
          fault: `${page.slice(1)}:${fault}`,
          severity,
          title: `The page ${page} is sent without a safe ${name}`,
        },
        answer,
      )
    }
  }
  await lookAtJson(target, report)
  await lookAtSignIn(target, report)
  return report
}

async function lookAtJson(target: Target, report: Report): Promise<void> {
  const json = await ask(target, 'GET', '/functions/v1/api/database/health')
  const fault = (name: string, severity: 'low' | 'medium', title: string) => ({
    fault: `json:${name}`,
    severity,
    title,
  })
  report.attack(
    !/no-store/.test(json.headers.get('cache-control') ?? ''),
    fault('cache-control', 'medium', 'Responses may be stored by whoever passes them on'),
    json,
  )
  report.attack(
    json.headers.get('access-control-allow-credentials') === 'true',
    fault(
      'access-control-allow-credentials',
      'medium',
      'Any site may send requests with its visitors’ cookies',
    ),
    json,
  )
  report.attack(
    !/^application\/json/.test(json.headers.get('content-type') ?? ''),
    fault('content-type', 'low', 'JSON is sent as something else'),
    json,
  )
}

/** A cookie would be sent along with whatever another site has a browser ask. */
function lookForCookie(report: Report, path: string, answer: Answer): void {
  report.attack(
    answer.headers.has('set-cookie'),
    { fault: `${path.slice(1)}:cookie`, severity: 'high', title: `The service sets a cookie: ${path}` },
    answer,
  )
}

async function lookAtSignIn(target: Target, report: Report): Promise<void> {
  // Not the attacker, whose sign-ins another probe uses up.
  const { email, password } = target.victim
  const path = '/api/auth/signin'
  const foreign = await ask(target, 'POST', `/functions/v1${path}`, {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'cross-site',
      origin: 'https://other.example.edu',
    },
    body: new URLSearchParams({ email, password }).toString(),
  })
  report.attack(
    foreign.status < 400,
    { fault: 'form:cross-site', severity: 'high', title: 'A form of another site is taken' },
    foreign,
  )
  const own = await ask(target, 'POST', `/functions/v1${path}`, { body: { email, password } })
  requireControl(own.status === 200, 'sign_in_failed')
  lookForCookie(report, path, own)
}

/** The page itself, also where people see pages under another address and are redirected there. */
async function seenPage(target: Target, path: string): Promise<Answer> {
  const address = `/functions/v1${path}`
  const answer = await ask(target, 'GET', address)
  const elsewhere = answer.status === 302 ? answer.headers.get('location') : null
  if (elsewhere === null) return answer
  return ask(target, 'GET', address, { headers: { 'x-pages-host': new URL(elsewhere).host } })
}
