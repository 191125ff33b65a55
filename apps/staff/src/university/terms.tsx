import { useContext } from 'react'
import type { Database } from '../../../../types/database.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { Form } from '../../../ui/form.tsx'
import { type Id, P, T, useTexts } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { RolesContext } from '../person.tsx'
import { type University, UniversityScreen } from './chosen.tsx'
import { useFigures } from './figures.tsx'
import { daysOf, spanOf } from './interval.ts'
import { useSpan } from './spans.ts'
import './university.css'

type ClaimTerm = Database['public']['Functions']['list_claim_terms']['Returns'][number]
type Term = Database['public']['Functions']['retention_terms']['Returns'][number]

/** How long claims of reviews hold, and how long data is kept. */
export default function Terms() {
  const roles = useContext(RolesContext)
  if (!roles.some(({ role }) => role === 'university_admin'))
    return (
      <Screen title="university.terms">
        <Retention />
      </Screen>
    )
  return (
    <UniversityScreen title="university.terms">
      {(university) => (
        <>
          <Claims university={university} />
          <Retention />
        </>
      )}
    </UniversityScreen>
  )
}

const LEVELS: Record<ClaimTerm['risk_level'], Id> = {
  high: 'university.high-risk',
  moderate: 'university.moderate-risk',
}

function Claims({ university }: { university: University }) {
  const { minutes } = useFigures()
  const terms = useRead(['claim-terms', university.id], (client) =>
    done(client.rpc('list_claim_terms', { university_id: university.id })),
  )
  return (
    <Section title="university.claim-terms">
      <P className="muted" id="university.claim-terms-note" />
      <Loaded query={terms}>
        {(all) => (
          <DataTable
            label="university.claim-terms"
            rows={all}
            keyOf={({ risk_level }) => risk_level}
            empty="university.none-shown"
            columns={[
              { label: 'university.risk', cell: ({ risk_level }) => <T id={LEVELS[risk_level]} /> },
              { label: 'university.remind-after', cell: (term) => minutes(term.remind_after_minutes) },
              { label: 'university.lapse-after', cell: (term) => minutes(term.lapse_after_minutes) },
              {
                label: 'university.set-by',
                cell: ({ own }) => <T id={own ? 'university.set-here' : 'university.set-for-all'} />,
              },
              {
                label: 'university.actions',
                cell: (term) => <ChangeClaim term={term} university={university} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

function ChangeClaim({ term, university }: { term: ClaimTerm; university: University }) {
  const { risk_level, remind_after_minutes, lapse_after_minutes } = term
  return (
    <Dialog
      button={{ label: 'university.change-term', values: { what: <T id={LEVELS[risk_level]} /> } }}
      title="university.claim-terms"
    >
      {(close) => (
        <Form
          submit="university.save"
          cancel={close}
          onSubmit={async (typed, client) => {
            await done(
              client.rpc('set_claim_terms', {
                university_id: university.id,
                risk_level,
                remind_after: `${Number(typed('remind'))} minutes`,
                lapse_after: `${Number(typed('lapse'))} minutes`,
              }),
            )
            close()
          }}
        >
          <p className="target">
            <T id={LEVELS[risk_level]} />
          </p>
          <Minutes label="university.remind-minutes" name="remind" value={remind_after_minutes} least={15} />
          <Minutes label="university.lapse-minutes" name="lapse" value={lapse_after_minutes} least={5} />
        </Form>
      )}
    </Dialog>
  )
}

type NumberProps = { label: Id; name: string; value: number; least: number; most?: number }

/** A whole number in a field; what is out of bounds the browser says. */
function Minutes({ label, name, value, least, most = 20_160 }: NumberProps) {
  return (
    <label className="field">
      <span>
        <T id={label} />
      </span>
      <input type="number" name={name} defaultValue={value} min={least} max={most} step={1} required />
    </label>
  )
}

/** The terms are those of the whole service: a security administrator changes one. */
function Retention() {
  const { t, known } = useTexts()
  const span = useSpan()
  const isSecurityAdmin = useContext(RolesContext).some(({ role }) => role === 'security_admin')
  const terms = useRead(['retention-terms'], (client) => done(client.rpc('retention_terms')))
  const named = ({ kind, starts }: Term) => {
    const name = known(`university.term.${kind}`)
    return name ? t(name) : starts
  }
  return (
    <Section title="university.retention">
      <P
        className="muted"
        id={isSecurityAdmin ? 'university.retention-change-note' : 'university.retention-note'}
      />
      <Loaded query={terms}>
        {(all) => (
          <DataTable
            label="university.retention"
            rows={all}
            keyOf={({ kind }) => kind}
            empty="university.none-shown"
            columns={[
              { label: 'university.kept', sortBy: named, cell: named },
              { label: 'university.keep', cell: ({ keep }) => span(keep) },
              { label: 'university.at-least', cell: ({ shortest }) => span(shortest) },
              ...(isSecurityAdmin
                ? [
                    {
                      label: 'university.actions' as const,
                      cell: (term: Term) => <ChangeTerm term={term} name={named(term)} />,
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

function ChangeTerm({ term: { kind, keep, shortest }, name }: { term: Term; name: string }) {
  const { hours } = spanOf(shortest)
  return (
    <Dialog button={{ label: 'university.change-term', values: { what: name } }} title="university.retention">
      {(close) => (
        <Form
          submit="university.save"
          cancel={close}
          onSubmit={async (typed, client) => {
            await done(client.rpc('set_retention', { kind, keep: `${Number(typed('days'))} days` }))
            close()
          }}
        >
          <p className="target">{name}</p>
          <P id="university.retention-question" />
          <Minutes
            label="university.keep-days"
            name="days"
            value={daysOf(keep)}
            least={Math.max(1, Math.ceil(hours / 24), daysOf(shortest))}
            most={36_500}
          />
        </Form>
      )}
    </Dialog>
  )
}
