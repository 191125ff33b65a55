import { type ReactNode, useSyncExternalStore } from 'react'
import type { Database } from '../../../../types/database.ts'
import { Loaded, Screen } from '../../../ui/elements.tsx'
import { Filters, Select } from '../../../ui/filters.tsx'
import { type Id, P } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { useUniversitiesOf } from '../person.tsx'

export type University = Database['public']['Tables']['universities']['Row']

/** The university that was chosen last, for all screens of who administers several. */
let chosen = ''
const followers = new Set<() => void>()

function choose(university: string): void {
  chosen = university
  for (const follow of followers) follow()
}

function follow(follower: () => void): () => void {
  followers.add(follower)
  return () => followers.delete(follower)
}

/** The universities that the person administers. */
function useAdministered() {
  const ids = useUniversitiesOf('university_admin')
  return useRead(['administered', ...ids], (client) =>
    done(client.from('universities').select('*').in('id', ids).order('name')),
  )
}

type Props = { title: Id; children: (university: University) => ReactNode }

/** A screen about one university: whoever administers several chooses which. */
export function UniversityScreen({ title, children }: Props) {
  const universities = useAdministered()
  const wanted = useSyncExternalStore(follow, () => chosen)
  return (
    <Screen title={title}>
      <Loaded query={universities}>
        {(all) => {
          const university = all.find(({ id }) => id === wanted) ?? all[0]
          if (!university) return <P className="muted" id="university.none" />
          return (
            <>
              {all.length === 1 ? (
                <p className="muted" dir="auto">
                  {university.name}
                </p>
              ) : (
                <Filters>
                  <Select
                    label="university.which"
                    options={all.map(({ id }) => id)}
                    value={university.id}
                    onChange={choose}
                  >
                    {(one) => all.find(({ id }) => id === one)?.name ?? one}
                  </Select>
                </Filters>
              )}
              <div key={university.id} className="stack">
                {children(university)}
              </div>
            </>
          )
        }}
      </Loaded>
    </Screen>
  )
}
