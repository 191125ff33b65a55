import { type Answer, ask, jsonOf, type Probe, Report, rowsIn, served, type Target } from '../target.ts'

/** A student who makes themselves more than that, or calls what is for staff. */
export const roleEscalation: Probe = async (target) => {
  const report = new Report(target)
  await claimRoles(target, report)
  await callAsStaff(target, report)
  return report
}

async function claimRoles(target: Target, report: Report): Promise<void> {
  const { attacker, database } = target
  const { token } = attacker
  const headers = { prefer: 'return=minimal' }
  const own = `user_id=eq.${attacker.id}`
  const claims: Record<string, () => Promise<Answer>> = {
    'user_roles:insert': () =>
      ask(target, 'POST', '/rest/v1/user_roles', {
        ...{ token, headers },
        body: { user_id: attacker.id, role: 'security_admin' },
      }),
    'user_roles:update': () =>
      ask(target, 'PATCH', `/rest/v1/user_roles?${own}`, {
        ...{ token, headers },
        body: { role: 'security_admin', university_id: null },
      }),
    // Of a university that does not exist: whoever gets as far as the foreign key was let in.
    'profiles:university': () =>
      ask(target, 'PATCH', `/rest/v1/profiles?${own}`, {
        ...{ token, headers },
        body: { university_id: 'probe-nowhere' },
      }),
    'students:counselor_access': () =>
      ask(target, 'PATCH', `/rest/v1/students?${own}`, {
        ...{ token, headers },
        body: { counselor_access: true },
      }),
  }
  for (const [fault, claim] of Object.entries(claims)) {
    const answer = await claim()
    const passed = served(answer) || /"code":"23/.test(answer.text)
    report.attack(passed, escalation(fault), answer)
  }

  const metadata = await ask(target, 'PUT', '/auth/v1/user', {
    token,
    body: {
      app_metadata: { role: 'security_admin' },
      role: 'service_role',
      data: { role: 'security_admin', university_id: 'probe-nowhere' },
    },
  })
  const [account] = await database<{ elevated: boolean }[]>`
    select role <> 'authenticated' or raw_app_meta_data ->> 'role' is not null as elevated
    from auth.users where id = ${attacker.id}`
  report.attack(account?.elevated === true, escalation('auth:app_metadata'), metadata)

  const roles = await database<{ role: string }[]>`
    select role::text from public.user_roles where user_id = ${attacker.id} and role <> 'student'`
  report.attack(roles.length > 0, escalation('role_held'), { roles: roles.map(({ role }) => role).join(' ') })
}

async function callAsStaff(target: Target, report: Report): Promise<void> {
  const { token } = target.attacker
  const staffOnly: readonly (readonly [method: string, path: string, body?: unknown])[] = [
    ['GET', '/functions/v1/api/training/statistics'],
    ['GET', '/functions/v1/api/security/tests'],
    ['GET', '/functions/v1/api/security/tests/statistics'],
    ['GET', '/functions/v1/api/security/vulnerabilities'],
    ['POST', '/functions/v1/api/database/setup-tables', {}],
    ['PUT', '/functions/v1/api/university/probe-nowhere', { name: 'Probe' }],
    ['GET', '/functions/v1/api/analytics/dashboard?university_id=probe-nowhere'],
    ['GET', '/auth/v1/admin/users?per_page=1'],
    ['POST', '/auth/v1/admin/users', { email: 'nobody@probe.invalid' }],
  ]
  for (const [method, path, body] of staffOnly) {
    const answer = await ask(target, method, path, { token, body })
    report.attack(
      served(answer),
      {
        fault: `call:${path
          .replace(/\?.*/, '')
          .replace(/^\/(functions\/v1\/)?/, '')
          .toLowerCase()}`,
        severity: 'high',
        title: `A student can call what is for staff: ${method} ${path.replace(/\?.*/, '')}`,
      },
      answer,
    )
  }
  for (const name of ['read_audit_log', 'read_legal_holds', 'training_statistics', 'list_open_reviews']) {
    const answer = await ask(target, 'POST', `/rest/v1/rpc/${name}`, { token, body: {} })
    const told = rowsIn(answer) > 0 || (served(answer) && isObject(jsonOf(answer)))
    report.attack(
      told,
      { fault: `rpc:${name}`, severity: 'high', title: `A student is told what is for staff: ${name}` },
      answer,
    )
  }
}

function escalation(fault: string) {
  return {
    fault,
    severity: 'critical' as const,
    title: `A student can change what they are: ${fault}`,
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
