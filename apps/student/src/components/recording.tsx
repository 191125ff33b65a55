import { createRecorder, type Recorded, type RecorderState } from '@student-wellbeing/client/recorder'
import { useEffect, useRef, useState } from 'react'
import { useIntl } from 'react-intl'
import { Link } from 'wouter'
import { Tick } from './choices.tsx'
import { Confirm } from './confirm.tsx'
import { Button } from './controls.tsx'

type Source = 'microphone' | 'camera'
const SOURCES = ['microphone', 'camera'] as const
const KEEP_EVERY_S = 15

type Props = {
  /** What the person has agreed to have analysed. */
  offered: Record<Source, boolean>
  recorded: Recorded | null
  /** Also called after the screen was left while it recorded, with what there was by then. */
  onRecorded: (recorded: Recorded | null) => void
  /** At times while it records, with what there is: a tab may be killed. */
  onPart: (recorded: Recorded) => void
  /** While it records, and until what was recorded is there. */
  onBusy: (isBusy: boolean) => void
}

/** Microphone and camera, each of which the person may refuse, here or when the browser asks. */
export function Recording({ offered, recorded, onRecorded, onPart, onBusy }: Props) {
  const { $t, formatDate } = useIntl()
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
    void recorder.recorded().then((part) => recorder.state().ended || onPart(part))
  })

  const isBusy = stage === 'recording' || stage === 'finishing'
  useEffect(() => onBusy(isBusy), [isBusy, onBusy])

  const wanted = {
    microphone: chosen.microphone && offered.microphone,
    camera: chosen.camera && offered.camera,
  }

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
  const isOpen = stage === 'ready' || stage === 'recording'
  const isRecorded = stage === 'off' && recorded !== null
  const { audio, durationS = 0, images = [] } = recorded ?? {}
  const result = { has_sound: String(!!audio), duration: duration(durationS), images: images.length }
  const shown = state.interrupted ? 'interrupted' : state.paused ? 'paused' : stage
  const access = isOpen ? state : answer
  const denied = SOURCES.filter((source) => access && !['granted', 'off'].includes(access[source]))
  return (
    <section className="stack" aria-labelledby="talk">
      <h2 id="talk">{$t({ id: 'check-in.talk' })}</h2>
      {stage === 'off' &&
        !isRecorded &&
        SOURCES.map((source) => {
          if (!offered[source]) return <NotAgreed key={source} part={source} />
          const choose = (isChosen: boolean) => setChosen({ ...chosen, [source]: isChosen })
          return (
            <Tick key={source} isSelected={chosen[source]} onChange={choose}>
              {$t({ id: `check-in.use-${source}` })}
            </Tick>
          )
        })}
      <p role="status">
        {isRecorded
          ? $t({ id: 'check-in.recorded' }, result)
          : $t({ id: 'check-in.stage' }, { stage: shown })}
      </p>
      {stage !== 'asking' &&
        denied.map((source) => (
          <p key={source} className="notice">
            {$t({ id: `check-in.${source}-access` }, { access: access?.[source] })}
          </p>
        ))}
      {isOpen && state.camera === 'granted' && <Preview stream={recorder.preview()} />}
      {isOpen && state.microphone === 'granted' && (
        <div className="track" aria-hidden="true">
          <div style={{ inlineSize: `${Math.round(state.level * 100)}%` }} />
        </div>
      )}
      {isOpen && (
        <p role="status">{state.hints.map((hint) => $t({ id: `check-in.hint.${hint}` })).join(' ')}</p>
      )}
      {stage === 'recording' && (
        <p className="spread row">
          <bdi className="clock">{duration(state.durationS)}</bdi>
          {state.camera === 'granted' && $t({ id: 'check-in.images' }, { images: state.images })}
        </p>
      )}
      <div className="row">
        {stage === 'off' && !isRecorded && (wanted.microphone || wanted.camera) && (
          <Button onPress={open}>{$t({ id: 'check-in.turn-on' })}</Button>
        )}
        {stage === 'ready' && (
          <>
            <Button kind="primary" onPress={start}>
              {$t({ id: 'check-in.start' })}
            </Button>
            <Button onPress={discard}>{$t({ id: 'check-in.turn-off' })}</Button>
          </>
        )}
        {stage === 'recording' && (
          <>
            <Button kind="primary" onPress={stop}>
              {$t({ id: 'check-in.stop' })}
            </Button>
            <Button onPress={state.paused ? recorder.resume : recorder.pause}>
              {$t({ id: state.paused ? 'check-in.resume' : 'check-in.pause' })}
            </Button>
          </>
        )}
        {(stage === 'recording' || isRecorded) && (
          <Confirm
            label={$t({ id: 'check-in.discard' })}
            question={$t({ id: 'check-in.discard-question' })}
            onConfirm={discard}
          />
        )}
      </div>
    </section>
  )
}

/** What is left out because the person has not agreed to its analysis. */
export function NotAgreed({ part }: { part: Source | 'text' }) {
  const { $t } = useIntl()
  return (
    <p className="notice">
      {$t({ id: 'check-in.not-agreed' }, { part })}
      <Link href="/consents">{$t({ id: 'check-in.consents' })}</Link>
    </p>
  )
}

function Preview({ stream }: { stream: MediaStream | null }) {
  const { $t } = useIntl()
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (video.current) video.current.srcObject = stream
  }, [stream])
  return <video ref={video} autoPlay muted playsInline aria-label={$t({ id: 'check-in.preview' })} />
}
