import './security.css'
import { Link } from 'wouter'
import type { Database } from '../../../../types/database.ts'
import { type Id, useTexts } from '../../../ui/language.tsx'
import { done, useRead, useService } from '../../../ui/service.tsx'
import { Status, type Tone } from '../../../ui/shown.tsx'
import { nameOf, type StaffRow, useStaff, useUniversityNames } from '../people.ts'
import type { Role } from '../person.tsx'

type Enums = Database['public']['Enums']
export type Severity = Enums['incident_severity']
export type IncidentStatus = Enums['incident_status']

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const satisfies readonly Severity[]

export const TYPES = [
  'unauthorized_access',
  'data_breach',
  'brute_force_attacks',
  'privilege_escalation',
  'data_exfiltration',
  'compliance_violations',
  'suspicious_activity',
  'system_compromise',
] as const satisfies readonly Enums['incident_type'][]

export const STAFF_ROLES = [
  'counselor',
  'university_admin',
  'security_admin',
] as const satisfies readonly Role[]

const BAD: readonly Severity[] = ['high', 'critical']

export function SeverityShown({ of }: { of: Severity }) {
  const tone: Tone = BAD.includes(of) ? 'bad' : of === 'medium' ? 'warning' : 'neutral'
  return <Status label={`security.severity.${of}`} tone={tone} />
}

const TONES: Record<IncidentStatus, Tone> = {
  open: 'bad',
  investigating: 'warning',
  contained: 'warning',
  resolved: 'good',
  closed: 'neutral',
}

export function StatusShown({ of }: { of: IncidentStatus }) {
  return <Status label={`security.status.${of}`} tone={TONES[of]} />
}

/** What things there are whose names the database gives. */
type Named =
  | 'action'
  | 'aspect'
  | 'audit'
  | 'change'
  | 'choice'
  | 'counted'
  | 'did'
  | 'event'
  | 'field'
  | 'operator'

/** What the service calls something, in words where there are some: a kind of entry that is newer than the app keeps its name. */
export function useWords() {
  const { t, known } = useTexts()
  return (of: Named, name: string): string => {
    const id: Id | null = known(`security.${of}.${name}`)
    return id ? t(id) : name.replaceAll('_', ' ')
  }
}

/** What somebody in staff is called. */
export const calledOf = (row: StaffRow): string => nameOf(row) ?? row.email

/** An account: the name of somebody of the staff; of anybody else its id alone, which leads to who it is. */
export function Person({ id }: { id: string }) {
  const { data } = useStaff()
  const { t } = useTexts()
  const colleague = data?.find(({ user_id }) => user_id === id)
  return (
    <Link href={`/accounts/${id}`}>
      <bdi>{colleague ? calledOf(colleague) : t('security.account.short', { id: id.slice(0, 8) })}</bdi>
    </Link>
  )
}

/** The name of a university; of one that is gone its id. */
export function UniversityShown({ id }: { id: string }) {
  return <bdi>{useUniversityNames()(id)}</bdi>
}

/** The statuses that an incident may have after each. */
export function useTransitions() {
  return useRead(['incident-transitions'], (client) => done(client.rpc('incident_transitions')), {
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Incidents that are dealt with now. */
export function useActiveIncidents() {
  const { api } = useService()
  return useRead(['incidents', 'choice'], async () => {
    return (await done(api.GET('/api/security/incidents', { params: { query: { limit: 200 } } }))).data
  })
}
