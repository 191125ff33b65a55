import { useState } from 'react'
import { Confirm, Dialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/elements.tsx'
import { Filters, Search, Select } from '../../../ui/filters.tsx'
import { Action, Field, Form } from '../../../ui/form.tsx'
import { type Id, P, T, useTexts } from '../../../ui/language.tsx'
import { type Client, done } from '../../../ui/service.tsx'
import { Status, When } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { nameOf, type StaffRow, useStaff } from '../people.ts'
import { usePerson } from '../person.tsx'
import { type University, UniversityScreen } from './chosen.tsx'
import './university.css'

type Member = StaffRow

const ROLES = ['counselor', 'university_admin'] as const
type GivenRole = (typeof ROLES)[number]

const SHOWN = ['all', 'counselor', 'university_admin', 'invited'] as const
const SHOWN_NAMES: Record<(typeof SHOWN)[number], Id> = {
  all: 'university.staff-all',
  counselor: 'university.counselors',
  university_admin: 'university.administrators',
  invited: 'university.invited-people',
}

/** Who works at a university, and who is invited to. */
export default function Staff() {
  return (
    <UniversityScreen title="university.staff">
      {(university) => <Members university={university} />}
    </UniversityScreen>
  )
}

function Members({ university }: { university: University }) {
  const { t } = useTexts()
  const staff = useStaff(university.id)
  const [words, setWords] = useState('')
  const [shown, setShown] = useState<(typeof SHOWN)[number]>('all')
  const isSought = (member: Member) =>
    [nameOf(member), member.email].some((text) =>
      text?.toLocaleLowerCase().includes(words.toLocaleLowerCase()),
    )
  const isShown = ({ role, invited_until }: Member) =>
    shown === 'all' || (shown === 'invited' ? invited_until !== null : role === shown)
  return (
    <>
      <Invite university={university} />
      <Filters>
        <Search label="university.search-staff" onChange={setWords} />
        <Select label="university.role" options={SHOWN} value={shown} onChange={setShown}>
          {(one) => t(SHOWN_NAMES[one])}
        </Select>
      </Filters>
      <Loaded query={staff}>
        {(members) => (
          <DataTable
            label="university.staff"
            rows={members.filter((member) => isShown(member) && isSought(member))}
            keyOf={({ user_id, email, role }) => `${user_id ?? email} ${role}`}
            empty="university.no-staff"
            columns={[
              {
                label: 'university.who',
                sortBy: (member) => nameOf(member) ?? member.email,
                cell: (member) => <Who member={member} />,
              },
              {
                label: 'university.role',
                sortBy: ({ role }) => role,
                cell: ({ role }) => <T id={`role.${role}`} />,
              },
              { label: 'university.state', cell: (member) => <State member={member} /> },
              {
                label: 'university.last-sign-in',
                sortBy: ({ last_sign_in_at }) => last_sign_in_at,
                cell: ({ last_sign_in_at: at }) => (at ? <When at={at} /> : <T id="university.unknown" />),
              },
              {
                label: 'university.actions',
                cell: (member) => <Actions member={member} members={members} university={university} />,
              },
            ]}
          />
        )}
      </Loaded>
    </>
  )
}

function Who({ member }: { member: Member }) {
  const name = nameOf(member)
  return (
    <span dir="auto">
      {name && (
        <>
          <strong>{name}</strong> <br />
        </>
      )}
      <span className={name ? 'muted' : undefined}>{member.email}</span>
    </span>
  )
}

function State({ member: { invited_until, disabled, second_factor } }: { member: Member }) {
  const { time } = useTexts()
  if (invited_until)
    return <Status label="university.invited-until" values={{ until: time(invited_until) }} />
  if (disabled) return <Status label="university.disabled" tone="bad" />
  return second_factor ? (
    <Status label="university.works-here" tone="good" />
  ) : (
    <Status label="university.no-second-factor" tone="warning" />
  )
}

/** Invites somebody, who gets a mail; inviting again sends it once more. */
const inviteBy = (client: Client, email: string, role: Member['role'], { id }: University) =>
  done(client.rpc('invite_staff', { email, role, university_id: id }))

function Invite({ university }: { university: University }) {
  const { t } = useTexts()
  const tell = useToast()
  return (
    <Dialog button={{ label: 'university.invite', kind: 'primary' }} title="university.invite">
      {(close) => (
        <Form
          submit="university.invite-send"
          cancel={close}
          onSubmit={async (typed, client) => {
            const role = ROLES.find((one) => one === typed('role')) ?? 'counselor'
            const email = typed('email')
            await inviteBy(client, email, role, university)
            tell({
              message: 'university.invited',
              values: { email },
              undo: (client) =>
                done(client.rpc('withdraw_invitation', { email, role, university_id: university.id })),
            })
            close()
          }}
        >
          <P id="university.invite-note" />
          <Field label="field.email" name="email" type="email" autoComplete="off" isRequired />
          <Select label="university.role" name="role" options={ROLES} defaultValue="counselor">
            {(one) => t(`role.${one}`)}
          </Select>
        </Form>
      )}
    </Dialog>
  )
}

type ActionsProps = { member: Member; members: readonly Member[]; university: University }

function Actions({ member, members, university }: ActionsProps) {
  const tell = useToast()
  const { id: self } = usePerson()
  const { user_id, email, role, invited_until } = member
  const target = (
    <>
      <bdi>{nameOf(member)}</bdi> <bdi>{email}</bdi> · <T id={`role.${role}`} />
    </>
  )
  if (email === null || user_id === self) return <T id="university.unknown" />
  const args = { role, university_id: university.id }
  if (invited_until)
    return (
      <div className="amounts">
        <Action
          label="university.invite-again"
          run={async (client) => {
            await inviteBy(client, email, role, university)
            tell({ message: 'university.invited', values: { email } })
          }}
        />
        <Confirm
          label="university.withdraw"
          title="university.withdraw-title"
          question="university.withdraw-question"
          target={target}
          run={async (_, client) => {
            await done(client.rpc('withdraw_invitation', { ...args, email }))
            tell({
              message: 'university.withdrawn',
              undo: (client) => inviteBy(client, email, role, university),
            })
          }}
        />
      </div>
    )
  const person = user_id ?? email
  const has = (wanted: GivenRole) => members.some((one) => one.user_id === user_id && one.role === wanted)
  const missing = ROLES.find((one) => !has(one))
  return (
    <div className="amounts">
      {missing && (
        <Confirm
          label={missing === 'counselor' ? 'university.make-counselor' : 'university.make-administrator'}
          kind="plain"
          title="university.give-title"
          question={missing === 'counselor' ? 'university.give-counselor' : 'university.give-administrator'}
          target={target}
          run={async (_, client) => {
            const given = { person, role: missing, university_id: university.id }
            await done(client.rpc('grant_role', given))
            tell({ message: 'university.given', undo: (client) => done(client.rpc('revoke_role', given)) })
          }}
        />
      )}
      <Confirm
        label="university.take-role"
        title="university.take-title"
        // Who has no role left is not staff any more: they are invited again.
        question={missing ? 'university.remove-question' : 'university.take-question'}
        target={target}
        run={async (_, client) => {
          await done(client.rpc('revoke_role', { ...args, person }))
          tell({
            message: 'university.taken',
            undo: (client) =>
              missing
                ? inviteBy(client, email, role, university)
                : done(client.rpc('grant_role', { ...args, person })),
          })
        }}
      />
    </div>
  )
}
