import { randomBytes } from 'node:crypto'
import { PASSWORD } from '../../../harness/factories/accounts.ts'
import { type AttackedStack, times, tokenOf } from '../../../harness/factories/attacked-stack.ts'
import { logAccess, newStaff, newStudent } from '../../../harness/factories/students.ts'
import { asPerson, minutePasses, oneAccount, type Play, WRONG } from './plays.ts'

/** People who sign in, some of whom mistype first. */
async function signIns(
  stack: AttackedStack,
  { people, mistyped, addressOf }: { people: number; mistyped: number; addressOf: () => string },
): Promise<undefined> {
  const accounts = await stack.accounts(people)
  await times(people, async (index) => {
    const [address, email] = [addressOf(), accounts[index]?.email ?? '']
    if (index < mistyped) await stack.signIn(address, email, WRONG)
    await stack.signIn(address, email, PASSWORD)
  })
}

/** Requests of one person to one address. */
async function calls(
  stack: AttackedStack,
  number: number,
  path: string,
  request: Parameters<AttackedStack['send']>[2] = {},
): Promise<undefined> {
  const address = stack.newAddress()
  await times(number, () => stack.send(address, path, request))
}

/** A change of the database by its operator. */
function operation(name: string, statement: string, back: string): Play {
  return {
    name,
    async run({ sql }) {
      await sql.unsafe(statement)
      return () => sql.unsafe(back)
    },
  }
}

const own = '/functions/v1/api/privacy/exports'

/** Loads that look like an attack, and are none. */
export const INNOCENT: Play[] = [
  {
    name: 'a lecture hall signs in from one address',
    run: (stack) => {
      const address = stack.newAddress()
      return signIns(stack, { people: 60, mistyped: 12, addressOf: () => address })
    },
  },
  {
    name: 'a lecture hall in which eleven do not know their address',
    async run(stack) {
      const address = stack.newAddress()
      await signIns(stack, { people: 48, mistyped: 0, addressOf: () => address })
      await times(11, (index) => stack.signIn(address, `typo-${index}@northfield.example.edu`, WRONG))
      return undefined
    },
  },
  {
    name: 'exam week: many sign in at once from home',
    run: (stack) => signIns(stack, { people: 80, mistyped: 40, addressOf: stack.newAddress }),
  },
  {
    name: 'a campus behind one address, listed as such',
    async run(stack) {
      await stack.sql`
        insert into private.known_networks (network, kind, note) values ('192.0.2.0/24', 'campus', 'A campus') on conflict do nothing`
      await signIns(stack, { people: 60, mistyped: 60, addressOf: () => '192.0.2.9' })
      const accounts = await stack.accounts(40)
      await times(40, (index) => stack.signIn('192.0.2.9', accounts[index]?.email ?? '', WRONG))
      return undefined
    },
  },
  {
    name: 'somebody needs four attempts',
    async run(stack) {
      const [{ email }, address] = [await oneAccount(stack), stack.newAddress()]
      await times(3, () => stack.signIn(address, email, WRONG))
      await stack.signIn(address, email, PASSWORD)
      return undefined
    },
  },
  {
    name: 'somebody has forgotten the password and gives up',
    async run(stack) {
      const [{ email }, address] = [await oneAccount(stack), stack.newAddress()]
      await times(8, () => stack.signIn(address, email, WRONG))
      return undefined
    },
  },
  {
    name: 'somebody asks for mails to set a new password',
    async run(stack) {
      const { email } = await oneAccount(stack)
      return calls(stack, 10, '/auth/v1/recover', { method: 'POST', body: { email } })
    },
  },
  {
    name: 'an app goes on with an expired token',
    async run(stack) {
      const { id } = await oneAccount(stack)
      const exp = Math.floor(Date.now() / 1000) - 60
      return calls(stack, 40, own, {
        token: tokenOf({ sub: id, role: 'authenticated', exp }, stack.project.local.jwtSecret),
      })
    },
  },
  {
    name: 'an app goes on after signing out',
    async run(stack) {
      const { client, token } = await newStudent(stack.project, [])
      await client.auth.signOut()
      return calls(stack, 30, own, { token })
    },
  },
  {
    name: 'an app of somebody whose account was deleted',
    async run(stack) {
      const { id, token } = await newStudent(stack.project, [])
      await stack.sql`delete from auth.users where id = ${id}`
      return calls(stack, 30, own, { token })
    },
  },
  {
    name: 'an app sends its key in place of a token',
    run: (stack) => calls(stack, 30, own, { token: stack.project.publishableKey }),
  },
  {
    name: 'an app retries a refresh with an old token',
    run: (stack) =>
      calls(stack, 40, '/functions/v1/api/auth/refresh', {
        method: 'POST',
        body: { refresh_token: 'an-old-token-of-an-app' },
      }),
  },
  {
    name: 'an app polls faster than it may',
    async run(stack) {
      const { token } = await newStudent(stack.project, [])
      return calls(stack, 220, '/functions/v1/api/universities', { token })
    },
  },
  {
    name: 'an app reads a lot straight from the data API',
    async run(stack) {
      const { token } = await newStudent(stack.project, [])
      return calls(stack, 200, '/rest/v1/profiles?select=user_id', { token })
    },
  },
  {
    name: 'a student looks whether there is a page for administrators',
    async run(stack) {
      const { token } = await newStudent(stack.project, [])
      return calls(stack, 8, '/functions/v1/api/security/incidents', { token })
    },
  },
  {
    name: 'a counselor’s full day of reading',
    async run(stack) {
      const counselor = await newStaff(stack.project, 'counselor')
      const students = await stack.accounts(60)
      await times(60, async (index) => {
        await logAccess(counselor, { action: 'student_read', student_id: students[index]?.id ?? '' })
      })
      return undefined
    },
  },
  {
    name: 'a counselor pages through the list',
    async run(stack) {
      const counselor = await newStaff(stack.project, 'counselor')
      await times(25, (index) =>
        logAccess(counselor, {
          action: 'students_listed',
          university_id: 'northfield',
          page_offset: 50 * index,
        }),
      )
      return undefined
    },
  },
  {
    name: 'a counselor reads one student over and over',
    async run(stack) {
      const counselor = await newStaff(stack.project, 'counselor')
      const { id } = await oneAccount(stack)
      await times(120, async (index) => {
        if (index % 80 === 0) await minutePasses(stack, counselor)
        await logAccess(counselor, { action: 'student_read', student_id: id })
      })
      return undefined
    },
  },
  {
    name: 'a security administrator grants roles to colleagues',
    async run(stack) {
      const accounts = await stack.accounts(5)
      for (const { id } of accounts) {
        await asPerson(
          stack,
          stack.administratorId,
          `insert into public.user_roles (user_id, role, university_id) values ('${id}', 'counselor', 'northfield')`,
        )
      }
      return undefined
    },
  },
  {
    name: 'an operator grants a role',
    async run(stack) {
      const { id } = await oneAccount(stack)
      await stack.sql`insert into public.user_roles (user_id, role, university_id) values (${id}, 'university_admin', 'northfield')`
      return undefined
    },
  },
  {
    name: 'staff lose their roles at the end of term',
    async run(stack) {
      const staff = await times(4, () => newStaff(stack.project, 'counselor'))
      await stack.sql`delete from public.user_roles where user_id = any (${staff.map(({ id }) => id)}::uuid[])`
      return undefined
    },
  },
  operation(
    'an operator tightens a rule of detection',
    `update private.detection_rules set threshold = threshold - 1 where rule = 'link_guessing'`,
    `delete from private.security_events where false`,
  ),
  operation(
    'an operator changes a rate limit',
    `update private.rate_limit_rules set requests = requests + 1 where scope = 'privacy'`,
    `update private.rate_limit_rules set requests = requests - 1 where scope = 'privacy'`,
  ),
  operation(
    'a migration changes a policy',
    `create policy "as migrated" on public.clinical_reviews for update to service_role using (true);
      insert into supabase_migrations.schema_migrations (version) values ('29991231235959')`,
    `drop policy "as migrated" on public.clinical_reviews;
      delete from supabase_migrations.schema_migrations where version = '29991231235959'`,
  ),
  operation(
    'an operator makes a table in Studio',
    `create table public.played (id bigint primary key); alter table public.played enable row level security`,
    'drop table public.played',
  ),
  operation(
    'an operator adds an index',
    'create index played_idx on public.profiles (created_at)',
    'drop index public.played_idx',
  ),
  operation(
    'Postgres tidies the audit log',
    'vacuum analyze public.audit_logs',
    'analyze private.audit_identities',
  ),
  operation(
    'retention deletes what is old enough',
    `insert into private.security_events (kind, source, minute, address) values ('rate_limited', 'functions', now() - interval '100 days', '203.0.113.250');
      select private.purge_expired()`,
    'select 1',
  ),
  {
    name: 'an account is deleted, and its people with it from the log',
    async run(stack) {
      const { id } = await newStudent(stack.project, [])
      await stack.sql`delete from auth.users where id = ${id}`
      return undefined
    },
  },
  {
    name: 'a family exports its data from one home',
    async run(stack) {
      const address = stack.newAddress()
      await times(3, async () => {
        const { token } = await newStudent(stack.project, [])
        await stack.send(address, own, { method: 'POST', token, body: {} })
      })
      return undefined
    },
  },
  {
    name: 'a telephone changes its networks all day',
    async run(stack) {
      const { email } = await oneAccount(stack)
      await times(5, () => stack.signInAtAuth(stack.newAddress(), email, PASSWORD))
      return undefined
    },
  },
  {
    name: 'a mail scanner opens links that have ended',
    run: (stack) => calls(stack, 20, `/functions/v1/buddy/checkin/${randomBytes(48).toString('base64url')}`),
  },
  {
    name: 'a monitor calls a worker without its secret',
    run: (stack) => calls(stack, 3, '/functions/v1/pipeline-text', { method: 'POST', body: {} }),
  },
]
