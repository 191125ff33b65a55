import type { ExportSummary } from '@student-wellbeing/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { FormattedDate, FormattedMessage, FormattedNumber } from 'react-intl'
import { useChange } from '../change.ts'
import { Confirm } from '../components/confirm.tsx'
import { Button, Field } from '../components/controls.tsx'
import { Form } from '../components/form.tsx'
import { Screen } from '../components/screen.tsx'
import { Empty, Loaded, Problem } from '../components/states.tsx'
import { useService } from '../service.tsx'

/** What is stored can be taken along and deleted, and who has looked at it can be seen. */
export default function MyData() {
  return (
    <Screen title={<FormattedMessage id="my-data.title" />}>
      <Exports />
      <Accesses />
      <Erasure />
    </Screen>
  )
}

function Exports() {
  const { client } = useService()
  const queries = useQueryClient()
  const exports = useQuery({ queryKey: ['exports'], queryFn: () => client.exports.list() })
  const request = useChange(() => client.exports.request(), 'exports')
  useEffect(
    () => client.exports.subscribe(() => void queries.invalidateQueries({ queryKey: ['exports'] })),
    [client, queries],
  )
  return (
    <section className="stack">
      <h2>
        <FormattedMessage id="my-data.exports" />
      </h2>
      <p>
        <FormattedMessage id="my-data.exports-explanation" />
      </p>
      {request.error && <Problem error={request.error} />}
      <Button onPress={() => request.mutate()} isPending={request.isPending}>
        <FormattedMessage id="my-data.request" />
      </Button>
      <Loaded query={exports}>
        {(exports) => (
          <ul className="list wide">
            {exports.map((one) => (
              <ExportCard key={one.id} stored={one} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

function ExportCard({ stored }: { stored: ExportSummary }) {
  const { client } = useService()
  const { id, status, progress, created_at, expires_at } = stored
  const isReady = status === 'ready'
  const remove = useChange(() => client.exports.remove(id), 'exports')
  const files = useQuery({
    queryKey: ['exports', id],
    queryFn: () => client.exports.get(id),
    enabled: isReady,
  })
  return (
    <li className="card">
      <h3>
        <FormattedDate value={created_at} dateStyle="long" timeStyle="short" />
      </h3>
      <p role="status">
        <FormattedMessage id={`my-data.export-${status}`} values={{ progress }} />{' '}
        {isReady && expires_at && (
          <FormattedMessage
            id="my-data.until"
            values={{ date: <FormattedDate key="date" value={expires_at} dateStyle="long" /> }}
          />
        )}
      </p>
      {isReady && (
        <Loaded query={files}>
          {({ volumes }) => (
            <ul className="list">
              {volumes.map(({ number, url, file_name, bytes }) => (
                <li key={number}>
                  {url && (
                    <a href={url} download={file_name}>
                      <bdi>{file_name}</bdi>
                    </a>
                  )}{' '}
                  {bytes !== null && <Size bytes={bytes} />}
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      )}
      {remove.error && <Problem error={remove.error} />}
      {(isReady || status === 'queued' || status === 'building') && (
        <Confirm
          label={<FormattedMessage id="my-data.remove" />}
          question={<FormattedMessage id="my-data.remove-question" />}
          onConfirm={() => remove.mutate()}
        />
      )}
    </li>
  )
}

function Size({ bytes }: { bytes: number }) {
  return (
    <span className="muted">
      <FormattedNumber
        value={bytes / 1e6}
        style="unit"
        unit="megabyte"
        maximumFractionDigits={1}
        minimumFractionDigits={1}
      />
    </span>
  )
}

function Accesses() {
  const { client } = useService()
  const accesses = useQuery({ queryKey: ['accesses'], queryFn: () => client.account.accesses() })
  return (
    <section className="stack">
      <h2>
        <FormattedMessage id="my-data.accesses" />
      </h2>
      <Loaded query={accesses}>
        {(accesses) =>
          accesses.length === 0 ? (
            <Empty>
              <FormattedMessage id="my-data.no-accesses" />
            </Empty>
          ) : (
            <ul className="list wide">
              {accesses.map(({ entry, occurred_at, action, role, name }) => (
                <li key={entry} className="card">
                  <strong>
                    <FormattedMessage id={`my-data.${action}`} />
                  </strong>
                  <span>
                    {name && <bdi>{name}</bdi>} {role && <FormattedMessage id={`my-data.${role}`} />}
                  </span>
                  <span className="muted">
                    <FormattedDate value={occurred_at} dateStyle="long" timeStyle="short" />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

function Erasure() {
  const { client } = useService()
  const erasure = useQuery({ queryKey: ['erasure'], queryFn: () => client.erasure.status() })
  const request = useChange((password: string) => client.erasure.request(password), 'erasure')
  const cancel = useChange(() => client.erasure.cancel(), 'erasure')
  return (
    <section className="stack">
      <h2>
        <FormattedMessage id="my-data.erasure" />
      </h2>
      <Loaded query={erasure}>
        {(asked) => {
          if (asked === null) {
            return (
              <>
                <p>
                  <FormattedMessage id="my-data.erasure-explanation" />
                </p>
                <Form
                  kind="danger"
                  submit={<FormattedMessage id="my-data.erase" />}
                  onSubmit={(typed) => request.mutateAsync(typed('password'))}
                >
                  <Field
                    label={<FormattedMessage id="sign-in.password" />}
                    name="password"
                    type="password"
                    autoComplete="current-password"
                    isRequired
                  />
                </Form>
              </>
            )
          }
          const date = <FormattedDate key="date" value={asked.final_at} dateStyle="full" timeStyle="short" />
          return (
            <>
              <p role="status" className="notice">
                <FormattedMessage id={`my-data.erasure-${asked.status}`} values={{ date }} />
                {asked.hold && <span>{asked.hold.reason}</span>}
              </p>
              {cancel.error && <Problem error={cancel.error} />}
              {asked.status !== 'final' && (
                <Button onPress={() => cancel.mutate()} isPending={cancel.isPending}>
                  <FormattedMessage id="my-data.keep-account" />
                </Button>
              )}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}
