import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { useIntl } from 'react-intl'
import { Action } from './form.tsx'
import { type Id, T, useTexts, type Values } from './language.tsx'
import type { Client } from './service.tsx'

export type Tone = 'good' | 'warning' | 'bad' | 'neutral'

/** How something stands, in a word; its colour says no more than the word. */
export function Status({ label, values, tone = 'neutral' }: { label: Id; values?: Values; tone?: Tone }) {
  return (
    <span className={`status ${tone}`}>
      <T {...values} id={label} />
    </span>
  )
}

/** What is known of one thing: names with values. What is null or undefined is left out. */
export function Facts({ of }: { of: readonly (readonly [label: Id, value: ReactNode])[] }) {
  const { t } = useTexts()
  const known = of.filter(([, value]) => value !== null && value !== undefined)
  return (
    <dl className="facts">
      {known.map(([label, value]) => (
        <Fragment key={label}>
          <dt>{t(label)}</dt>
          <dd>{typeof value === 'string' ? <bdi>{value}</bdi> : value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** How long ago something was, or how soon it will be: `3 hours ago`. It keeps up with the time. */
export function Ago({ at }: { at: string }) {
  const { formatRelativeTime } = useIntl()
  const { time } = useTexts()
  const now = useNow()
  const seconds = (Date.parse(at) - now) / 1000
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? (['minute', 60] as const)
  const count = Math.trunc(seconds / length) || 0
  return (
    <time dateTime={at} title={time(at)}>
      {/* A day is 24 hours here, which is not always yesterday. */}
      {formatRelativeTime(count, unit, { numeric: count === 0 ? 'auto' : 'always' })}
    </time>
  )
}

/** When something was or will be: day and time. */
export function When({ at }: { at: string }) {
  const { time } = useTexts()
  return <time dateTime={at}>{time(at)}</time>
}

/** The time, anew every half minute. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(clock)
  }, [])
  return now
}

type DownloadProps = {
  label: Id
  values?: Values
  fileName: string
  /** What is in the file: text, or bytes. */
  read: (client: Client) => Promise<Blob | string> | Blob | string
  /** Of text. */
  type?: 'text/csv' | 'application/json' | 'text/plain'
}

/** A button that stores something as a file. */
export function Download({ fileName, read, type = 'text/plain', ...look }: DownloadProps) {
  async function download(client: Client) {
    const content = await read(client)
    saveFile(
      fileName,
      content instanceof Blob ? content : new Blob([content], { type: `${type};charset=utf-8` }),
    )
  }
  return <Action {...look} run={download} />
}

/** Stores something as a file of whoever asked for it. */
function saveFile(fileName: string, content: Blob): void {
  const href = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href, download: fileName })
  link.click()
  // Once the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
