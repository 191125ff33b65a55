import { useState } from 'react'
import { useParams } from 'wouter'
import { Constants, type Tables } from '../../../../types/database.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Button, ButtonLink, Loaded, Section } from '../../../ui/elements.tsx'
import { Select } from '../../../ui/filters.tsx'
import { Field, Form } from '../../../ui/form.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { Ago, Facts, When } from '../../../ui/shown.tsx'
import { Back, Missing, NamedScreen, Standing } from './shown.tsx'
import './checks.css'

export default function ComplianceControl() {
  const { id } = useParams<{ id: string }>()
  const control = useRead(['compliance-control', id], (client) =>
    done(client.from('compliance_controls').select().eq('id', id).maybeSingle()),
  )
  return (
    <NamedScreen
      name={control.data ? `${control.data.reference} ${control.data.title}` : undefined}
      otherwise="checks.control"
    >
      <Back to="/compliance" label="checks.compliance" />
      <Loaded query={control}>{(found) => (found ? <Known control={found} /> : <Missing />)}</Loaded>
    </NamedScreen>
  )
}

type Control = Tables<'compliance_controls'>

function Known({ control }: { control: Control }) {
  const { t } = useTexts()
  const last = useRead(['last-assessment', control.framework], (client) =>
    done(
      client
        .from('compliance_assessments')
        .select('id, evidence')
        .eq('framework', control.framework)
        .order('ended_at', { ascending: false })
        .limit(1)
        .maybeSingle(),
    ),
  )
  return (
    <>
      <p lang="en" dir="auto">
        {control.requirement}
      </p>
      <Facts
        of={[
          ['checks.framework', t(`checks.framework.${control.framework}`)],
          ['checks.by-checks', <Standing key="checks" of={`control.${control.automated_status}`} />],
          ['checks.assessed', control.automated_at && <Ago key="at" at={control.automated_at} />],
          [
            'checks.by-assessor',
            control.decision && <Standing key="decision" of={`control.${control.decision}`} />,
          ],
        ]}
      />
      <Section title="checks.checks">
        {control.checks.length === 0 ? (
          <P id="checks.takes-person" />
        ) : (
          <Loaded query={last}>
            {(assessment) =>
              assessment ? (
                <>
                  {assessment.evidence
                    .filter(({ check_id }) => control.checks.includes(check_id))
                    .map((check) => (
                      <Check key={check.check_id} check={check} />
                    ))}
                  <ButtonLink to={`/compliance/${assessment.id}`} label="checks.report-open" />
                </>
              ) : (
                <P id="checks.never-assessed" />
              )
            }
          </Loaded>
        )}
      </Section>
      <Section title="checks.decision">
        {control.decision ? (
          <>
            <Facts
              of={[
                ['checks.when', control.decided_at && <When key="at" at={control.decided_at} />],
                ['checks.reason', control.decision_reason],
              ]}
            />
            <EvidenceList of={control.decision_evidence ?? []} />
          </>
        ) : (
          <P id="checks.undecided" />
        )}
        <Dialog button={{ label: 'checks.decide', kind: 'primary' }} title="checks.decide">
          {(close) => <Decide control={control} close={close} />}
        </Dialog>
      </Section>
    </>
  )
}

type CheckProps = { check: Tables<'compliance_assessments'>['evidence'][number] }

/** What a check found, in the words of the database. */
export function Check({ check: { title, expected, result, found, more, problem } }: CheckProps) {
  return (
    <article className="card">
      <h3 lang="en" dir="auto">
        {title}
      </h3>
      <p>
        <Standing of={`check.${result}`} />
      </p>
      <div lang="en" dir="auto">
        <p>{expected}</p>
        {problem !== null && <p>{problem}</p>}
        {found.length > 0 && (
          <ul>
            {found.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        )}
      </div>
      {more && <P id="checks.and-more" />}
    </article>
  )
}

/** What a decision rests on. */
export function EvidenceList({ of }: { of: readonly { description: string; link?: string | undefined }[] }) {
  return (
    <ul>
      {of.map(({ description, link }) => (
        <li key={`${description} ${link}`}>
          <bdi>{description}</bdi>{' '}
          {link !== undefined && (
            <a href={link} target="_blank" rel="noreferrer">
              {link}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}

const STATUSES = Constants.public.Enums.compliance_status

/** Evidence that one decision has at most. */
const MOST = 20

function Decide({ control, close }: { control: Control; close: () => void }) {
  const { t } = useTexts()
  // Each piece of evidence by a number of its own, so that one can be taken out of the middle.
  const [pieces, setPieces] = useState([0])
  const choices = control.decision ? STATUSES : STATUSES.filter((status) => status !== 'not_assessed')
  return (
    <Form
      submit="checks.store"
      cancel={close}
      onSubmit={async (typed, client) => {
        const status = STATUSES.find((one) => one === typed('status')) ?? 'not_assessed'
        const evidence = pieces.map((piece) => {
          const link = typed(`link-${piece}`)
          return { description: typed(`description-${piece}`), ...(link !== '' && { link }) }
        })
        await done(
          client.rpc('decide_control', { control_id: control.id, status, reason: typed('reason'), evidence }),
        )
        close()
      }}
    >
      <Select label="checks.decision" name="status" options={choices} defaultValue="compliant" isRequired>
        {(status) =>
          status === 'not_assessed' ? t('checks.decision-withdraw') : t(`checks.control.${status}`)
        }
      </Select>
      <Field
        label="checks.reason"
        hint="checks.reason-hint"
        name="reason"
        rows={4}
        maxLength={2000}
        isRequired
      />
      {pieces.map((piece, place) => (
        <fieldset key={piece} className="card">
          <legend>{t('checks.evidence-piece', { place: place + 1 })}</legend>
          <Field
            label="checks.evidence-what"
            name={`description-${piece}`}
            rows={2}
            maxLength={1000}
            isRequired
          />
          <Field
            label="checks.evidence-link"
            hint="checks.evidence-link-hint"
            name={`link-${piece}`}
            type="url"
            pattern="https://.*"
            maxLength={500}
          />
          {pieces.length > 1 && (
            <Button label="checks.remove" onPress={() => setPieces(pieces.filter((one) => one !== piece))} />
          )}
        </fieldset>
      ))}
      {pieces.length < MOST && (
        <Button label="checks.evidence-add" onPress={() => setPieces([...pieces, Math.max(...pieces) + 1])} />
      )}
    </Form>
  )
}
