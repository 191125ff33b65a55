import { createRecorder, type Recorded, type RecorderState } from '@student-wellbeing/client/recorder'
import { useEffect, useRef, useState } from 'react'
import { Tick } from '../../../ui/choices.tsx'
import { Button, Section } from '../../../ui/elements.tsx'
import { Action } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { AgreeFirst } from './help.tsx'

type Source = 'microphone' | 'camera'
const SOURCES = ['microphone', 'camera'] as const
const KEEP_EVERY_S = 15

type Props = {
  /** What the person has agreed to have analysed. */
  offered: Record<Source, boolean>
  recorded: Recorded | null
  /** Also called at times while it records, with what there is, since a tab may be killed; and after the screen was left meanwhile. */
  onRecorded: (recorded: Recorded | null) => void
  /** While it records, and until what was recorded is there. */
  onBusy: (isBusy: boolean) => void
}

/** Microphone and camera, each of which the person may refuse, here or when the browser asks. */
export function Recording({ offered, recorded, onRecorded, onBusy }: Props) {
  const { formatDate } = useTexts()
  const [recorder, setRecorder] = useState(() => createRecorder())
  const [state, setState] = useState(() => recorder.state())
  const [stage, setStage] = useState<'off' | 'asking' | 'ready' | 'recording' | 'finishing'>('off')
  const [chosen, setChosen] = useState({ microphone: true, camera: true })
  /** What asking came to the last time. */
  const [answer, setAnswer] = useState<RecorderState | null>(null)
  const leave = useRef(() => {})

  useEffect(() => recorder.subscribe(setState), [recorder])
  useEffect(() => () => leave.current(), [])
  useEffect(() => {
    leave.current = () => (stage === 'recording' ? void recorder.stop().then(onRecorded) : recorder.cancel())
  })

  const keptS = useRef(0)
  useEffect(() => {
    if (stage !== 'recording' || state.durationS < keptS.current + KEEP_EVERY_S) return
    keptS.current = state.durationS
    void recorder.recorded().then((part) => recorder.state().ended || onRecorded(part))
  })

  const isBusy = stage === 'recording' || stage === 'finishing'
  useEffect(() => onBusy(isBusy), [isBusy, onBusy])

  const isWanted = (source: Source) => chosen[source] && offered[source]
  const wanted = { microphone: isWanted('microphone'), camera: isWanted('camera') }

  /** A recorder makes one recording. */
  function close() {
    recorder.cancel()
    setRecorder(createRecorder())
    setStage('off')
  }

  async function open() {
    setStage('asking')
    const opened = await recorder.open(wanted)
    setAnswer(opened)
    if (SOURCES.some((source) => opened[source] === 'granted')) setStage('ready')
    else close()
  }

  function start() {
    recorder.start()
    keptS.current = 0
    setStage('recording')
  }

  async function stop() {
    setStage('finishing')
    onRecorded(await recorder.stop())
    close()
  }

  function discard() {
    onRecorded(null)
    setAnswer(null)
    close()
  }

  const hasEnded = stage === 'recording' && state.ended
  useEffect(() => {
    if (hasEnded) void stop()
  })

  const clock = { minute: 'numeric', second: '2-digit', timeZone: 'UTC' } as const
  const duration = (seconds: number) => formatDate(seconds * 1000, clock)
  const canPause = stage === 'recording' && !state.paused
  const canResume = stage === 'recording' && state.paused
  const isOpen = stage === 'ready' || stage === 'recording'
  const isRecorded = stage === 'off' && recorded !== null
  const { audio, durationS = 0, images = [] } = recorded ?? {}
  const result = { has_sound: String(!!audio), duration: duration(durationS), images: images.length }
  const shown = state.interrupted ? 'interrupted' : state.paused ? 'paused' : stage
  const access = stage === 'asking' ? null : isOpen ? state : answer
  const denied = SOURCES.filter((source) => access && !['granted', 'off'].includes(access[source]))
  return (
    <Section title="check-in.talk">
      {stage === 'off' &&
        !isRecorded &&
        SOURCES.map((source) => {
          if (!offered[source])
            return (
              <AgreeFirst key={source} id="check-in.not-agreed" part={source} label="check-in.consents" />
            )
          const choose = (isChosen: boolean) => setChosen({ ...chosen, [source]: isChosen })
          return (
            <Tick key={source} isSelected={chosen[source]} onChange={choose}>
              <T id={`check-in.use-${source}`} />
            </Tick>
          )
        })}
      <p role="status">
        {isRecorded ? <T id="check-in.recorded" {...result} /> : <T id="check-in.stage" stage={shown} />}
      </p>
      {denied.map((source) => (
        <P key={source} className="notice" id={`check-in.${source}-access`} access={access?.[source]} />
      ))}
      {isOpen && state.camera === 'granted' && <Preview stream={recorder.preview()} />}
      {isOpen && state.microphone === 'granted' && <progress aria-hidden="true" value={state.level} />}
      <p role="status">
        {isOpen && state.hints.map((hint) => <T key={hint} id={`check-in.hint.${hint}`} />)}
      </p>
      {stage === 'recording' && (
        <p className="row">
          <bdi className="clock">{duration(state.durationS)}</bdi>
          {state.camera === 'granted' && <T id="check-in.images" images={state.images} />}
        </p>
      )}
      <div className="row">
        {stage === 'off' && !isRecorded && (wanted.microphone || wanted.camera) && (
          <Button label="check-in.turn-on" onPress={open} />
        )}
        {stage === 'ready' && <Button label="check-in.start" kind="primary" onPress={start} />}
        {stage === 'ready' && <Button label="check-in.turn-off" onPress={discard} />}
        {stage === 'recording' && <Button label="check-in.stop" kind="primary" onPress={stop} />}
        {canPause && <Button label="check-in.pause" onPress={recorder.pause} />}
        {canResume && <Button label="check-in.resume" onPress={recorder.resume} />}
        {(stage === 'recording' || isRecorded) && (
          <Action label="check-in.discard" question="check-in.discard-question" run={discard} />
        )}
      </div>
    </Section>
  )
}

function Preview({ stream }: { stream: MediaStream | null }) {
  const { t } = useTexts()
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (video.current) video.current.srcObject = stream
  }, [stream])
  return <video ref={video} autoPlay muted playsInline aria-label={t('check-in.preview')} />
}
