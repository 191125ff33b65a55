import { useState } from 'react'
import { Confirm, Dialog } from '../../../ui/dialog.tsx'
import { Loaded, Screen } from '../../../ui/elements.tsx'
import { Filters, Search, Select } from '../../../ui/filters.tsx'
import { Field, Form } from '../../../ui/form.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { type Client, done } from '../../../ui/service.tsx'
import { Ago, Status } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { type StaffRow, useStaff, useUniversities } from '../people.ts'
import { calledOf, Person, STAFF_ROLES, UniversityShown } from './words.tsx'

const STATES = ['', 'no-second-factor', 'disabled', 'invited'] as const
type State = (typeof STATES)[number]

const IS: Record<Exclude<State, ''>, (row: StaffRow) => boolean> = {
  'no-second-factor': (row) => row.user_id !== null && !row.second_factor,
  disabled: (row) => row.disabled === true,
  invited: (row) => row.user_id === null,
}

/** Everybody with a role of staff, at all universities. */
export default function Roles() {
  const { t } = useTexts()
  const staff = useStaff()
  const { data: universities = [] } = useUniversities()
  const [university, setUniversity] = useState('')
  const [role, setRole] = useState<(typeof STAFF_ROLES)[number] | ''>('')
  const [state, setState] = useState<State>('')
  const [words, setWords] = useState('')
  const sought = words.toLocaleLowerCase()
  const isMeant = (row: StaffRow) =>
    (university === '' || row.university_id === university) &&
    (role === '' || row.role === role) &&
    (state === '' || IS[state](row)) &&
    `${calledOf(row)} ${row.email}`.toLocaleLowerCase().includes(sought)
  return (
    <Screen title="security.staff">
      <div className="row">
        <NewRole label="security.invite" about="security.invite.about" />
        <NewRole label="security.grant" about="security.grant.about" />
      </div>
      <Filters>
        <Search label="security.staff.search" onChange={setWords} />
        <Select
          label="security.university"
          options={['', ...universities.map(({ id }) => id)]}
          value={university}
          onChange={setUniversity}
        >
          {(one) => universities.find(({ id }) => id === one)?.name ?? t('security.any')}
        </Select>
        <Select label="security.role" options={['', ...STAFF_ROLES]} value={role} onChange={setRole}>
          {(one) => t(one ? `role.${one}` : 'security.any')}
        </Select>
        <Select label="security.status" options={STATES} value={state} onChange={setState}>
          {(one) => t(one ? `security.staff.${one}` : 'security.any')}
        </Select>
      </Filters>
      <Loaded query={staff}>
        {(rows) => (
          <DataTable
            label="security.staff"
            empty="security.none-such"
            rows={rows.filter(isMeant)}
            keyOf={({ email, role: held, university_id, user_id }) =>
              `${user_id} ${email} ${held} ${university_id}`
            }
            columns={[
              {
                label: 'security.name',
                cell: ({ user_id, email }) => (
                  <div>
                    {user_id && <Person id={user_id} />}
                    <p className="muted breaks">
                      <bdi>{email}</bdi>
                    </p>
                  </div>
                ),
                sortBy: calledOf,
              },
              {
                label: 'security.role',
                cell: (row) => (row.role === 'student' ? null : t(`role.${row.role}`)),
                sortBy: (row) => row.role,
              },
              {
                label: 'security.university',
                cell: ({ university_id }) =>
                  university_id ? <UniversityShown id={university_id} /> : t('security.all-universities'),
                sortBy: ({ university_id }) => university_id,
              },
              { label: 'security.status', cell: (row) => <StandingOf row={row} /> },
              {
                label: 'security.last-sign-in',
                cell: ({ last_sign_in_at }) =>
                  last_sign_in_at ? <Ago at={last_sign_in_at} /> : t('security.never'),
                sortBy: ({ last_sign_in_at }) => last_sign_in_at,
              },
              { label: 'security.do', cell: (row) => <Take row={row} /> },
            ]}
          />
        )}
      </Loaded>
    </Screen>
  )
}

function StandingOf({ row }: { row: StaffRow }) {
  if (row.invited_until)
    return (
      <>
        <Status label="security.staff.invited" /> <Ago at={row.invited_until} />
      </>
    )
  if (row.disabled) return <Status label="security.account.disabled" tone="bad" />
  if (!row.second_factor) return <Status label="security.second-factor.none" tone="warning" />
  return <Status label="security.second-factor" tone="good" />
}

/** Takes a role or an invitation away, and offers to give it again. */
function Take({ row }: { row: StaffRow }) {
  const { t } = useTexts()
  const tell = useToast()
  const { email, role, user_id, university_id } = row
  const where = university_id === null ? {} : { university_id }
  const isInvited = user_id === null
  const back = (client: Client) =>
    isInvited
      ? done(client.rpc('invite_staff', { email, role, ...where }))
      : done(client.rpc('grant_role', { person: user_id, role, ...where }))
  async function take(client: Client) {
    await (isInvited
      ? done(client.rpc('withdraw_invitation', { email, role, ...where }))
      : done(client.rpc('revoke_role', { person: user_id, role, ...where })))
    tell({
      message: isInvited ? 'security.withdrawn' : 'security.revoked',
      values: { name: calledOf(row) },
      undo: back,
    })
  }
  if (role === 'student') return null
  return (
    <Confirm
      label={isInvited ? 'security.withdraw' : 'security.revoke'}
      title={isInvited ? 'security.withdraw.title' : 'security.revoke.title'}
      question={isInvited ? 'security.withdraw.asked' : 'security.revoke.asked'}
      target={
        <>
          <bdi>{calledOf(row)}</bdi> · <bdi>{email}</bdi> · {t(`role.${role}`)}
          {university_id && (
            <>
              {' · '}
              <UniversityShown id={university_id} />
            </>
          )}
        </>
      }
      run={(_, client) => take(client)}
    />
  )
}

type NewProps =
  | { label: 'security.invite'; about: 'security.invite.about' }
  | { label: 'security.grant'; about: 'security.grant.about' }

/** Invites somebody, or gives a role to who has an account already. */
function NewRole({ label, about }: NewProps) {
  const { t } = useTexts()
  const tell = useToast()
  const { data: universities = [] } = useUniversities()
  const [role, setRole] = useState<(typeof STAFF_ROLES)[number]>('counselor')
  return (
    <Dialog button={{ label }} title={label}>
      {(close) => (
        <>
          <P id={about} />
          <Form
            submit={label}
            cancel={close}
            onSubmit={async (typed, client) => {
              const email = typed('email')
              const where = role === 'security_admin' ? {} : { university_id: typed('university') }
              if (label === 'security.invite') {
                await done(client.rpc('invite_staff', { email, role, ...where }))
                tell({ message: 'security.invited', values: { name: email } })
              } else {
                const isNew = await done(client.rpc('grant_role', { person: email, role, ...where }))
                tell({
                  message: isNew ? 'security.granted' : 'security.granted.before',
                  values: { name: email },
                })
              }
              close()
            }}
          >
            <Field label="security.email" name="email" type="email" isRequired maxLength={320} />
            <Select label="security.role" options={STAFF_ROLES} value={role} onChange={setRole}>
              {(one) => t(`role.${one}`)}
            </Select>
            {role !== 'security_admin' && (
              <Select
                label="security.university"
                name="university"
                isRequired
                options={universities.map(({ id }) => id)}
              >
                {(one) => universities.find(({ id }) => id === one)?.name ?? one}
              </Select>
            )}
          </Form>
        </>
      )}
    </Dialog>
  )
}
