import { type Answer, ask, type Probe, Report, type Target } from '../target.ts'

/** A limit that is reached with requests that do nothing: they are counted before they are looked at. */
type Limit = { scope: string; request: (target: Target) => Promise<Answer> }

const LIMITS: Limit[] = [
  ...['analyze-visual', 'analyze-audio', 'calculate-wellbeing-score'].map((name) => ({
    scope: name,
    request: (target: Target) =>
      ask(target, 'POST', `/functions/v1/${name}`, {
        token: target.attacker.token,
        body: {},
        limited: true,
      }),
  })),
  {
    scope: 'bulk',
    request: (target) =>
      ask(target, 'POST', '/functions/v1/api/database/insert', {
        token: target.attacker.token,
        body: { table: 'probe_nothing', data: [{ id: 1 }, { id: 2 }] },
        limited: true,
      }),
  },
  {
    scope: 'sign-in',
    request: (target) =>
      ask(target, 'POST', '/functions/v1/api/auth/signin', {
        body: { email: target.attacker.email, password: 'wrong-password-1' },
        limited: true,
      }),
  },
]

/** Calls more often than a limit allows. One that the operator has set so high that a probe does not reach it is left out. */
export const rateLimits: Probe = async (target) => {
  const report = new Report(target)
  const rules = await target.database<{ scope: string; requests: number }[]>`
    select scope, requests from private.rate_limit_rules where requests <= 20`
  for (const { scope, request } of LIMITS) {
    const rule = rules.find((row) => row.scope === scope)
    if (!rule) continue
    const answers: Answer[] = []
    while (answers.length <= rule.requests && answers.at(-1)?.status !== 429) {
      answers.push(await request(target))
    }
    const last = answers.at(-1)
    if (!last) continue
    const evidence = { requests: answers.length, status: last.status }
    report.attack(
      last.status !== 429,
      { fault: `${scope}:unlimited`, severity: 'medium', title: `The limit ${scope} does not hold` },
      evidence,
    )
    report.attack(
      last.status === 429 && !/^\d+$/.test(last.headers.get('retry-after') ?? ''),
      {
        fault: `${scope}:retry-after`,
        severity: 'low',
        title: `Who reaches the limit ${scope} is not told when to come back`,
      },
      evidence,
    )
  }
  return report
}
