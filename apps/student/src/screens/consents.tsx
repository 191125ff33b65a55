import type { Consents as Calls } from '@student-wellbeing/client'
import { useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { useChange } from '../change.ts'
import { Confirm } from '../components/confirm.tsx'
import { Button } from '../components/controls.tsx'
import { Links } from '../components/links.tsx'
import { Screen } from '../components/screen.tsx'
import { Loaded, Problem } from '../components/states.tsx'
import { useConsents } from '../consents.ts'
import { useService } from '../service.tsx'

/** Each kind with its text, to be agreed to by itself, and to be withdrawn. */
export default function Consents() {
  const { client } = useService()
  const { $t } = useIntl()
  const texts = useQuery({ queryKey: ['consent-texts'], queryFn: () => client.consents.texts() })
  const status = useConsents()
  const listed = (kinds: Status[]) => (texts: Text[]) => (
    <ul className="list">
      {texts.map((text) => (
        <Consent key={text.kind} text={text} status={kinds.find(({ kind }) => kind === text.kind)} />
      ))}
    </ul>
  )
  return (
    <Screen title={$t({ id: 'consents.title' })}>
      <p>{$t({ id: 'consents.explanation' })}</p>
      <Loaded query={status}>{(kinds) => <Loaded query={texts}>{listed(kinds)}</Loaded>}</Loaded>
      <Links to={[['/', 'missing.home']]} />
    </Screen>
  )
}

type Text = Awaited<ReturnType<Calls['texts']>>[number]
type Status = Awaited<ReturnType<Calls['status']>>[number]

function Consent({ text, status }: { text: Text; status: Status | undefined }) {
  const { client } = useService()
  const { $t, formatDate } = useIntl()
  const agree = useChange(() => client.consents.grant([text.kind], text.version), 'consents')
  const withdraw = useChange(() => client.consents.withdraw(text.kind), 'consents', 'history', 'exports')
  const given = status?.in_force ? status : undefined
  const isOther = status !== undefined && status.version !== null && status.version !== text.version
  const error = agree.error ?? withdraw.error
  const { files = 0, results = 0, exports = 0 } = withdraw.data ?? {}
  return (
    <li className="card">
      <h2 dir="auto">{text.title}</h2>
      {isOther && <p className="notice">{$t({ id: given ? 'consents.newer' : 'consents.again' })}</p>}
      <p className="prose" lang={text.language} dir="auto">
        {text.body}
      </p>
      {given?.granted_at && (
        <p className="muted">
          {$t({ id: 'consents.given' }, { date: formatDate(given.granted_at, { dateStyle: 'long' }) })}
        </p>
      )}
      <p role="status">{withdraw.data && $t({ id: 'consents.deleted' }, { files, results, exports })}</p>
      {error && <Problem error={error} />}
      <div className="row">
        {(!given || isOther) && (
          <Button kind="primary" onPress={() => agree.mutate()} isPending={agree.isPending}>
            {$t({ id: 'consents.agree' })}
          </Button>
        )}
        {given && (
          <Confirm
            label={$t({ id: 'consents.withdraw' })}
            question={$t({ id: 'consents.withdraw-question' })}
            onConfirm={() => withdraw.mutate()}
          />
        )}
      </div>
    </li>
  )
}
