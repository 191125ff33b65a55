import type { ExportSummary } from '@student-wellbeing/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useIntl } from 'react-intl'
import { useChange } from '../change.ts'
import { AccountField } from '../components/account-field.tsx'
import { Confirm } from '../components/confirm.tsx'
import { Button } from '../components/controls.tsx'
import { Form } from '../components/form.tsx'
import { Screen } from '../components/screen.tsx'
import { Loaded, Problem } from '../components/states.tsx'
import { useService } from '../service.tsx'

const SIZE = { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 } as const

/** What is stored can be taken along and deleted, and who has looked at it can be seen. */
export default function MyData() {
  const { $t } = useIntl()
  return (
    <Screen title={$t({ id: 'my-data.title' })}>
      <Exports />
      <Accesses />
      <Erasure />
    </Screen>
  )
}

function Exports() {
  const { client } = useService()
  const { $t } = useIntl()
  const queries = useQueryClient()
  const exports = useQuery({ queryKey: ['exports'], queryFn: () => client.exports.list() })
  const request = useChange(() => client.exports.request(), 'exports')
  useEffect(() => {
    return client.exports.subscribe(() => void queries.invalidateQueries({ queryKey: ['exports'] }))
  }, [client, queries])
  return (
    <section className="stack">
      <h2>{$t({ id: 'my-data.exports' })}</h2>
      <p>{$t({ id: 'my-data.exports-explanation' })}</p>
      {request.error && <Problem error={request.error} />}
      <Button onPress={() => request.mutate()} isPending={request.isPending}>
        {$t({ id: 'my-data.request' })}
      </Button>
      <Loaded query={exports}>
        {(exports) => (
          <ul className="list">
            {exports.map((one) => (
              <ExportCard key={one.id} stored={one} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

function ExportCard({ stored: { id, status, progress, created_at, expires_at } }: { stored: ExportSummary }) {
  const { client } = useService()
  const { $t, formatDate } = useIntl()
  const remove = useChange(() => client.exports.remove(id), 'exports')
  const isReady = status === 'ready'
  return (
    <li className="card">
      <h3>{formatDate(created_at, { dateStyle: 'long', timeStyle: 'short' })}</h3>
      <p role="status">
        {$t({ id: `my-data.export-${status}` }, { progress })}{' '}
        {isReady &&
          $t({ id: 'my-data.until' }, { date: formatDate(expires_at ?? '', { dateStyle: 'long' }) })}
      </p>
      {isReady && <Files of={id} />}
      {remove.error && <Problem error={remove.error} />}
      {(isReady || status === 'queued' || status === 'building') && (
        <Confirm
          label={$t({ id: 'my-data.remove' })}
          question={$t({ id: 'my-data.remove-question' })}
          onConfirm={() => remove.mutate()}
        />
      )}
    </li>
  )
}

function Files({ of: id }: { of: string }) {
  const { client } = useService()
  const { formatNumber } = useIntl()
  const files = useQuery({ queryKey: ['exports', id], queryFn: () => client.exports.get(id) })
  return (
    <Loaded query={files}>
      {({ volumes }) =>
        volumes.map(({ number, url, file_name, bytes }) => (
          <a key={number} className="button" href={url ?? undefined} download={file_name}>
            <bdi>{file_name}</bdi>, {formatNumber((bytes ?? 0) / 1e6, SIZE)}
          </a>
        ))
      }
    </Loaded>
  )
}

function Accesses() {
  const { client } = useService()
  const { $t, formatDate } = useIntl()
  const accesses = useQuery({ queryKey: ['accesses'], queryFn: () => client.account.accesses() })
  return (
    <section className="stack">
      <h2>{$t({ id: 'my-data.accesses' })}</h2>
      <Loaded query={accesses}>
        {(accesses) => (
          <ul className="list">
            {accesses.length === 0 && <li className="state">{$t({ id: 'my-data.no-accesses' })}</li>}
            {accesses.map(({ entry, occurred_at, action, role, name }) => (
              <li key={entry} className="card">
                <strong>{$t({ id: `my-data.${action}` })}</strong>
                <p dir="auto">{[name, role && $t({ id: `my-data.${role}` })].filter(Boolean).join(', ')}</p>
                <p className="muted">{formatDate(occurred_at, { dateStyle: 'long', timeStyle: 'short' })}</p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

function Erasure() {
  const { client } = useService()
  const { $t } = useIntl()
  const erasure = useQuery({ queryKey: ['erasure'], queryFn: () => client.erasure.status() })
  const request = useChange((password: string) => client.erasure.request(password), 'erasure')
  const erase = $t({ id: 'my-data.erase' })
  return (
    <section className="stack">
      <h2>{$t({ id: 'my-data.erasure' })}</h2>
      <Loaded query={erasure}>
        {(asked) =>
          asked ? (
            <Asked asked={asked} />
          ) : (
            <>
              <p>{$t({ id: 'my-data.erasure-explanation' })}</p>
              <Form
                kind="danger"
                submit={erase}
                onSubmit={(typed) => request.mutateAsync(typed('current-password'))}
              >
                <AccountField is="current-password" />
              </Form>
            </>
          )
        }
      </Loaded>
    </section>
  )
}

type AskedProps = {
  asked: { status: 'scheduled' | 'held' | 'final'; final_at: string; hold: { reason: string } | null }
}

function Asked({ asked: { status, final_at, hold } }: AskedProps) {
  const { client } = useService()
  const { $t, formatDate } = useIntl()
  const cancel = useChange(() => client.erasure.cancel(), 'erasure')
  const date = formatDate(final_at, { dateStyle: 'full', timeStyle: 'short' })
  return (
    <div role="status" className="notice">
      <p>{$t({ id: `my-data.erasure-${status}` }, { date })}</p>
      {hold && <p>{hold.reason}</p>}
      {cancel.error && <Problem error={cancel.error} />}
      {status !== 'final' && (
        <Button onPress={() => cancel.mutate()} isPending={cancel.isPending}>
          {$t({ id: 'my-data.keep-account' })}
        </Button>
      )}
    </div>
  )
}
