import { Fragment } from 'react'
import { useParams } from 'wouter'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { DateField, instantOf, minuteOf, Select } from '../../../ui/filters.tsx'
import { Action, Field, Form, type Typed } from '../../../ui/form.tsx'
import { T, useTexts } from '../../../ui/language.tsx'
import { type Client, done, useRead, useService } from '../../../ui/service.tsx'
import { Ago, Facts, When } from '../../../ui/shown.tsx'
import { useStaff } from '../people.ts'
import { usePerson } from '../person.tsx'
import { DoneAbout, type Incident, Responses } from './respond.tsx'
import {
  calledOf,
  type IncidentStatus,
  Person,
  SeverityShown,
  StatusShown,
  UniversityShown,
  useTransitions,
  useWords,
} from './words.tsx'

/** One incident: what happened, what was done, and what can be done. */
export default function IncidentScreen() {
  const { id } = useParams<{ id: string }>()
  const { api } = useService()
  const incident = useRead(
    ['incident', id],
    () => done(api.GET('/api/security/incidents/{id}', { params: { path: { id } } })),
    { refetchInterval: 15_000 },
  )
  return (
    <Screen title="security.incident">
      <Loaded query={incident}>{(loaded) => <Shown incident={loaded} />}</Loaded>
    </Screen>
  )
}

function Shown({ incident }: { incident: Incident }) {
  const { t } = useTexts()
  const { description, indicators, affected_users, affected_systems } = incident
  const { notify_authority_by, notify_people_by } = incident
  return (
    <>
      <section>
        <p className="lead">
          <bdi>{incident.title}</bdi>
        </p>
        <div className="row">
          <SeverityShown of={incident.severity} />
          <StatusShown of={incident.status} />
        </div>
        {notify_authority_by && notify_people_by && (
          <div className="notice">
            <p>
              <T id="security.notify" /> <When at={notify_authority_by} /> (<Ago at={notify_authority_by} />)
            </p>
            <p>
              <T id="security.notify-people" /> <When at={notify_people_by} />
            </p>
          </div>
        )}
        <p className="prose" dir="auto">
          {description}
        </p>
        <Facts
          of={[
            ['security.type', t(`security.type.${incident.type}`)],
            ['security.detected-at', <When key="detected" at={incident.detected_at} />],
            ['security.last-seen', <Ago key="seen" at={incident.last_seen_at} />],
            ['security.ended', incident.ended_at && <When at={incident.ended_at} />],
            [
              'security.owner',
              incident.owner ? <Person key="owner" id={incident.owner} /> : t('security.owner.nobody'),
            ],
            [
              'security.university',
              incident.university_id ? (
                <UniversityShown key="university" id={incident.university_id} />
              ) : (
                t('security.all-universities')
              ),
            ],
            ['security.systems', affected_systems.length > 0 ? affected_systems.join(', ') : null],
            ['security.id', <bdi key="id">{incident.id}</bdi>],
          ]}
        />
        <Handling incident={incident} />
      </section>
      <Section title="security.respond">
        <Responses incident={incident} />
      </Section>
      <Section title="security.response">
        <DoneAbout incident={incident} />
      </Section>
      {affected_users.length > 0 && (
        <Section title="security.concerned">
          <ul className="links">
            {affected_users.slice(0, 100).map((account) => (
              <li key={account}>
                <Person id={account} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="security.timeline">
        <Timeline of={incident} />
      </Section>
      {Object.keys(indicators).length > 0 && (
        <details>
          <summary>
            <T id="security.evidence" />
          </summary>
          <pre dir="ltr">{JSON.stringify(indicators, null, 2)}</pre>
        </details>
      )}
    </>
  )
}

/** Who deals with it, how far it is, and what is noted. */
function Handling({ incident }: { incident: Incident }) {
  const { id, status, owner, ended_at } = incident
  const { id: own } = usePerson()
  const note = (close: () => void) => async (typed: Typed, client: Client) => {
    await done(client.rpc('add_incident_note', { incident_id: id, note: typed('note') }))
    close()
  }
  const reopen = (close: () => void) => async (typed: Typed, client: Client) => {
    await done(client.rpc('reopen_incident', { incident_id: id, reason: typed('reason') }))
    close()
  }
  return (
    <div className="row">
      {!ended_at && owner !== own && (
        <Action
          kind="primary"
          label="security.take"
          run={(client) => done(client.rpc('assign_incident', { incident_id: id }))}
        />
      )}
      {!ended_at && <Assign incident={incident} />}
      {status !== 'closed' && <Change incident={incident} />}
      <Dialog button={{ label: 'security.note' }} title="security.note">
        {(close) => (
          <Form submit="security.note" cancel={close} onSubmit={note(close)}>
            <Field label="security.note.words" name="note" rows={4} maxLength={2000} isRequired />
          </Form>
        )}
      </Dialog>
      {ended_at && (
        <Dialog button={{ label: 'security.reopen' }} title="security.reopen">
          {(close) => (
            <Form submit="security.reopen" cancel={close} onSubmit={reopen(close)}>
              <Field label="security.reason" name="reason" rows={3} maxLength={2000} isRequired />
            </Form>
          )}
        </Dialog>
      )}
    </div>
  )
}

function Assign({ incident: { id, owner } }: { incident: Incident }) {
  const { data: staff = [] } = useStaff()
  const administrators = staff.filter((one) => one.role === 'security_admin' && one.user_id && !one.disabled)
  return (
    <Dialog button={{ label: 'security.assign' }} title="security.assign">
      {(close) => (
        <Form
          submit="security.assign"
          cancel={close}
          onSubmit={async (typed, client) => {
            const note = typed('note')
            await done(
              client.rpc('assign_incident', {
                incident_id: id,
                owner: typed('owner'),
                ...(note && { note }),
              }),
            )
            close()
          }}
        >
          <Select
            label="security.owner"
            name="owner"
            isRequired
            defaultValue={owner ?? ''}
            options={administrators.map(({ user_id }) => user_id ?? '')}
          >
            {(one) => administrators.filter(({ user_id }) => user_id === one).map(calledOf)[0] ?? ''}
          </Select>
          <Field label="security.note.words" name="note" rows={3} maxLength={2000} />
        </Form>
      )}
    </Dialog>
  )
}

function Change({ incident: { id, status, ended_at, aware_at } }: { incident: Incident }) {
  const { t } = useTexts()
  const { data: transitions } = useTransitions()
  // What has ended is taken up again with a reason, beside.
  const following = (transitions?.[status] ?? []).filter((one) => !ended_at || one === 'closed')
  const isOne = (text: string): text is IncidentStatus => following.some((one) => one === text)
  return (
    <Dialog button={{ label: 'security.change' }} title="security.change">
      {(close) => (
        <Form
          submit="security.change"
          cancel={close}
          onSubmit={async (typed, client) => {
            const [next, note, known] = [typed('status'), typed('note'), instantOf(typed('aware'))]
            await done(
              client.rpc('change_incident', {
                incident_id: id,
                ...(isOne(next) && { status: next }),
                ...(note && { note }),
                ...(known && { aware_at: known }),
              }),
            )
            close()
          }}
        >
          <Select label="security.status" name="status" options={['', ...following]}>
            {(one) => t(one ? `security.status.${one}` : 'security.unchanged')}
          </Select>
          {!aware_at && !ended_at && (
            <DateField label="security.aware" name="aware" type="datetime-local" max={minuteOf(Date.now())} />
          )}
          <Field label="security.note.words" name="note" rows={3} maxLength={2000} />
        </Form>
      )}
    </Dialog>
  )
}

type Entry = Incident['timeline'][number]

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What happened to it, the latest first. */
function Timeline({ of: { timeline } }: { of: Incident }) {
  return (
    <ol className="list timeline" reversed>
      {timeline.toReversed().map((entry) => (
        <li key={`${entry.at} ${entry.event}`}>
          <TimelineEntry entry={entry} />
        </li>
      ))}
    </ol>
  )
}

function TimelineEntry({ entry }: { entry: Entry }) {
  const { t, known } = useTexts()
  const words = useWords()
  const [by, owner, action, target, status, severity] = [
    entry.by,
    entry.owner,
    entry.action,
    entry.target,
    entry.status,
    entry.severity,
  ].map(textOf)
  const of = entry.event === 'response' ? null : known(`security.status.${status}`)
  const rated = known(`security.severity.${severity}`)
  const parts = [
    action && `${words('action', action)}${entry.undone === true ? ` (${t('security.was-undone')})` : ''}`,
    of && t(of),
    rated && t(rated),
  ].filter(Boolean)
  return (
    <>
      <p className="muted">
        <When at={entry.at} />
        {by && (
          <>
            {' '}
            <Person id={by} />
          </>
        )}
      </p>
      <p>
        <strong>{words('event', entry.event)}</strong>
        {parts.map((part) => (
          <Fragment key={part}>
            {' · '}
            {part}
          </Fragment>
        ))}
        {owner && (
          <>
            {' · '}
            <Person id={owner} />
          </>
        )}
        {target && (
          <>
            {' · '}
            {action === 'disable_user' ? <Person id={target} /> : <bdi>{target}</bdi>}
          </>
        )}
      </p>
      {textOf(entry.note) && (
        <p className="prose" dir="auto">
          {textOf(entry.note)}
        </p>
      )}
    </>
  )
}
