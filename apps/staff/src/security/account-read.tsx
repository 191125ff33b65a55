import type { Account } from '../../../../types/shapes.ts'
import { T } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { UniversityShown } from './words.tsx'

/** An account by its id: whoever reads it is in the audit log first, so it is read once and not again when the window is back. */
export function useAccount(id: string) {
  return useRead(
    ['account', id],
    async (client) => {
      await done(client.rpc('log_access', { action: 'account_read', search: id }))
      return done(client.rpc('read_account', { person: id }))
    },
    { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, refetchOnReconnect: false },
  )
}

/** The roles of an account, each with its university. */
export function RolesShown({
  of,
}: {
  of: readonly Pick<Account['roles'][number], 'role' | 'university_id'>[]
}) {
  if (of.length === 0) return <T id="security.roles.none" />
  return (
    <ul className="bare">
      {of.map(({ role, university_id }) => (
        <li key={`${role} ${university_id}`}>
          <T id={`role.${role}`} />
          {university_id && (
            <>
              {', '}
              <UniversityShown id={university_id} />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
