import { type Answer, ask, jsonOf, type Probe, Report, rowsIn, type Target } from '../target.ts'

/** Ends an attribute or a text, and would run. */
const MARKUP = '"><script>probe()</script>'

/** What ends a statement, widens a condition, or reaches for other tables. */
const STATEMENTS = [
  "' or '1'='1",
  "'; select pg_sleep(20) --",
  '1); drop table profiles; --',
  "x\\'; commit; --",
] as const

/** SQL, paths and markup where the service expects something else: none is run, echoed as markup, or ends in an error of its own. */
export const injection: Probe = async (target) => {
  const report = new Report(target)
  await injectStatements(target, report)
  await injectPaths(target, report)
  await injectMarkup(target, report)
  return report
}

async function injectStatements(target: Target, report: Report): Promise<void> {
  const { token } = target.attacker
  const select = (body: Record<string, unknown>) =>
    ask(target, 'POST', '/functions/v1/api/database/select', {
      token,
      body: { table: 'profiles', columns: 'user_id', filters: { user_id: target.victim.id }, ...body },
    })
  for (const statement of STATEMENTS) {
    const text = encodeURIComponent(statement)
    const answers: Record<string, Answer> = {
      'rest:filter': await ask(
        target,
        'GET',
        `/rest/v1/profiles?select=user_id&user_id=eq.${target.victim.id}${text}`,
        { token },
      ),
      'rest:columns': await ask(
        target,
        'GET',
        `/rest/v1/profiles?user_id=eq.${target.victim.id}&select=user_id,${text}`,
        { token },
      ),
      'rest:order': await ask(
        target,
        'GET',
        `/rest/v1/profiles?select=user_id&user_id=eq.${target.victim.id}&order=${text}`,
        { token },
      ),
      'select:table': await select({ table: `profiles${statement}` }),
      'select:columns': await select({ columns: `user_id, ${statement}` }),
      'select:filter': await select({ filters: { user_id: `${target.victim.id}${statement}` } }),
      'select:column': await select({ filters: { [statement]: 'x', user_id: target.victim.id } }),
      'select:order': await select({ orderBy: [{ column: statement, ascending: true }] }),
      'students:search': await ask(target, 'GET', `/functions/v1/api/students?search=${text}`, { token }),
    }
    for (const [place, answer] of Object.entries(answers)) expectHarmless(report, place, answer)
  }
}

async function injectPaths(target: Target, report: Report): Promise<void> {
  const { attacker, victim } = target
  const { token } = attacker
  const up = `${attacker.id}/..%2f${victim.id}/${victim.id}/probe`
  for (const path of [up, `${attacker.id}/%2e%2e/${victim.id}/${victim.id}/probe`]) {
    const answer = await ask(target, 'GET', `/storage/v1/object/authenticated/check-in-media/${path}`, {
      token,
    })
    expectRefused(report, 'storage:path', answer)
  }
  const list = await ask(target, 'POST', '/storage/v1/object/list/check-in-media', {
    token,
    body: { prefix: `${attacker.id}/../${victim.id}/`, limit: 1 },
  })
  expectHarmless(report, 'storage:prefix', list)
  const download = await ask(target, 'POST', '/functions/v1/api/storage/download', {
    token,
    body: { bucket: 'check-in-media', path: `${attacker.id}/../${victim.id}/${victim.id}/probe` },
  })
  expectRefused(report, 'functions:path', download)
}

async function injectMarkup(target: Target, report: Report): Promise<void> {
  const markup = encodeURIComponent(MARKUP)
  const pages: Record<string, Answer> = {
    'buddy:verify': await ask(
      target,
      'GET',
      `/functions/v1/api/buddy/verify?token=${markup}&reason=${markup}`,
    ),
    'buddy:checkin': await ask(target, 'GET', `/functions/v1/buddy/checkin/${markup}`),
    'privacy:download': await ask(target, 'GET', `/functions/v1/api/privacy/download?token=${markup}`),
    'docs:search': await ask(target, 'GET', `/functions/v1/api/docs?q=${markup}&of=${markup}`),
  }
  for (const [place, answer] of Object.entries(pages)) {
    expectHarmless(report, place, answer)
    report.attack(
      answer.text.includes(MARKUP) && (answer.headers.get('content-type') ?? '').includes('html'),
      {
        fault: `${place}:markup`,
        severity: 'high',
        title: `A page repeats markup that was sent to it: ${place}`,
      },
      answer,
    )
  }
}

/** No row that was not asked for, and no error of the service's own. */
function expectHarmless(report: Report, place: string, answer: Answer): void {
  const body = jsonOf(answer)
  const data = body && typeof body === 'object' && 'data' in body ? body.data : null
  report.attack(
    rowsIn(answer) > 0 || (Array.isArray(data) && data.length > 0),
    { fault: `${place}:rows`, severity: 'critical', title: `What is sent changes what is asked: ${place}` },
    answer,
  )
  report.attack(
    answer.status >= 500,
    { fault: `${place}:error`, severity: 'medium', title: `What is sent ends in a server error: ${place}` },
    answer,
  )
}

function expectRefused(report: Report, place: string, answer: Answer): void {
  report.attack(
    answer.status < 400,
    { fault: `${place}:served`, severity: 'critical', title: `A path leads into another folder: ${place}` },
    answer,
  )
  report.attack(
    answer.status >= 500,
    { fault: `${place}:error`, severity: 'medium', title: `A path ends in a server error: ${place}` },
    answer,
  )
}
