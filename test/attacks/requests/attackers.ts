import { createHmac } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { analyzed, imageBase64 } from '../../../harness/factories/sessions.ts'
import { newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { checkedIn, newCohort, rollUpDays } from '../../../harness/factories/universities.ts'
import {
  type LocalProject,
  type Project,
  serviceClient,
  withDatabase,
} from '../../../harness/stack/project.ts'
import { readStackSecret } from './operator.ts'
import { type Links, nameContacts, newLinks, type OwnContacts } from './support-circles.ts'
import type { Sight, Victims } from './victims.ts'

/** Somebody who attacks, with what is theirs. */
export type Attacker = {
  name: string
  /** Whose own rows the attacks need. */
  isStudent: boolean
  /** Null when nobody is signed in. */
  token: string | null
  userId: string
  university: string
  /** A student that they may read. */
  student: string
  sessions: readonly string[]
  checkIns: readonly string[]
  /** A file that they may read. */
  file: string
  contacts: OwnContacts
  /** Links of the support circle that they were sent. */
  links: Links
  /** What of the victims' they may see. */
  sees: readonly Sight[]
}

/** Everybody who attacks, and what they know. */
export type Attackers = {
  /** Who calls as a person, signed in or not. */
  people: readonly [visitor: Attacker, ...signedIn: Attacker[]]
  /** Whose rows may be lost in an attack. */
  spare: Attacker
  /** Who may be signed out in an attack. */
  leaver: Attacker
  /** Who has the secret of the database. */
  database: Attacker
  account: { email: string; password: string; refreshToken: string }
  /** A good image, in base64. */
  image: string
  /** Ids, keys and tokens of other people's things. */
  foreign: readonly string[]
  /** Accounts of the victims. */
  victims: readonly string[]
  /** Tables and views that the Data API offers, `schema.name`. */
  exposed: readonly string[]
  /** Those of other schemas. */
  hidden: readonly string[]
}

/** Tokens of a victim that nobody signed, that another secret signed, that have ended, or that mean something else. */
export function hostileTokens(project: LocalProject, { ids: [victim] }: Victims): string[] {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    sub: victim,
    role: 'authenticated',
    aud: 'authenticated',
    iss: `${project.apiUrl}/auth/v1`,
    session_id: crypto.randomUUID(),
    iat: now,
    exp: now + 3600,
  }
  const signed = (alg: string, payload: unknown, secret: string) =>
    token({ alg, typ: 'JWT' }, payload, secret)
  return [
    token({ alg: 'none', typ: 'JWT' }, claims, null),
    token({ alg: 'nOnE' }, claims, null),
    signed('HS256', claims, 'another-secret'),
    signed('HS256', claims, ''),
    signed('HS256', { ...claims, role: 'service_role' }, 'another-secret'),
    signed('HS256', { ...claims, iat: 0, exp: 1 }, project.local.jwtSecret),
    signed('HS256', { ...claims, sub: `' or 1=1 --` }, 'another-secret'),
    signed('RS256', claims, 'another-secret'),
    token({ alg: 'HS256', kid: '../../etc/passwd' }, claims, 'another-secret'),
    token({ alg: 'HS256', jku: 'http://127.0.0.1:1/keys' }, claims, 'another-secret'),
    signed('HS256', '__proto__', 'another-secret'),
    signed('HS256', null, 'another-secret'),
    signed('HS256', { ...claims, exp: 1e308 }, 'another-secret'),
    `${'a'.repeat(4_000)}.b.c`,
    '..',
    'e30.e30.e30',
    'null',
    project.publishableKey,
  ]
}

function token(header: unknown, payload: unknown, secret: string | null): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${part(header)}.${part(payload)}`
  const signature = secret === null ? '' : createHmac('sha256', secret).update(unsigned).digest('base64url')
  return `${unsigned}.${signature}`
}

const HOME = 'northfield'
const SESSIONS = 60
const CHECK_INS = 40
const ANALYSED = 6

/** Makes everybody who attacks: strangers to the victims, and one of their university. */
export async function makeAttackers(project: Project, victims: Victims): Promise<Attackers> {
  await makeFellows(project)
  const signedUp = await newStudent(project)
  const student = await owner(project, 'a student', signedUp)
  await analyseFirst(project, signedUp, student)
  // Without the camera a check-in needs no images.
  const classmate = await newStudent(project, ['audio', 'text'])
  await withDatabase(
    project,
    (sql) =>
      sql`update public.profiles set university_id = ${victims.university} where user_id = ${classmate.id}`,
  )
  const consenting = await newStudent(project, ['counselor_access'])
  const people: Attackers['people'] = [
    { ...nothing, name: 'a visitor' },
    { ...student, contacts: await nameContacts(project, signedUp) },
    {
      ...(await owner(project, 'a student of the university', classmate)),
      contacts: await nameContacts(project, classmate),
      university: victims.university,
      sees: ['university'],
    },
    {
      ...(await owner(project, 'a counselor of another university', await newStaff(project, 'counselor'))),
      student: consenting.id,
    },
    await owner(
      project,
      'an administrator of another university',
      await newStaff(project, 'university_admin'),
    ),
    {
      ...(await owner(project, 'a security administrator', await newStaff(project, 'security_admin'))),
      sees: ['university'],
    },
  ]
  const links = await newLinks(project)
  const [visitor, ...signedIn] = people
  return {
    people: [{ ...visitor, links }, ...signedIn.map((attacker) => ({ ...attacker, links }))],
    spare: await owner(project, 'a student with nothing to lose', await newStudent(project)),
    leaver: await owner(project, 'a student who leaves', await newStudent(project)),
    database: { ...nothing, name: 'the database', token: await readStackSecret(project, 'pipeline_secret') },
    account: await newAccount(project),
    image: await imageBase64(),
    foreign: [...victims.known, consenting.id, student.file, ...student.checkIns.slice(0, 1)],
    victims: victims.ids,
    ...(await tablesOf(project)),
  }
}

const nothing = {
  isStudent: false,
  token: null,
  userId: '',
  university: HOME,
  student: '5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c11',
  sessions: [],
  checkIns: [],
  file: `${HOME}/shared/guide.txt`,
  contacts: { named: [], agreed: [] },
  links: { checkIn: [], alert: [], verify: [] },
  sees: [],
} satisfies Omit<Attacker, 'name'>

/** Students enough for figures about them. */
async function makeFellows(project: Project): Promise<void> {
  await withDatabase(project, async (sql) => {
    const cohorts: string[][] = []
    for (const faculty of ['Law', 'Arts']) cohorts.push(await newCohort(sql, HOME, { faculty, students: 30 }))
    await rollUpDays(sql, async (transaction) => {
      for (const daysAgo of [1, 2, 3]) await checkedIn(transaction, cohorts.flat(), daysAgo, 60)
    })
  })
}

/** So that a score can be calculated of some sessions. */
async function analyseFirst(project: Project, student: Student, { sessions }: Attacker): Promise<void> {
  for (const session of sessions.slice(0, ANALYSED)) {
    for (const name of ['analyze-text', 'analyze-audio'] as const)
      await analyzed(project, student, name, session)
  }
}

/** Somebody with sessions, check-ins that wait, and a file. */
async function owner(project: Project, name: string, { id, token }: Student): Promise<Attacker> {
  const file = `${HOME}/shared/${crypto.randomUUID()}-guide.txt`
  const { error } = await serviceClient(project)
    .storage.from('university-files')
    .upload(file, new Blob(['A guide.'], { type: 'text/plain' }))
  if (error) throw error
  const [sessions, checkIns] = await withDatabase(project, (sql) =>
    Promise.all([
      sql<{ id: string }[]>`
        insert into public.assessment_sessions (user_id, assessment_type)
        select ${id}, 'daily' from generate_series(1, ${SESSIONS}) returning id`,
      sql<{ id: string }[]>`
        insert into checkin.check_ins (user_id, type, status, submissions, error_code, completed_at)
        select ${id}, 'daily', 'failed', 1, 'analysis_failed', now() from generate_series(1, ${CHECK_INS}) returning id`,
    ]),
  )
  const ids = (rows: readonly { id: string }[]) => rows.map((row) => row.id)
  return {
    ...nothing,
    name,
    isStudent: name.startsWith('a student'),
    token,
    userId: id,
    student: id,
    file,
    sessions: ids(sessions),
    checkIns: ids(checkIns),
  }
}

/** An account that is signed in to with its password. */
async function newAccount(project: Project): Promise<Attackers['account']> {
  const email = `signer-${crypto.randomUUID()}@northfield.example.edu`
  const password = 'invented-password-7'
  const made = await serviceClient(project).auth.admin.createUser({ email, password, email_confirm: true })
  if (made.error) throw made.error
  const client = createClient(project.apiUrl, project.publishableKey, { auth: { persistSession: false } })
  const { data, error } = await client.auth.signInWithPassword({ email, password })
  if (error) throw error
  return { email, password, refreshToken: data.session.refresh_token }
}

/** Tables and views that a hostile client may have heard of. */
async function tablesOf(project: Project): Promise<Pick<Attackers, 'exposed' | 'hidden'>> {
  const rows = await withDatabase(
    project,
    (sql) => sql<{ name: string; exposed: boolean }[]>`
      select format('%s.%s', n.nspname, c.relname) as name, n.nspname in ('public', 'checkin') as exposed
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'v') and n.nspname in ('public', 'checkin', 'private', 'auth', 'storage', 'vault', 'cron')
      order by name`,
  )
  const named = (exposed: boolean) => rows.filter((row) => row.exposed === exposed).map(({ name }) => name)
  return { exposed: named(true), hidden: named(false) }
}
