import { createRecorder, type Recorded } from '@student-wellbeing/client/recorder'
import { useEffect, useRef, useState } from 'react'
import { FormattedMessage, useIntl } from 'react-intl'
import { Link } from 'wouter'
import { Confirm } from './confirm.tsx'
import { Button, Tick } from './controls.tsx'

type Stage = 'idle' | 'asking' | 'ready' | 'recording' | 'finishing'
type Source = 'microphone' | 'camera'

const SOURCES = ['microphone', 'camera'] as const

/** Microphone and camera, each of which the person may refuse, here or when the browser asks. */
export function Recording({
  offered,
  recorded,
  onRecorded,
}: {
  /** What the person has agreed to have analysed. */
  offered: Record<Source, boolean>
  recorded: Recorded | null
  /** Also called after the screen was left while it recorded: what there is by then is kept. */
  onRecorded: (recorded: Recorded | null) => void
}) {
  const [recorder] = useState(() => createRecorder())
  const [state, setState] = useState(() => recorder.state())
  const [stage, setStage] = useState<Stage>('idle')
  const [chosen, setChosen] = useState({ microphone: true, camera: true })
  const [asked, setAsked] = useState({ microphone: false, camera: false })
  const leave = useRef(() => {})

  useEffect(() => recorder.subscribe(setState), [recorder])
  useEffect(() => () => leave.current(), [])
  useEffect(() => {
    leave.current = () => (stage === 'recording' ? void recorder.stop().then(onRecorded) : recorder.cancel())
  })

  const wanted = {
    microphone: chosen.microphone && offered.microphone,
    camera: chosen.camera && offered.camera,
  }
  const isOn = (source: Source) => asked[source] && state[source] === 'granted'

  async function open() {
    setStage('asking')
    const access = await recorder.open(wanted)
    setAsked(wanted)
    setStage(SOURCES.some((source) => wanted[source] && access[source] === 'granted') ? 'ready' : 'idle')
  }

  async function stop() {
    setStage('finishing')
    onRecorded(await recorder.stop())
    setStage('idle')
  }

  function discard() {
    recorder.cancel()
    onRecorded(null)
    setStage('idle')
  }

  // It ends by itself at its longest.
  const hasEnded = stage === 'recording' && state.durationS > 0 && !state.recording && !state.paused
  useEffect(() => {
    if (hasEnded) void stop()
  })

  const isOpen = stage === 'ready' || stage === 'recording'
  const isRecorded = stage === 'idle' && recorded !== null
  return (
    <section className="stack" aria-labelledby="check-in-talk">
      <h2 id="check-in-talk">
        <FormattedMessage id="check-in.talk" />
      </h2>
      {stage === 'idle' && !isRecorded && (
        <>
          {SOURCES.map((source) =>
            offered[source] ? (
              <Tick
                key={source}
                isSelected={chosen[source]}
                onChange={(isChosen) => setChosen({ ...chosen, [source]: isChosen })}
              >
                <FormattedMessage id={`check-in.use-${source}`} />
              </Tick>
            ) : (
              <NotAgreed key={source} part={source} />
            ),
          )}
          {(wanted.microphone || wanted.camera) && (
            <Button onPress={open}>
              <FormattedMessage id="check-in.turn-on" />
            </Button>
          )}
        </>
      )}

      <p role="status">
        {isRecorded ? (
          <FormattedMessage
            id="check-in.recorded"
            values={{
              has_sound: String(recorded.audio !== undefined),
              duration: <Duration seconds={recorded.durationS} />,
              images: recorded.images.length,
            }}
          />
        ) : (
          <FormattedMessage
            id="check-in.stage"
            values={{ stage: stage === 'recording' && state.paused ? 'paused' : stage }}
          />
        )}
      </p>
      {SOURCES.map(
        (source) =>
          asked[source] &&
          state[source] !== 'granted' &&
          stage !== 'asking' && (
            <p key={source} className="notice">
              <FormattedMessage id={`check-in.${source}-access`} values={{ access: state[source] }} />
            </p>
          ),
      )}

      {isOpen && (
        <>
          {isOn('camera') && <Preview stream={recorder.preview()} />}
          {isOn('microphone') && (
            <div className="level" aria-hidden="true">
              <div style={{ inlineSize: `${Math.round(state.level * 100)}%` }} />
            </div>
          )}
          <p role="status" className="hints">
            {state.hints.map((hint) => (
              <FormattedMessage key={hint} id={`check-in.hint.${hint}`} />
            ))}
          </p>
        </>
      )}
      {stage === 'recording' && (
        <p className="so-far">
          <Duration seconds={state.durationS} />
          {isOn('camera') && <FormattedMessage id="check-in.images" values={{ images: state.images }} />}
        </p>
      )}

      <div className="row">
        {stage === 'ready' && (
          <>
            <Button
              kind="primary"
              onPress={() => {
                recorder.start()
                setStage('recording')
              }}
            >
              <FormattedMessage id="check-in.start" />
            </Button>
            <Button onPress={discard}>
              <FormattedMessage id="check-in.turn-off" />
            </Button>
          </>
        )}
        {stage === 'recording' && (
          <>
            <Button kind="primary" onPress={stop}>
              <FormattedMessage id="check-in.stop" />
            </Button>
            <Button onPress={() => (state.paused ? recorder.resume() : recorder.pause())}>
              <FormattedMessage id={state.paused ? 'check-in.resume' : 'check-in.pause'} />
            </Button>
          </>
        )}
        {(stage === 'recording' || isRecorded) && (
          <Confirm
            label={<FormattedMessage id="check-in.discard" />}
            question={<FormattedMessage id="check-in.discard-question" />}
            onConfirm={discard}
          />
        )}
      </div>
    </section>
  )
}

/** What is left out because the person has not agreed to its analysis. */
export function NotAgreed({ part }: { part: Source | 'text' }) {
  return (
    <p className="notice">
      <FormattedMessage id="check-in.not-agreed" values={{ part }} />
      <Link href="/consents">
        <FormattedMessage id="check-in.consents" />
      </Link>
    </p>
  )
}

function Preview({ stream }: { stream: MediaStream | null }) {
  const video = useRef<HTMLVideoElement>(null)
  const label = useIntl().formatMessage({ id: 'check-in.preview' })
  useEffect(() => {
    if (video.current) video.current.srcObject = stream
  }, [stream])
  return <video ref={video} autoPlay muted playsInline aria-label={label} />
}

/** Minutes and seconds: 1:05. */
function Duration({ seconds }: { seconds: number }) {
  const intl = useIntl()
  const whole = Math.round(seconds)
  return (
    <bdi className="duration">
      {intl.formatNumber(Math.floor(whole / 60))}:
      {intl.formatNumber(whole % 60, { minimumIntegerDigits: 2 })}
    </bdi>
  )
}
