import type { Recorded } from '@student-wellbeing/client/recorder'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Label, Radio, RadioGroup } from 'react-aria-components'
import { FormattedMessage, FormattedNumber } from 'react-intl'
import { useLocation } from 'wouter'
import { Confirm } from '../components/confirm.tsx'
import { Button, ButtonLink, Field } from '../components/controls.tsx'
import { NotAgreed, Recording } from '../components/recording.tsx'
import { Screen } from '../components/screen.tsx'
import { Problem } from '../components/states.tsx'
import { useQueue, Waiting } from '../components/waiting.tsx'
import { useService } from '../service.tsx'
import '../styles/check-in.css'

/** What the person has recorded and written and not sent yet; kept while they look at other screens. */
type Draft = { recorded: Recorded | null; words: string; mood: string | null }

const EMPTY: Draft = { recorded: null, words: '', mood: null }
const MOODS = Array.from({ length: 10 }, (_, at) => at + 1)

function useDraft() {
  const queries = useQueryClient()
  const queryKey = ['check-in', 'draft']
  const { data } = useQuery({ queryKey, queryFn: () => EMPTY, initialData: EMPTY, enabled: false, gcTime: Infinity })
  const change = (changes: Partial<Draft>) =>
    queries.setQueryData<Draft>(queryKey, (draft = EMPTY) => ({ ...draft, ...changes }))
  return [data, change] as const
}

/** Asks the browser to warn before the page is closed. */
function useWarning(isOn: boolean) {
  useEffect(() => {
    if (!isOn) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isOn])
}

/** Sends what the person recorded and wrote; `onKept` once the device keeps it, and the result once there is one. */
function useSending(onKept: () => void) {
  const { client } = useService()
  const [, navigate] = useLocation()
  const [isSaving, setIsSaving] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const [screen] = useState(() => new AbortController())
  useEffect(() => () => screen.abort(), [screen])

  async function send({ recorded, words, mood }: Draft) {
    let isKept = false
    setProblem(null)
    setIsSaving(true)
    try {
      const ended = await client.checkIn(
        {
          ...(recorded?.audio && { audio: recorded.audio, durationS: recorded.durationS }),
          ...(recorded && recorded.images.length > 0 && { images: recorded.images }),
          ...(words.trim() && { transcript: words.trim() }),
          ...(mood && { mood: Number(mood) }),
        },
        {
          signal: screen.signal,
          onProgress() {
            if (!isKept) onKept()
            isKept = true
            setIsSaving(false)
          },
        },
      )
      if (ended.status === 'complete') navigate(`/check-ins/${ended.id}`)
    } catch (error) {
      // Of one that the device keeps, the queue says what is in the way.
      if (!isKept) setProblem(error)
      setIsSaving(false)
    }
  }
  return { send, isSaving, problem }
}

export default function CheckIn() {
  const { client } = useService()
  const queue = useQueue()
  const [draft, change] = useDraft()
  const [isSent, setIsSent] = useState(false)
  const { send, isSaving, problem } = useSending(() => {
    change(EMPTY)
    setIsSent(true)
  })
  const consents = useQuery({ queryKey: ['consents'], queryFn: () => client.consents.status() })
  /** Where it is not known, as without a network, the service says so once it is sent. */
  const isAgreed = (kind: string) =>
    consents.data?.find((consent) => consent.kind === kind)?.in_force ?? true
  const { recorded, words, mood } = draft
  const isEmpty = !recorded && !words.trim() && !mood
  useWarning(!isEmpty)

  if (isSent)
    return (
      <Screen key="sent" title={<FormattedMessage id="check-in.title" />}>
        <Waiting checkIns={queue} />
        <div className="row">
          <ButtonLink to="/">
            <FormattedMessage id="check-in.home" />
          </ButtonLink>
          <Button onPress={() => setIsSent(false)}>
            <FormattedMessage id="check-in.another" />
          </Button>
        </div>
      </Screen>
    )
  return (
    <Screen key="form" title={<FormattedMessage id="check-in.title" />}>
      <p>
        <FormattedMessage id="check-in.intro" />
      </p>
      <Waiting checkIns={queue} />
      <Recording
        offered={{ microphone: isAgreed('audio'), camera: isAgreed('camera') }}
        recorded={recorded}
        onRecorded={(recorded) => change({ recorded })}
      />

      {isAgreed('text') ? (
        <Field
          label={<FormattedMessage id="check-in.words" />}
          hint={<FormattedMessage id="check-in.words-hint" />}
          rows={5}
          value={words}
          onChange={(words) => change({ words })}
        />
      ) : (
        <NotAgreed part="text" />
      )}

      <section className="stack">
        <RadioGroup className="field mood" value={mood} onChange={(mood) => change({ mood })}>
          <Label>
            <FormattedMessage id="check-in.mood" />
          </Label>
          <div className="moods">
            {MOODS.map((value) => (
              <Radio key={value} value={String(value)} className="button">
                <FormattedNumber value={value} />
              </Radio>
            ))}
          </div>
        </RadioGroup>
        {mood && (
          <Button onPress={() => change({ mood: null })}>
            <FormattedMessage id="check-in.mood-none" />
          </Button>
        )}
      </section>

      {problem !== null && <Problem error={problem} />}
      <div className="row">
        <Button kind="primary" isPending={isSaving} onPress={() => void send(draft)}>
          <FormattedMessage id={isSaving ? 'check-in.saving' : 'check-in.send'} />
        </Button>
        {!isEmpty && (
          <Confirm
            label={<FormattedMessage id="check-in.cancel" />}
            question={<FormattedMessage id="check-in.discard-question" />}
            onConfirm={() => change(EMPTY)}
          />
        )}
      </div>
    </Screen>
  )
}
