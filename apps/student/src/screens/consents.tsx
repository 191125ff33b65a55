import type { Consents as Calls, WellbeingClient } from '@student-wellbeing/client'
import { useState } from 'react'
import { Links, Loaded, Screen } from '../../../ui/elements.tsx'
import { Action } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { useRead } from '../../../ui/service.tsx'
import { useConsents } from '../service.tsx'

/** Each kind with its text, to be agreed to by itself, and to be withdrawn. */
export default function Consents() {
  const texts = useRead(['consent-texts'], ({ consents }) => consents.texts())
  const listed = (kinds: Status[]) => (texts: Text[]) => (
    <ul className="list">
      {texts.map((text) => (
        <Consent key={text.kind} text={text} status={kinds.find(({ kind }) => kind === text.kind)} />
      ))}
    </ul>
  )
  return (
    <Screen title="consents.title">
      <P id="consents.explanation" />
      <Loaded query={useConsents()}>{(kinds) => <Loaded query={texts}>{listed(kinds)}</Loaded>}</Loaded>
      <Links to={{ '/': 'missing.home' }} />
    </Screen>
  )
}

type Text = Awaited<ReturnType<Calls['texts']>>[number]
type Status = Awaited<ReturnType<Calls['status']>>[number]

function Consent({ text, status }: { text: Text; status: Status | undefined }) {
  const { date } = useTexts()
  const [deleted, setDeleted] = useState<Awaited<ReturnType<Calls['withdraw']>>>()
  const agree = ({ consents }: WellbeingClient) => consents.grant([text.kind], text.version)
  const withdraw = async ({ consents }: WellbeingClient) => setDeleted(await consents.withdraw(text.kind))
  const given = status?.in_force ? status : undefined
  const isOther = status !== undefined && status.version !== null && status.version !== text.version
  return (
    <li className="card">
      <h2 dir="auto">{text.title}</h2>
      {isOther && <P className="notice" id={given ? 'consents.newer' : 'consents.again'} />}
      <p className="prose" lang={text.language} dir="auto">
        {text.body}
      </p>
      {given?.granted_at && <P className="muted" id="consents.given" date={date(given.granted_at)} />}
      <p role="status">{deleted && <T id="consents.deleted" {...deleted} />}</p>
      <div className="row">
        {(!given || isOther) && <Action kind="primary" label="consents.agree" run={agree} />}
        {given && <Action label="consents.withdraw" question="consents.withdraw-question" run={withdraw} />}
      </div>
    </li>
  )
}
