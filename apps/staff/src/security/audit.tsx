import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Constants, type Database } from '../../../../types/database.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Button, Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { DateField, Filters, Search, Select } from '../../../ui/filters.tsx'
import { Action } from '../../../ui/form.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { type Client, done, useService } from '../../../ui/service.tsx'
import { Facts, Status, When } from '../../../ui/shown.tsx'
import { DataTable, More } from '../../../ui/table.tsx'
import { useStaff, useUniversities } from '../people.ts'
import { calledOf, Person, UniversityShown, useWords } from './words.tsx'

type AuditAction = Database['public']['Enums']['audit_action']
type Entry = Database['public']['CompositeTypes']['audit_entry']
type Filter = {
  action: AuditAction | ''
  actor: string
  target: string
  university: string
  since: string
  until: string
}

const ANY: Filter = { action: '', actor: '', target: '', university: '', since: '', until: '' }
const PAGE = 50

/** Who did what, the latest first. */
export default function Audit() {
  const { client } = useService()
  const { t } = useTexts()
  const words = useWords()
  const [filter, setFilter] = useState(ANY)
  const { data: staff = [] } = useStaff()
  const { data: universities = [] } = useUniversities()
  const { action, actor, target, university, since, until } = filter
  const entries = useInfiniteQuery({
    queryKey: ['audit', filter],
    initialPageParam: null,
    queryFn: ({ pageParam }: { pageParam: number | null }) =>
      done(
        client.rpc('read_audit_log', {
          page_limit: PAGE,
          ...(pageParam !== null && { before_entry: pageParam }),
          ...(action && { action }),
          ...(actor && { actor_id: actor }),
          ...(target && { target_id: target }),
          ...(university && { university_id: university }),
          ...(since && { since: beginningOf(since, 0) }),
          ...(until && { until: beginningOf(until, 1) }),
        }),
      ),
    getNextPageParam: (page) => (page.length < PAGE ? null : (page.at(-1)?.id ?? null)),
  })
  const people = new Map(staff.flatMap((one) => (one.user_id ? [[one.user_id, calledOf(one)] as const] : [])))
  const narrow = (change: Partial<Filter>) => setFilter({ ...filter, ...change })
  return (
    <Screen title="security.audit">
      <Verify />
      <Filters>
        <Select
          label="security.audit.action"
          options={['', ...ACTIONS]}
          value={action}
          onChange={(chosen) => narrow({ action: chosen })}
        >
          {(one) => (one ? words('audit', one) : t('security.any'))}
        </Select>
        <Select
          label="security.audit.actor"
          options={['', ...people.keys()]}
          value={actor}
          onChange={(chosen) => narrow({ actor: chosen })}
        >
          {(one) => people.get(one) ?? t('security.any')}
        </Select>
        <Search
          label="security.audit.target"
          hint="security.audit.target.hint"
          onChange={(words) => narrow({ target: words })}
        />
        <Select
          label="security.university"
          options={['', ...universities.map(({ id }) => id)]}
          value={university}
          onChange={(chosen) => narrow({ university: chosen })}
        >
          {(one) => universities.find(({ id }) => id === one)?.name ?? t('security.any')}
        </Select>
        <DateField label="security.from" value={since} onChange={(day) => narrow({ since: day })} />
        <DateField label="security.until" value={until} onChange={(day) => narrow({ until: day })} />
      </Filters>
      <Loaded query={entries}>
        {({ pages }) => (
          <DataTable
            label="security.audit"
            empty="security.none-such"
            rows={pages.flat()}
            keyOf={({ id }) => String(id)}
            columns={[
              { label: 'security.when', cell: (one) => <When at={one.occurred_at} /> },
              { label: 'security.audit.action', cell: (one) => words('audit', one.action) },
              {
                label: 'security.audit.actor',
                cell: (one) => (one.actor_id ? <Person id={one.actor_id} /> : <bdi>{one.actor_role}</bdi>),
              },
              { label: 'security.audit.target', cell: (one) => <Target of={one} /> },
              { label: 'security.audit.details', cell: (one) => <Details of={one} /> },
            ]}
          />
        )}
      </Loaded>
      <More query={entries} />
    </Screen>
  )
}

const ACTIONS = Constants.public.Enums.audit_action

/** The instant at which a day of the reader's begins, or the one after it. */
function beginningOf(day: string, after: number): string {
  const at = new Date(`${day}T00:00`)
  at.setDate(at.getDate() + after)
  return at.toISOString()
}

function Target({ of: { subject_id, target_type, target_id } }: { of: Entry }) {
  if (subject_id) return <Person id={subject_id} />
  return (
    <bdi className="breaks">
      {target_type} {target_id}
    </bdi>
  )
}

function Details({ of }: { of: Entry }) {
  const { before, after, details, university_id, ip, user_agent, request_id, id, hash } = of
  const json = (value: unknown) => (value ? <pre dir="ltr">{JSON.stringify(value, null, 2)}</pre> : null)
  const hasDetails = details !== null && Object.keys(details).length > 0
  const number = { number: id }
  return (
    <Dialog
      button={{ label: 'security.audit.entry', values: number }}
      title="security.audit.entry"
      values={number}
    >
      {(close) => (
        <>
          <Facts
            of={[
              ['security.university', university_id && <UniversityShown id={university_id} />],
              ['security.audit.before', json(before)],
              ['security.audit.after', json(after)],
              ['security.audit.more', hasDetails ? json(details) : null],
              ['security.address', typeof ip === 'string' ? ip : null],
              ['security.browser', user_agent],
              ['security.audit.request', request_id],
              ['security.audit.hash', hash],
            ]}
          />
          <Button label="action.close" onPress={close} />
        </>
      )}
    </Dialog>
  )
}

/** Whether the log is as it was written: verification goes on from where it was, as far as it gets in one call. */
function Verify() {
  const [found, setFound] = useState<{
    isIntact: boolean
    verified: number
    entries: number
    brokenAt: number | null
    problem: string | null
  }>()
  async function verify(client: Client) {
    const [row] = await done(client.rpc('verify_audit_chain'))
    if (row)
      setFound({
        isIntact: row.intact,
        verified: row.verified_through ?? 0,
        entries: row.entries ?? 0,
        brokenAt: row.broken_at,
        problem: row.problem,
      })
  }
  return (
    <Section title="security.verify.title">
      <P id="security.verify.about" />
      <Action label="security.verify" run={verify} />
      <div role="status" className="list">
        {found?.isIntact && (
          <>
            <Status label="security.verify.intact" tone="good" />
            <P id="security.verify.through" verified={found.verified} entries={found.entries} />
            {found.verified < found.entries && <P id="security.verify.again" />}
          </>
        )}
        {found?.isIntact === false && (
          <div className="notice">
            <Status label="security.verify.broken" tone="bad" />
            <P id="security.verify.where" entry={found.brokenAt ?? 0} />
            <p lang="en" dir="auto">
              {found.problem}
            </p>
          </div>
        )}
      </div>
    </Section>
  )
}
