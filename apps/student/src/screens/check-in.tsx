import type { QueuedCheckIn } from '@student-wellbeing/client'
import type { Recorded } from '@student-wellbeing/client/recorder'
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Choice } from '../components/choices.tsx'
import { AgreeFirst, Button, ButtonLink, Problem, Screen } from '../components/elements.tsx'
import { Action, Field } from '../components/form.tsx'
import { Recording } from '../components/recording.tsx'
import { Waiting } from '../components/waiting.tsx'
import { P, T, useTexts } from '../language.tsx'
import { useConsents, useService } from '../service.tsx'

/** What the person has recorded and written and not sent yet; kept while they look at other screens. */
type Draft = { recorded: Recorded | null; words: string; mood: string }

const EMPTY: Draft = { recorded: null, words: '', mood: '' }
const MOODS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '']

function useDraft() {
  const queries = useQueryClient()
  const queryKey = ['draft']
  const { data = EMPTY } = useQuery<Draft>({ queryKey, queryFn: skipToken, gcTime: Infinity })
  const change = (changes: Partial<Draft>) =>
    queries.setQueryData<Draft>(queryKey, (draft = EMPTY) => ({ ...draft, ...changes }))
  return [data, change] as const
}

/** Keeps the draft on the device and sends it; goes to the result where the person is still here. `onKept`: it is safe now. */
function useSending(onKept: () => void) {
  const { client } = useService()
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [screen] = useState(() => new AbortController())
  useEffect(() => () => screen.abort(), [screen])
  return useMutation({
    networkMode: 'always',
    async mutationFn({ recorded, words, mood }: Draft) {
      let kept: string | null = null
      const onProgress = ({ id }: QueuedCheckIn) => {
        if (!kept) onKept()
        kept = id
      }
      const media = {
        ...(recorded?.audio && { audio: recorded.audio, durationS: recorded.durationS }),
        ...(recorded && recorded.images.length > 0 && { images: recorded.images }),
        ...(words.trim() && { transcript: words.trim() }),
        ...(mood && { mood: Number(mood) }),
      }
      const ended = await client.checkIn(media, { signal: screen.signal, onProgress })
      if (ended.status !== 'complete' || !kept) return
      await queries.invalidateQueries({ queryKey: ['history'] })
      navigate(`/check-ins/${ended.id}`)
      await client.queue.remove(kept)
    },
  })
}

export default function CheckIn() {
  const { number } = useTexts()
  const [draft, change] = useDraft()
  const [isRecording, setIsRecording] = useState(false)
  const [isSent, setIsSent] = useState(false)
  const sending = useSending(() => {
    change(EMPTY)
    setIsSent(true)
  })
  const consents = useConsents()
  /** Where it is not known, as without a network, the service says so once it is sent. */
  const isAgreed = (kind: string) => consents.data?.find((one) => one.kind === kind)?.in_force ?? true
  const { recorded, words, mood } = draft
  const isEmpty = !isRecording && !recorded && !words.trim() && !mood

  useEffect(() => {
    if (isEmpty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isEmpty])

  function startAnew() {
    sending.reset()
    setIsSent(false)
  }

  if (isSent)
    return (
      <Screen key="sent" title="check-in.title">
        <Waiting />
        <div className="row">
          <ButtonLink to="/" label="check-in.home" />
          <Button label="check-in.another" onPress={startAnew} />
        </div>
      </Screen>
    )
  return (
    <Screen key="form" title="check-in.title">
      <P id="check-in.intro" />
      <Waiting />
      <Recording
        offered={{ microphone: isAgreed('audio'), camera: isAgreed('camera') }}
        recorded={recorded}
        onRecorded={(recorded) => change({ recorded })}
        onBusy={setIsRecording}
      />
      {isAgreed('text') ? (
        <Field
          label="check-in.words"
          hint="check-in.words-hint"
          rows={5}
          value={words}
          onChange={(words) => change({ words })}
        />
      ) : (
        <AgreeFirst id="check-in.not-agreed" part="text" label="check-in.consents" />
      )}
      <Choice label="check-in.mood" value={mood} onChange={(mood) => change({ mood })} choices={MOODS}>
        {(mood) => (mood ? number(Number(mood)) : <T id="check-in.mood-none" />)}
      </Choice>
      {sending.error && <Problem error={sending.error} />}
      <div className="row">
        {isRecording || sending.isPending ? (
          <P role="status" id={isRecording ? 'check-in.finish-first' : 'check-in.saving'} />
        ) : (
          <Button kind="primary" label="check-in.send" onPress={() => sending.mutate(draft)} />
        )}
        {!isEmpty && !isRecording && (
          <Action label="check-in.cancel" question="check-in.discard-question" run={() => change(EMPTY)} />
        )}
      </div>
    </Screen>
  )
}
