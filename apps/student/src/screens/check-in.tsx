import type { Recorded } from '@student-wellbeing/client/recorder'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Label, Radio, RadioGroup } from 'react-aria-components'
import { useIntl } from 'react-intl'
import { useLocation } from 'wouter'
import { Confirm } from '../components/confirm.tsx'
import { Button, ButtonLink, Field } from '../components/controls.tsx'
import { NotAgreed, Recording } from '../components/recording.tsx'
import { Screen } from '../components/screen.tsx'
import { Problem } from '../components/states.tsx'
import { Waiting } from '../components/waiting.tsx'
import { useConsents } from '../consents.ts'
import { useService } from '../service.tsx'
import '../styles/check-in.css'

/** What the person has recorded and written and not sent yet; kept while they look at other screens. */
type Draft = { recorded: Recorded | null; words: string; mood: string | null }

const EMPTY: Draft = { recorded: null, words: '', mood: null }
const MOODS = Array.from({ length: 10 }, (_, at) => at + 1)

function useDraft() {
  const queries = useQueryClient()
  const queryKey = ['draft']
  const { data } = useQuery({
    queryKey,
    queryFn: () => EMPTY,
    initialData: EMPTY,
    enabled: false,
    gcTime: Infinity,
  })
  const change = (changes: Partial<Draft>) =>
    queries.setQueryData<Draft>(queryKey, (draft = EMPTY) => ({ ...draft, ...changes }))
  return [data, change] as const
}

/** Sends what the person recorded and wrote; `onKept` once the device keeps it, then goes to the result. */
function useSending(onKept: () => void) {
  const { client } = useService()
  const [, navigate] = useLocation()
  const [isSaving, setIsSaving] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const [screen] = useState(() => new AbortController())
  useEffect(() => () => screen.abort(), [screen])

  async function send({ recorded, words, mood }: Draft) {
    let isKept = false
    const onProgress = () => {
      if (!isKept) onKept()
      isKept = true
      setIsSaving(false)
    }
    setProblem(null)
    setIsSaving(true)
    try {
      const media = {
        ...(recorded?.audio && { audio: recorded.audio, durationS: recorded.durationS }),
        ...(recorded && recorded.images.length > 0 && { images: recorded.images }),
        ...(words.trim() && { transcript: words.trim() }),
        ...(mood && { mood: Number(mood) }),
      }
      const ended = await client.checkIn(media, { signal: screen.signal, onProgress })
      if (ended.status === 'complete') navigate(`/check-ins/${ended.id}`)
    } catch (error) {
      // What is in the way of one that the device keeps stands beside it.
      if (!isKept) setProblem(error)
      setIsSaving(false)
    }
  }
  return { send, isSaving, problem }
}

export default function CheckIn() {
  const { $t, formatNumber } = useIntl()
  const [draft, change] = useDraft()
  const [isSent, setIsSent] = useState(false)
  const { send, isSaving, problem } = useSending(() => {
    change(EMPTY)
    setIsSent(true)
  })
  const consents = useConsents()
  /** Where it is not known, as without a network, the service says so once it is sent. */
  const isAgreed = (kind: string) => consents.data?.find((one) => one.kind === kind)?.in_force ?? true
  const { recorded, words, mood } = draft
  const isEmpty = !recorded && !words.trim() && !mood

  useEffect(() => {
    if (isEmpty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isEmpty])

  if (isSent)
    return (
      <Screen key="sent" title={$t({ id: 'check-in.title' })}>
        <Waiting />
        <div className="row">
          <ButtonLink to="/">{$t({ id: 'check-in.home' })}</ButtonLink>
          <Button onPress={() => setIsSent(false)}>{$t({ id: 'check-in.another' })}</Button>
        </div>
      </Screen>
    )
  return (
    <Screen key="form" title={$t({ id: 'check-in.title' })}>
      <p>{$t({ id: 'check-in.intro' })}</p>
      <Waiting />
      <Recording
        offered={{ microphone: isAgreed('audio'), camera: isAgreed('camera') }}
        recorded={recorded}
        onRecorded={(recorded) => change({ recorded })}
      />
      {isAgreed('text') ? (
        <Field
          label={$t({ id: 'check-in.words' })}
          hint={$t({ id: 'check-in.words-hint' })}
          rows={5}
          value={words}
          onChange={(words) => change({ words })}
        />
      ) : (
        <NotAgreed part="text" />
      )}
      <section className="stack">
        <RadioGroup className="field" value={mood} onChange={(mood) => change({ mood })}>
          <Label>{$t({ id: 'check-in.mood' })}</Label>
          <div className="moods">
            {MOODS.map((value) => (
              <Radio key={value} value={String(value)} className="button">
                {formatNumber(value)}
              </Radio>
            ))}
          </div>
        </RadioGroup>
        {mood && <Button onPress={() => change({ mood: null })}>{$t({ id: 'check-in.mood-none' })}</Button>}
      </section>
      {problem !== null && <Problem error={problem} />}
      <div className="row">
        <Button kind="primary" isPending={isSaving} onPress={() => void send(draft)}>
          {$t({ id: isSaving ? 'check-in.saving' : 'check-in.send' })}
        </Button>
        {!isEmpty && (
          <Confirm
            label={$t({ id: 'check-in.cancel' })}
            question={$t({ id: 'check-in.discard-question' })}
            onConfirm={() => change(EMPTY)}
          />
        )}
      </div>
    </Screen>
  )
}
