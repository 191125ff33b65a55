import postgres from 'postgres'

/**
 * Switches off the policy that asks staff for a second factor: invented people have no authenticator app. Only for a database of this
 * machine that was just made, and for a project that tests have to themselves; no seed does it, as those run on preview branches too.
 */
export async function letStaffSignInByPassword(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    await sql`update public.security_policies set enabled = false where id = 'pol_staff_second_factor' and enabled`
  } finally {
    await sql.end()
  }
}
