import type { CheckInMedia, QueuedCheckIn } from '@student-wellbeing/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Choice } from '../../../ui/choices.tsx'
import { Button, ButtonLink, Problem, Screen } from '../../../ui/elements.tsx'
import { Action, Field } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { useService } from '../../../ui/service.tsx'
import { AgreeFirst } from '../components/help.tsx'
import { Recording } from '../components/recording.tsx'
import { Waiting } from '../components/waiting.tsx'
import { useConsents } from '../service.tsx'

const EMPTY: CheckInMedia = {}
const MOODS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '']

/** What the person has recorded and written and not sent yet; kept on the device. */
function useDraft() {
  const { client } = useService()
  const queries = useQueryClient()
  const queryKey = ['draft']
  const { data = EMPTY } = useQuery({
    queryKey,
    async queryFn() {
      const kept = await client.draft.read()
      // What was typed meanwhile stays.
      return queries.getQueryData<CheckInMedia>(queryKey) ?? kept ?? EMPTY
    },
    ...{ gcTime: Infinity, staleTime: 'static', networkMode: 'always' },
  })
  function change(changes: CheckInMedia) {
    const draft = queries.setQueryData<CheckInMedia>(queryKey, (draft) => ({ ...draft, ...changes }))
    // Where the device can't keep it, it stays in memory, and the browser warns.
    if (draft) client.draft.save(draft).catch(() => undefined)
  }
  return [data, change] as const
}

const NOTHING = { audio: undefined, images: undefined, durationS: undefined } satisfies CheckInMedia

/** Keeps the draft on the device and sends it; goes to the result where the person is still here. `onKept`: it is safe now. */
function useSending(onKept: () => void) {
  const { client } = useService()
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [screen] = useState(() => new AbortController())
  useEffect(() => () => screen.abort(), [screen])
  return useMutation({
    networkMode: 'always',
    async mutationFn(draft: CheckInMedia) {
      let kept: string | null = null
      const onProgress = ({ id }: QueuedCheckIn) => {
        if (!kept) onKept()
        kept = id
      }
      const ended = await client.checkIn(draft, { signal: screen.signal, onProgress })
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
  const clear = () => change({ ...NOTHING, transcript: undefined, mood: undefined })
  const sending = useSending(() => {
    clear()
    setIsSent(true)
  })
  const consents = useConsents()
  /** Where it is not known, as without a network, the service says so once it is sent. */
  const isAgreed = (kind: string) => consents.data?.find((one) => one.kind === kind)?.in_force ?? true
  const { audio, images = [], durationS = 0, transcript = '', mood } = draft
  const recorded = audio || images.length > 0 ? { audio, images, durationS } : null
  const isEmpty = !isRecording && !recorded && !transcript.trim() && !mood

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
        onRecorded={(recorded) => change(recorded ?? NOTHING)}
        onBusy={setIsRecording}
      />
      {isAgreed('text') ? (
        <Field
          label="check-in.words"
          hint="check-in.words-hint"
          rows={5}
          value={transcript}
          onChange={(transcript) => change({ transcript })}
        />
      ) : (
        <AgreeFirst id="check-in.not-agreed" part="text" label="check-in.consents" />
      )}
      <Choice
        label="check-in.mood"
        value={String(mood ?? '')}
        onChange={(mood) => change({ mood: Number(mood) || undefined })}
        choices={MOODS}
      >
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
          <Action label="check-in.cancel" question="check-in.discard-question" run={clear} />
        )}
      </div>
    </Screen>
  )
}
