import * as Aria from 'react-aria-components'
import { useLocation, useParams } from 'wouter'
import { draftsOf, useDraft } from '../../../ui/drafts.tsx'
import { ButtonLink, Loaded, Screen } from '../../../ui/elements.tsx'
import { Form } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { type Client, done, useRead } from '../../../ui/service.tsx'
import { usePerson } from '../person.tsx'
import './checks.css'

/** The attempt that is open, if there is one: to read this screen starts none. */
async function openAttempt(client: Client, account: string, module_id: string) {
  const open = await done(
    client
      .from('training_attempts')
      .select('id')
      .eq('user_id', account)
      .eq('module_id', module_id)
      .is('submitted_at', null)
      .gt('expires_at', new Date().toISOString())
      .limit(1),
  )
  return open.length === 0 ? null : done(client.rpc('start_training_attempt', { module_id }))
}

export default function MyTrainingQuestions() {
  const { id } = useParams<{ id: string }>()
  const person = usePerson()
  const attempt = useRead(['open-attempt', id], (client) => openAttempt(client, person.id, id), {
    staleTime: 0,
  })
  return (
    <Screen
      title={attempt.data ? 'checks.questions-of' : 'checks.questions'}
      values={{ name: <bdi key="name">{attempt.data?.title}</bdi> }}
    >
      <ButtonLink to={`/training/${id}`} label="checks.to-module" />
      <Loaded query={attempt}>
        {(found) =>
          found ? <Questions key={found.attempt_id} attempt={found} /> : <P id="checks.no-attempt" />
        }
      </Loaded>
    </Screen>
  )
}

type Attempt = NonNullable<Awaited<ReturnType<typeof openAttempt>>>
type Chosen = Record<string, string[]>

/** What was chosen of an attempt that is open. */
const ANSWERS = draftsOf<Chosen>()

function Questions({ attempt }: { attempt: Attempt }) {
  const { formatDate } = useTexts()
  const [, go] = useLocation()
  const { value: chosen, change, drop } = useDraft<Chosen>(ANSWERS, attempt.attempt_id, {})
  const choose = (question: string, options: string[]) => change({ ...chosen, [question]: options })
  const open = attempt.questions.filter(({ id }) => (chosen[id] ?? []).length === 0).length
  return (
    <>
      <P
        className="muted"
        id="checks.submit-by"
        needed={attempt.pass_score}
        time={formatDate(attempt.expires_at, { timeStyle: 'short' })}
      />
      <Form
        submit="checks.submit"
        onSubmit={async (_, client) => {
          await done(
            client.rpc('submit_training_attempt', { attempt_id: attempt.attempt_id, answers: chosen }),
          )
          drop()
          go(`/training/${attempt.module_id}`)
        }}
      >
        {attempt.questions.map((question, place) => (
          <Question
            key={question.id}
            question={question}
            place={place + 1}
            chosen={chosen[question.id] ?? []}
            onChange={(options) => choose(question.id, options)}
          />
        ))}
        <p role="status">{open > 0 && <T id="checks.unanswered" open={open} />}</p>
      </Form>
    </>
  )
}

type QuestionProps = {
  question: Attempt['questions'][number]
  place: number
  chosen: string[]
  onChange: (options: string[]) => void
}

function Question({ question: { prompt, choose, options }, place, chosen, onChange }: QuestionProps) {
  const isOne = choose === 'one'
  const legend = (
    <>
      <Aria.Label dir="auto">
        <T id="checks.question" place={place} prompt={prompt} />
      </Aria.Label>
      <Aria.Text slot="description">
        <T id={isOne ? 'checks.choose-one' : 'checks.choose-all'} />
      </Aria.Text>
    </>
  )
  if (isOne)
    return (
      <Aria.RadioGroup
        className="card question"
        value={chosen[0] ?? null}
        onChange={(option) => onChange([option])}
      >
        {legend}
        {options.map((option) => (
          <Aria.Radio key={option.id} value={option.id} className="tick">
            <span aria-hidden="true" />
            <span dir="auto">{option.text}</span>
          </Aria.Radio>
        ))}
      </Aria.RadioGroup>
    )
  return (
    <Aria.CheckboxGroup className="card question" value={chosen} onChange={onChange}>
      {legend}
      {options.map((option) => (
        <Aria.Checkbox key={option.id} value={option.id} className="tick">
          <span aria-hidden="true" />
          <span dir="auto">{option.text}</span>
        </Aria.Checkbox>
      ))}
    </Aria.CheckboxGroup>
  )
}
