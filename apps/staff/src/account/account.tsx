import { useContext, useState } from 'react'
import { Choice } from '../../../ui/choices.tsx'
import { Confirm, Dialog } from '../../../ui/dialog.tsx'
import { Links, Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { Action, LanguageChoice } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { APPEARANCES, appearance, showAppearance } from '../../../ui/remembered.ts'
import { done, useRead, useService } from '../../../ui/service.tsx'
import { Ago, Status, When } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { useUniversityNames } from '../people.ts'
import { RolesContext, usePerson, useSignOut } from '../person.tsx'
import { NewFactor } from './second-factor.tsx'

/** Whoever is signed in: what they are, how the app looks, their second factor, and where they are signed in. */
export default function Account() {
  const { client } = useService()
  const { t } = useTexts()
  const { email } = usePerson()
  const [chosen, setChosen] = useState(appearance)
  // Mails of Auth are in the language of the account.
  const tellAuth = (language: string) => void client.auth.updateUser({ data: { language } })
  function choose(one: typeof chosen) {
    showAppearance(one)
    setChosen(one)
  }
  return (
    <Screen title="account.title">
      <P id="account.signed-in" email={email} />
      <Roles />
      <LanguageChoice onChange={tellAuth} />
      <Choice label="account.appearance" value={chosen} onChange={choose} choices={APPEARANCES}>
        {(one) => <T id={`account.${one}`} />}
      </Choice>
      <Links to={{ '/account/password': 'account.password' }} />
      <Factors />
      <Sessions />
      <a className="button" href="./licenses.md" target="_blank" rel="noreferrer">
        {t('account.licenses')}
      </a>
    </Screen>
  )
}

function Roles() {
  const { t } = useTexts()
  const roles = useContext(RolesContext)
  const nameOfUniversity = useUniversityNames()
  return (
    <ul className="list">
      {roles.map(({ role, university_id }) => (
        <li key={`${role} ${university_id}`} dir="auto">
          {[t(`role.${role}`), ...(university_id ? [nameOfUniversity(university_id)] : [])].join(', ')}
        </li>
      ))}
    </ul>
  )
}

function Factors() {
  const factors = useRead(['factors'], async ({ auth }) => (await done(auth.mfa.listFactors())).totp)
  return (
    <Section title="account.second-factor">
      <P id="account.factors-explanation" />
      <Loaded query={factors}>
        {(apps) => (
          <DataTable
            label="account.second-factor"
            rows={apps}
            keyOf={({ id }) => id}
            empty="account.no-factor"
            columns={[
              { label: 'account.factor-name', cell: ({ friendly_name }) => <bdi>{friendly_name}</bdi> },
              { label: 'account.added', cell: ({ created_at }) => <When at={created_at} /> },
              {
                label: 'account.remove',
                cell: ({ id, friendly_name }) => (
                  <Confirm
                    label="account.remove"
                    title="account.remove-factor"
                    question="account.remove-factor-question"
                    target={friendly_name ?? id}
                    run={(_, { auth }) => removeFactor(auth, id)}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <Dialog button={{ label: 'account.add-factor' }} title="account.add-factor">
        {(close) => <NewFactor onAdded={close} />}
      </Dialog>
    </Section>
  )
}

type Auth = ReturnType<typeof useService>['client']['auth']

/** The session falls to one without a second factor, where it was the only one. */
async function removeFactor(auth: Auth, factorId: string): Promise<void> {
  await done(auth.mfa.unenroll({ factorId }))
  await done(auth.refreshSession())
}

function Sessions() {
  const sessions = useRead(
    ['own-sessions'],
    async (client) => (await done(client.rpc('list_own_sessions'))) ?? [],
  )
  return (
    <Section title="account.sessions">
      <P id="account.sessions-explanation" />
      <Loaded query={sessions}>
        {(rows) => (
          <DataTable
            label="account.sessions"
            rows={rows}
            keyOf={({ id }) => id}
            empty="account.no-session"
            columns={[
              {
                label: 'account.browser',
                cell: ({ user_agent, is_this }) => (
                  <>
                    <bdi>{browserOf(user_agent)}</bdi>{' '}
                    {is_this && <Status label="account.this-device" tone="good" />}
                  </>
                ),
              },
              { label: 'account.address', cell: ({ address }) => <bdi>{address}</bdi> },
              { label: 'account.used', cell: ({ used_at }) => <Ago at={used_at} /> },
              { label: 'account.began', cell: ({ began_at }) => <When at={began_at} /> },
              {
                label: 'account.end',
                cell: ({ id, is_this, user_agent, address }) =>
                  is_this ? null : (
                    <Confirm
                      label="account.end"
                      title="account.end-session"
                      question="account.end-question"
                      target={[browserOf(user_agent), address].filter(Boolean).join(', ')}
                      run={(_, client) => done(client.rpc('end_own_session', { session_id: id }))}
                    />
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      <div className="row">
        <Action label="account.sign-out" run={useSignOut()} />
        <Confirm
          label="account.sign-out-everywhere"
          title="account.sign-out-everywhere"
          question="account.everywhere-question"
          target={usePerson().email}
          run={useSignOut('global')}
        />
      </div>
    </Section>
  )
}

const BROWSERS = {
  Edg: 'Edge',
  OPR: 'Opera',
  Firefox: 'Firefox',
  Chrome: 'Chrome',
  Safari: 'Safari',
} as const
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Macintosh', 'Linux'] as const

/** Browser and system of what a browser calls itself, else the beginning of that. */
function browserOf(userAgent: string | null): string {
  const text = userAgent ?? ''
  const browser = Object.entries(BROWSERS).find(([token]) => text.includes(`${token}/`))?.[1]
  const system = SYSTEMS.find((one) => text.includes(one))
  return [browser, system].filter(Boolean).join(', ') || text.slice(0, 60) || '?'
}
