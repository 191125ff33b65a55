import type { Sql, TransactionSql } from 'postgres'
import type { Person, Staff, Student, University } from './people.ts'

/** The password of every demonstration account. */
export const PASSWORD = 'invented-password-1'

/** Accounts per transaction; the service's triggers run once for each. */
const BATCH = 1_000

const CONSENT_VERSION = '2026-11'

export async function addUniversities(sql: Sql, universities: readonly University[]): Promise<void> {
  const rows = universities.map(({ id, name, shortName, domain, number, timeZone, languages }) => ({
    id,
    name,
    short_name: shortName,
    domain,
    country: 'US',
    time_zone: timeZone,
    languages: [...languages],
    support_email: `support@${domain}`,
    crisis_phone: `+1-202-555-01${String(30 + (number % 60)).padStart(2, '0')}`,
  }))
  await sql`insert into public.universities ${sql(rows)}`
}

/** Creates student accounts with their consents. The service's own triggers create profiles, roles and rows of `students`. */
export async function addStudents(
  sql: Sql,
  students: readonly Student[],
  { since, progress }: { since: Date; progress: (done: number) => void },
): Promise<void> {
  const hash = await passwordHash(sql)
  for (let start = 0; start < students.length; start += BATCH) {
    const batch = students.slice(start, start + BATCH)
    await sql.begin(async (tx) => {
      await addAccounts(tx, batch, { hash, since })
      await tx`
        update public.students s
        set faculty = r.faculty, year_of_study = r.year_of_study, residence = r.residence
        from unnest(
          ${batch.map(({ id }) => id)}::uuid[], ${batch.map(({ faculty }) => faculty)}::text[],
          ${batch.map(({ yearOfStudy }) => yearOfStudy)}::text[], ${batch.map(({ residence }) => residence)}::text[]
        ) as r (user_id, faculty, year_of_study, residence)
        where s.user_id = r.user_id`
      const consents = batch.flatMap((student) =>
        consentKinds(student).map((kind) => ({ id: student.id, kind })),
      )
      // Each row as the student of the row, whom a trigger asks for: nobody else agrees.
      await tx`
        insert into public.consents (user_id, kind, version, granted_at)
        select c.user_id, c.kind, ${CONSENT_VERSION}, ${since}
        from unnest(
          ${consents.map(({ id }) => id)}::uuid[], ${consents.map(({ kind }) => kind)}::public.consent_kind[]
        ) as c (user_id, kind)
        cross join lateral (
          select set_config('request.jwt.claims', json_build_object('sub', c.user_id)::text, true) as claims
        ) as student
        where student.claims <> ''`
      await tx`select set_config('request.jwt.claims', '', true)`
    })
    progress(start + batch.length)
  }
}

/** Creates staff accounts and removes the student role that every new account gets. */
export async function addStaff(sql: Sql, staff: readonly Staff[], since: Date): Promise<void> {
  const hash = await passwordHash(sql)
  await sql.begin(async (tx) => {
    await addAccounts(tx, staff, { hash, since })
    const ids = staff.map(({ id }) => id)
    await tx`delete from public.user_roles where user_id = any(${ids}::uuid[]) and role = 'student'`
    const roles = staff.map(({ id, role, university }) => ({
      user_id: id,
      role,
      university_id: role === 'security_admin' ? null : university.id,
    }))
    await tx`insert into public.user_roles ${tx(roles)}`
  })
}

/** Confirmed accounts, as Auth would create them. */
async function addAccounts(
  sql: TransactionSql,
  people: readonly Person[],
  { hash, since }: { hash: string; since: Date },
): Promise<void> {
  await sql`
    insert into auth.users (
      instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, confirmation_token, recovery_token,
      email_change_token_new, email_change, raw_app_meta_data, raw_user_meta_data, created_at, updated_at
    )
    select
      '00000000-0000-0000-0000-000000000000', id, 'authenticated', 'authenticated', email, ${hash}, ${since}, '', '',
      '', '', '{"provider": "email", "providers": ["email"]}',
      jsonb_build_object('first_name', first_name, 'last_name', last_name), ${since}, ${since}
    from unnest(
      ${people.map(({ id }) => id)}::uuid[], ${people.map(({ email }) => email)}::text[],
      ${people.map(({ firstName }) => firstName)}::text[], ${people.map(({ lastName }) => lastName)}::text[]
    ) as p (id, email, first_name, last_name)`
  await sql`
    insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
    select
      id::text, id, jsonb_build_object('sub', id, 'email', email, 'email_verified', true), 'email', created_at, created_at
    from auth.users
    where id = any(${people.map(({ id }) => id)}::uuid[])`
}

function consentKinds({ camera, counselorAccess }: Student): string[] {
  return ['audio', 'text', ...(camera ? ['camera'] : []), ...(counselorAccess ? ['counselor_access'] : [])]
}

/** One hash for all accounts, because bcrypt is slow on purpose. */
async function passwordHash(sql: Sql): Promise<string> {
  const [row] = await sql<{ hash: string }[]>`
    select extensions.crypt(${PASSWORD}, extensions.gen_salt('bf', 10)) as hash`
  return row?.hash ?? ''
}
