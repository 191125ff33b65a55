import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import type { Queries, Sql } from './context.ts'
import { errors } from './errors.ts'
import { factorResponse, factorsOf } from './factors.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Metadata = Record<string, Json>

export interface UserRow {
  id: string
  aud: string | null
  role: string | null
  email: string | null
  phone: string | null
  encrypted_password: string | null
  email_confirmed_at: string | null
  phone_confirmed_at: string | null
  confirmed_at: string | null
  invited_at: string | null
  confirmation_token: string | null
  confirmation_sent_at: string | null
  recovery_token: string | null
  recovery_sent_at: string | null
  email_change: string | null
  email_change_token_new: string | null
  email_change_token_current: string | null
  email_change_sent_at: string | null
  email_change_confirm_status: number | null
  reauthentication_token: string | null
  reauthentication_sent_at: string | null
  raw_app_meta_data: Metadata | null
  raw_user_meta_data: Metadata | null
  banned_until: string | null
  deleted_at: string | null
  is_anonymous: boolean
  last_sign_in_at: string | null
  created_at: string
  updated_at: string
}

interface IdentityRow {
  id: string
  provider: string
  provider_id: string
  user_id: string
  identity_data: Metadata
  email: string | null
  last_sign_in_at: string | null
  created_at: string
  updated_at: string
}

export type UserChanges = Partial<Omit<UserRow, 'id' | 'confirmed_at' | 'created_at' | 'updated_at'>>

export const isBanned = (user: UserRow) =>
  user.banned_until !== null && Date.parse(user.banned_until) > Date.now()

export async function findUser(sql: Queries, id: string): Promise<UserRow | undefined> {
  const [user] = await sql<UserRow[]>`select * from auth.users where id = ${id}`
  return user
}

export async function findUserByEmail(sql: Queries, email: string): Promise<UserRow | undefined> {
  const [user] = await sql<UserRow[]>`
    select * from auth.users where lower(email) = ${email.toLowerCase()} and is_sso_user = false limit 1`
  return user
}

const rejected = (action: string) => (error: unknown) => {
  const duplicate = error instanceof postgres.PostgresError && error.code === '23505'
  // Other tables are those of the project's triggers.
  if (duplicate && error.table_name === 'users') throw errors.emailExists()
  throw Object.assign(errors.unexpected(`Database error ${action}`), { cause: error })
}

/** Stores an account with its email identity. Triggers on `auth.users` run in the same transaction. */
export async function createUser(
  sql: Sql,
  fields: UserChanges & { id?: string; email: string },
): Promise<UserRow> {
  const id = fields.id ?? randomUUID()
  const { raw_app_meta_data, raw_user_meta_data, ...columns } = fields
  const verified = columns.email_confirmed_at != null
  const identity = { sub: id, email: fields.email, email_verified: verified, phone_verified: false }
  const row = {
    aud: 'authenticated',
    role: 'authenticated',
    instance_id: '00000000-0000-0000-0000-000000000000',
    confirmation_token: '',
    recovery_token: '',
    email_change: '',
    email_change_token_new: '',
    ...columns,
    id,
    raw_app_meta_data: sql.json({ provider: 'email', providers: ['email'], ...raw_app_meta_data }),
    raw_user_meta_data: sql.json({ ...raw_user_meta_data }),
    created_at: new Date().toISOString(),
    updated_at: new Date().toISOString(),
  }
  await sql
    .begin(async (transaction) => {
      await transaction`insert into auth.users ${transaction(row)}`
      await transaction`
        insert into auth.identities
          (id, provider, provider_id, user_id, identity_data, last_sign_in_at, created_at, updated_at)
        values (${randomUUID()}, 'email', ${id}, ${id}, ${transaction.json(identity)}, now(), now(), now())`
    })
    .catch(rejected('saving new user'))
  const user = await findUser(sql, id)
  if (!user) throw errors.unexpected('Database error saving new user')
  return user
}

export async function updateUser(sql: Queries, id: string, changes: UserChanges): Promise<UserRow> {
  const { raw_app_meta_data, raw_user_meta_data, ...columns } = changes
  const row = {
    ...columns,
    ...(raw_app_meta_data ? { raw_app_meta_data: sql.json(raw_app_meta_data) } : {}),
    ...(raw_user_meta_data ? { raw_user_meta_data: sql.json(raw_user_meta_data) } : {}),
    updated_at: new Date().toISOString(),
  }
  await sql`update auth.users set ${sql(row)} where id = ${id}`.catch(rejected('updating user'))
  const user = await findUser(sql, id)
  if (!user) throw errors.userNotFound()
  return user
}

/** Keeps the email identity in step with the account's address. */
export async function updateEmailIdentity(sql: Queries, user: UserRow, verified: boolean): Promise<void> {
  const changes = { email: user.email, email_verified: verified }
  await sql`
    update auth.identities set identity_data = identity_data || ${sql.json(changes)}, updated_at = now()
    where user_id = ${user.id} and provider = 'email'`
}

/** Metadata with `changes` laid over it; a null removes a key. */
export function mergeMetadata(current: Metadata | null, changes: Metadata | null | undefined): Metadata {
  const merged = { ...current, ...changes }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
}

const identityResponse = ({ id, provider_id, ...identity }: IdentityRow) => ({
  identity_id: id,
  id: provider_id,
  user_id: identity.user_id,
  identity_data: identity.identity_data,
  provider: identity.provider,
  last_sign_in_at: identity.last_sign_in_at,
  created_at: identity.created_at,
  updated_at: identity.updated_at,
  email: identity.email ?? undefined,
})

/** The account as the API shows it; absent times are left out, as GoTrue does. */
export async function userResponse(sql: Queries, user: UserRow) {
  const identities = await sql<IdentityRow[]>`
    select * from auth.identities where user_id = ${user.id} order by created_at`
  const factors = await factorsOf(sql, user.id)
  return {
    id: user.id,
    aud: user.aud ?? 'authenticated',
    role: user.role ?? 'authenticated',
    email: user.email ?? '',
    email_confirmed_at: user.email_confirmed_at ?? undefined,
    invited_at: user.invited_at ?? undefined,
    phone: user.phone ?? '',
    confirmation_sent_at: user.confirmation_sent_at ?? undefined,
    confirmed_at: user.confirmed_at ?? undefined,
    recovery_sent_at: user.recovery_sent_at ?? undefined,
    new_email: user.email_change || undefined,
    email_change_sent_at: user.email_change ? (user.email_change_sent_at ?? undefined) : undefined,
    last_sign_in_at: user.last_sign_in_at ?? undefined,
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    factors: factors.length > 0 ? factors.map(factorResponse) : undefined,
    identities: identities.map(identityResponse),
    created_at: user.created_at,
    updated_at: user.updated_at,
    banned_until: user.banned_until ?? undefined,
    deleted_at: user.deleted_at ?? undefined,
    is_anonymous: user.is_anonymous,
  }
}
