import { Link, useLocation, useParams } from 'wouter'
import { ButtonLink, Loaded, Section } from '../../../ui/elements.tsx'
import { Action } from '../../../ui/form.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { Facts, Status, When } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { usePerson } from '../person.tsx'
import { useMyTraining } from './my-training.tsx'
import { Back, Missing, NamedScreen, Standing } from './shown.tsx'

/** A module that the person may read; null where there is none for them. */
export function useModule(id: string) {
  return useRead(['training-module', id], (client) =>
    done(
      client
        .from('training_modules')
        .select('id, title, category, difficulty, estimated_duration, version, assessments, content')
        .eq('id', id)
        .maybeSingle(),
    ),
  )
}

/** The person's attempts at a module that were graded, the latest first. */
function useOwnAttempts(id: string) {
  const person = usePerson()
  return useRead(['own-attempts', id], (client) =>
    done(
      client
        .from('training_attempts')
        .select('id, submitted_at, questions, correct, score, passed')
        .eq('user_id', person.id)
        .eq('module_id', id)
        .not('submitted_at', 'is', null)
        .order('submitted_at', { ascending: false })
        .limit(20),
    ),
  )
}

export default function MyTrainingModule() {
  const { id } = useParams<{ id: string }>()
  const module = useModule(id)
  return (
    <NamedScreen name={module.data?.title} otherwise="checks.module">
      <Back to="/training" label="checks.training" />
      <Loaded query={module}>{(found) => (found ? <Learn module={found} /> : <Missing />)}</Loaded>
    </NamedScreen>
  )
}

type Module = NonNullable<ReturnType<typeof useModule>['data']>

function Learn({ module }: { module: Module }) {
  const { t } = useTexts()
  const own = useMyTraining()
  const attempts = useOwnAttempts(module.id)
  const [, go] = useLocation()
  const training = own.data?.find(({ module_id }) => module_id === module.id)
  const read = new Set(training?.sections_read)
  const { sections } = module.content
  const next = sections.find(({ id }) => !read.has(id))
  const last = attempts.data?.[0]
  const { pass_score, questions_per_attempt } = module.assessments
  const isPassed = training?.status === 'completed'
  return (
    <>
      <Facts
        of={[
          ['checks.standing', training && <Standing key="standing" of={`learning.${training.status}`} />],
          ['checks.due', training?.due_at && !isPassed && <When key="due" at={training.due_at} />],
          [
            'checks.certificate-until',
            isPassed && training.certificate_expires_at ? (
              <When key="until" at={training.certificate_expires_at} />
            ) : null,
          ],
          ['checks.duration', t('checks.minutes', { minutes: module.estimated_duration })],
          ['checks.version', module.version],
        ]}
      />
      {last && (
        <section className="notice">
          <P
            id={last.passed ? 'checks.result-passed' : 'checks.result-failed'}
            correct={last.correct ?? 0}
            questions={last.questions}
            score={last.score ?? 0}
            needed={pass_score}
          />
        </section>
      )}
      <Section title="checks.contents">
        <ol className="contents">
          {sections.map((section) => (
            <li key={section.id}>
              <Link href={`/training/${module.id}/sections/${section.id}`} dir="auto">
                {section.title}
              </Link>{' '}
              {read.has(section.id) && <Status label="checks.read" tone="good" />}
            </li>
          ))}
        </ol>
        {next && (
          <ButtonLink
            to={`/training/${module.id}/sections/${next.id}`}
            kind="primary"
            label={read.size === 0 ? 'checks.begin' : 'checks.go-on'}
          />
        )}
      </Section>
      <Section title="checks.questions">
        <P id="checks.questions-rules" asked={questions_per_attempt} needed={pass_score} />
        {next ? (
          <P className="muted" id="checks.questions-closed" />
        ) : (
          <Action
            kind="primary"
            label="checks.answer"
            run={async (client) => {
              await done(client.rpc('start_training_attempt', { module_id: module.id }))
              go(`/training/${module.id}/questions`)
            }}
          />
        )}
      </Section>
      {attempts.data && attempts.data.length > 0 && (
        <Section title="checks.attempts">
          <DataTable
            label="checks.attempts"
            rows={attempts.data}
            keyOf={({ id }) => id}
            empty="checks.attempts-none"
            columns={[
              {
                label: 'checks.when',
                cell: ({ submitted_at }) => submitted_at && <When at={submitted_at} />,
              },
              {
                label: 'checks.right',
                cell: ({ correct, questions }) => t('checks.of', { some: correct, all: questions }),
              },
              {
                label: 'checks.result',
                cell: ({ passed }) =>
                  passed ? (
                    <Status label="checks.passed" tone="good" />
                  ) : (
                    <Status label="checks.not-passed" tone="warning" />
                  ),
              },
            ]}
          />
        </Section>
      )}
    </>
  )
}
