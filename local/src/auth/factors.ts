import { z } from 'zod'
import type { Queries } from './context.ts'
import { errors } from './errors.ts'

/** A row of `auth.mfa_factors`. */
export interface FactorRow {
  id: string
  user_id: string
  friendly_name: string | null
  factor_type: 'totp' | 'webauthn' | 'phone'
  status: 'unverified' | 'verified'
  /** Base32, for TOTP. */
  secret: string | null
  phone: string | null
  last_challenged_at: string | null
  created_at: string
  updated_at: string
}

export async function factorsOf(sql: Queries, userId: string): Promise<FactorRow[]> {
  return sql<FactorRow[]>`select * from auth.mfa_factors where user_id = ${userId} order by created_at`
}

export async function hasVerifiedFactor(sql: Queries, userId: string): Promise<boolean> {
  const found = await sql`
    select from auth.mfa_factors where user_id = ${userId} and status = 'verified' limit 1`
  return found.length > 0
}

/** A factor of this account. @throws AuthError 404 `mfa_factor_not_found`, also for one of somebody else */
export async function ownFactor(sql: Queries, userId: string, id: string): Promise<FactorRow> {
  if (!z.guid().safeParse(id).success) throw errors.validation('factor_id must be an UUID', 404)
  const [factor] = await sql<FactorRow[]>`
    select * from auth.mfa_factors where id = ${id} and user_id = ${userId}`
  if (!factor) throw errors.factorNotFound()
  return factor
}

/** A factor as the API shows it, without its secret. */
export const factorResponse = (factor: FactorRow) => ({
  id: factor.id,
  created_at: factor.created_at,
  updated_at: factor.updated_at,
  status: factor.status,
  friendly_name: factor.friendly_name || undefined,
  factor_type: factor.factor_type,
  phone: factor.phone ?? '',
  last_challenged_at: factor.last_challenged_at,
})
