import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import type { StaffRole } from './route.ts'

/** A role that somebody has; the university is null for one that is held everywhere. */
type HeldRole = { role: StaffRole; university_id: string | null }

const NAMES: Record<StaffRole, string> = {
  counselor: 'counselors',
  university_admin: 'university administrators',
  security_admin: 'security administrators',
}

/** Which of these roles an account has, and where. Throws `forbidden` where it has none. */
export async function rolesOfStaff(
  database: Database,
  account: string,
  wanted: readonly StaffRole[],
): Promise<HeldRole[]> {
  const roles = await database<HeldRole[]>`
    select role, university_id from private.roles_held(${account}, ${[...wanted]}::public.app_role[])`
  if (roles.length === 0) {
    throw new ServiceError('forbidden', `Only ${wanted.map((role) => NAMES[role]).join(', ')} do this.`)
  }
  return [...roles]
}

/**
 * Checks that one of the roles is held at the university that a call names, if it names one; whoever has none there does not learn
 * whether it exists. Throws `forbidden`.
 */
export function requireRoleAt(university: unknown, roles: readonly HeldRole[]): void {
  if (university === undefined || roles.some(({ university_id }) => university_id === university)) return
  throw new ServiceError('forbidden', 'You do not have the role for this at a university of this id.')
}
