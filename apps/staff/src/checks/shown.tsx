import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Enums } from '../../../../types/database.ts'
import { Screen } from '../../../ui/elements.tsx'
import { type Id, P, T } from '../../../ui/language.tsx'
import { Status, type Tone } from '../../../ui/shown.tsx'
import { nameOf } from '../people.ts'

export type Probe = Enums<'security_probe'>
export type Framework = Enums<'compliance_framework'>

const TONES = {
  'run.running': 'neutral',
  'run.completed': 'good',
  'run.failed': 'warning',
  'probed.queued': 'neutral',
  'probed.running': 'neutral',
  'probed.passed': 'good',
  'probed.faults_found': 'bad',
  'probed.failed': 'warning',
  'severity.critical': 'bad',
  'severity.high': 'bad',
  'severity.medium': 'warning',
  'severity.low': 'neutral',
  'fault.open': 'bad',
  'fault.accepted': 'warning',
  'fault.fixed': 'good',
  'control.compliant': 'good',
  'control.partial': 'warning',
  'control.non_compliant': 'bad',
  'control.not_assessed': 'warning',
  'control.not_applicable': 'neutral',
  'check.passed': 'good',
  'check.failed': 'bad',
  'check.not_assessed': 'warning',
  'learning.assigned': 'neutral',
  'learning.in_progress': 'neutral',
  'learning.completed': 'good',
  'learning.overdue': 'bad',
  'learning.optional': 'neutral',
  'published.yes': 'good',
  'published.no': 'neutral',
} as const satisfies Record<string, Tone>

/** How a run, a probe, a fault, a control, a check or somebody's learning stands. */
export function Standing({ of }: { of: keyof typeof TONES }) {
  return <Status label={`checks.${of}`} tone={TONES[of]} />
}

type NamedProps = { name: string | undefined; otherwise: Id; children: ReactNode }

/** A screen of one thing, under its own name; under that of its kind where it is not known. */
export function NamedScreen({ name, otherwise, children }: NamedProps) {
  return (
    <Screen
      title={name === undefined ? otherwise : 'checks.named'}
      values={{ name: <bdi key="name">{name}</bdi> }}
    >
      {children}
    </Screen>
  )
}

/** What stands where something is not, or not for this person. */
export function Missing() {
  return <P className="muted" id="checks.missing" />
}

type Member = Parameters<typeof nameOf>[0] & { email: string | null }

/** A member of staff by their name, else by their address. */
export function Name({ of }: { of: Member }) {
  return <bdi>{nameOf(of) ?? of.email}</bdi>
}

/** The way back to the list that a screen was opened from. */
export function Back({ to, label }: { to: string; label: Id }) {
  return (
    <p>
      <Link href={to} className="back">
        <T id={label} />
      </Link>
    </p>
  )
}

type Evidence = Record<string, string | number | boolean>

/** What was seen: names of a program with their values, as they are. */
export function Seen({ of }: { of: Evidence }) {
  return (
    <dl className="facts seen" dir="ltr">
      {Object.entries(of).flatMap(([name, value]) => [
        <dt key={name}>{name}</dt>,
        <dd key={`${name}:`}>
          <code>{String(value)}</code>
        </dd>,
      ])}
    </dl>
  )
}
