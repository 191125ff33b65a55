import type { CheckInMedia, QueuedCheckIn } from '@student-wellbeing/client'
import type { Recorded } from '@student-wellbeing/client/recorder'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Choice } from '../components/choices.tsx'
import { AgreeFirst, Button, ButtonLink, Problem, Screen } from '../components/elements.tsx'
import { Action, Field } from '../components/form.tsx'
import { Recording } from '../components/recording.tsx'
import { Waiting } from '../components/waiting.tsx'
import { P, T, useTexts } from '../language.tsx'
import { useConsents, useService } from '../service.tsx'

/** What the person has recorded and written and not sent yet; kept on the device. `part`: what there is of a recording that goes on. */
type Draft = { recorded: Recorded | null; part: Recorded | null; words: string; mood: string }

const EMPTY: Draft = { recorded: null, part: null, words: '', mood: '' }
const MOODS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '']

function useDraft() {
  const { client } = useService()
  const queries = useQueryClient()
  const queryKey = ['draft']
  const { data = EMPTY } = useQuery({
    queryKey,
    async queryFn() {
      const kept = await client.draft.read()
      // What was typed meanwhile stays.
      return queries.getQueryData<Draft>(queryKey) ?? draftOf(kept ?? {})
    },
    ...{ gcTime: Infinity, staleTime: 'static', networkMode: 'always' },
  })
  function change(changes: Partial<Draft>) {
    const draft = queries.setQueryData<Draft>(queryKey, (draft = EMPTY) => ({ ...draft, ...changes }))
    // Where the device can't keep it, it stays in memory, and the browser warns.
    if (draft) client.draft.save(mediaOf(draft)).catch(() => undefined)
  }
  return [data, change] as const
}

function draftOf({ audio, images = [], durationS = 0, transcript = '', mood }: CheckInMedia): Draft {
  const recorded = { ...(audio && { audio }), images, durationS }
  return {
    ...EMPTY,
    recorded: audio || images.length > 0 ? recorded : null,
    words: transcript,
    mood: String(mood ?? ''),
  }
}

function mediaOf({ recorded, part, words, mood }: Draft): CheckInMedia {
  const { audio, durationS, images = [] } = recorded ?? part ?? {}
  return {
    ...(audio && { audio, durationS }),
    ...(images.length > 0 && { images }),
    ...(words.trim() && { transcript: words.trim() }),
    ...(mood && { mood: Number(mood) }),
  }
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
    async mutationFn(draft: Draft) {
      let kept: string | null = null
      const onProgress = ({ id }: QueuedCheckIn) => {
        if (!kept) onKept()
        kept = id
      }
      const ended = await client.checkIn(mediaOf(draft), { signal: screen.signal, onProgress })
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
        onRecorded={(recorded) => change({ recorded, part: null })}
        onPart={(part) => change({ part })}
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
