import type { ConsentKind } from '@student-wellbeing/client'
import { useQuery } from '@tanstack/react-query'
import { FormattedDate, FormattedMessage } from 'react-intl'
import { useChange } from '../change.ts'
import { Confirm } from '../components/confirm.tsx'
import { Button, ButtonLink } from '../components/controls.tsx'
import { Screen } from '../components/screen.tsx'
import { Loaded, Problem } from '../components/states.tsx'
import { useConsents } from '../consents.ts'
import { useService } from '../service.tsx'

/** Each kind with its text, to be agreed to by itself, and to be withdrawn. */
export default function Consents() {
  const { client } = useService()
  const texts = useQuery({ queryKey: ['consent-texts'], queryFn: () => client.consents.texts() })
  const status = useConsents()
  return (
    <Screen title={<FormattedMessage id="consents.title" />}>
      <p>
        <FormattedMessage id="consents.explanation" />
      </p>
      <Loaded query={texts}>
        {(texts) => (
          <Loaded query={status}>
            {(status) => (
              <ul className="list">
                {texts.map((text) => (
                  <Consent
                    key={text.kind}
                    text={text}
                    status={status.find(({ kind }) => kind === text.kind)}
                  />
                ))}
              </ul>
            )}
          </Loaded>
        )}
      </Loaded>
      <div>
        <ButtonLink to="/">
          <FormattedMessage id="consents.done" />
        </ButtonLink>
      </div>
    </Screen>
  )
}

type Text = { kind: ConsentKind; version: string; title: string; body: string; language: string }
type Status = NonNullable<ReturnType<typeof useConsents>['data']>[number]

function Consent({ text, status }: { text: Text; status: Status | undefined }) {
  const { client } = useService()
  const agree = useChange(() => client.consents.grant([text.kind], text.version), 'consents')
  const withdraw = useChange(() => client.consents.withdraw(text.kind), 'consents', 'history', 'exports')
  const isGiven = status?.in_force === true
  const isAskedAgain = !isGiven && status !== undefined && status.version !== null
  const isNewer = isGiven && status.version !== text.version
  const error = agree.error ?? withdraw.error
  return (
    <li className="card" lang={text.language} dir="auto">
      <h2>{text.title}</h2>
      {isAskedAgain && (
        <p className="notice">
          <FormattedMessage id="consents.again" />
        </p>
      )}
      {isNewer && (
        <p className="notice">
          <FormattedMessage id="consents.newer" />
        </p>
      )}
      <p className="prose">{text.body}</p>
      {isGiven && status.granted_at && (
        <p className="muted">
          <FormattedMessage
            id="consents.given"
            values={{ date: <FormattedDate value={status.granted_at} dateStyle="long" /> }}
          />
        </p>
      )}
      {withdraw.data && <Deleted counts={withdraw.data} />}
      {error && <Problem error={error} />}
      <div className="row">
        {(!isGiven || isNewer) && (
          <Button kind="primary" onPress={() => agree.mutate()} isPending={agree.isPending}>
            <FormattedMessage id="consents.agree" />
          </Button>
        )}
        {isGiven && (
          <Confirm
            label={<FormattedMessage id="consents.withdraw" />}
            question={<FormattedMessage id="consents.withdraw-question" />}
            onConfirm={() => withdraw.mutate()}
          />
        )}
      </div>
    </li>
  )
}

/** How much a withdrawal has deleted. */
function Deleted({ counts }: { counts: Record<string, number> }) {
  const { files = 0, results = 0, exports = 0 } = counts
  return (
    <p role="status" className="notice">
      <FormattedMessage id="consents.deleted" values={{ files, results, exports }} />
    </p>
  )
}
