import type { ExportSummary, WellbeingClient } from '@student-wellbeing/client'
import { Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { AccountField, Action, Form, type Typed } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { useNews, useRead, useService } from '../../../ui/service.tsx'

const SIZE = { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 } as const

/** What is stored can be taken along and deleted, and who has looked at it can be seen. */
export default function MyData() {
  return (
    <Screen title="my-data.title">
      <Exports />
      <Accesses />
      <Erasure />
    </Screen>
  )
}

function Exports() {
  useNews('exports', useService().client.exports)
  return (
    <Section title="my-data.exports">
      <P id="my-data.exports-explanation" />
      <Action label="my-data.request" run={({ exports }) => exports.request()} />
      <Loaded query={useRead(['exports'], ({ exports }) => exports.list())}>
        {(exports) => (
          <ul className="list">
            {exports.map((one) => (
              <ExportCard key={one.id} stored={one} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}

function ExportCard({ stored: { id, status, progress, created_at, expires_at } }: { stored: ExportSummary }) {
  const { date, time } = useTexts()
  const remove = ({ exports }: WellbeingClient) => exports.remove(id)
  const isReady = status === 'ready'
  return (
    <li className="card">
      <h3>{time(created_at, 'long')}</h3>
      <p role="status">
        <T id={`my-data.export-${status}`} progress={progress} />{' '}
        {isReady && <T id="my-data.until" date={date(expires_at ?? '')} />}
      </p>
      {isReady && <Files of={id} />}
      {(isReady || status === 'queued' || status === 'building') && (
        <Action label="my-data.remove" question="my-data.remove-question" run={remove} />
      )}
    </li>
  )
}

function Files({ of: id }: { of: string }) {
  const { number } = useTexts()
  return (
    <Loaded query={useRead(['exports', id], ({ exports }) => exports.get(id))}>
      {({ volumes }) =>
        volumes.map(({ number: nth, url, file_name, bytes }) => (
          <a key={nth} className="button" href={url ?? undefined} download={file_name}>
            <bdi>{file_name}</bdi>, {number((bytes ?? 0) / 1e6, SIZE)}
          </a>
        ))
      }
    </Loaded>
  )
}

function Accesses() {
  const { t, time } = useTexts()
  return (
    <Section title="my-data.accesses">
      <Loaded query={useRead(['accesses'], ({ account }) => account.accesses())}>
        {(accesses) => (
          <ul className="list">
            {accesses.length === 0 && <li>{t('my-data.no-accesses')}</li>}
            {accesses.map(({ entry, occurred_at, action, role, name }) => (
              <li key={entry} className="card">
                <strong>{t(`my-data.${action}`)}</strong>
                <p dir="auto">{[name, role && t(`my-data.${role}`)].filter(Boolean).join(', ')}</p>
                <p className="muted">{time(occurred_at, 'long')}</p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}

function Erasure() {
  const { time } = useTexts()
  const request = (typed: Typed, { erasure }: WellbeingClient) => erasure.request(typed('current-password'))
  return (
    <Section title="my-data.erasure">
      <Loaded query={useRead(['erasure'], ({ erasure }) => erasure.status())}>
        {(asked) => {
          if (!asked)
            return (
              <Form kind="danger" submit="my-data.erase" onSubmit={request}>
                <P id="my-data.erasure-explanation" />
                <AccountField is="current-password" />
              </Form>
            )
          return (
            <div role="status" className="notice">
              <P id={`my-data.erasure-${asked.status}`} date={time(asked.final_at, 'full')} />
              {asked.hold && <p>{asked.hold.reason}</p>}
              {asked.status !== 'final' && (
                <Action label="my-data.keep-account" run={({ erasure }) => erasure.cancel()} />
              )}
            </div>
          )
        }}
      </Loaded>
    </Section>
  )
}
