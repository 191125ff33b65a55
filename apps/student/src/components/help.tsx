import type { CrisisResource } from '@student-wellbeing/client'
import { ButtonLink } from '../../../ui/elements.tsx'
import { type Id, P, type Values } from '../../../ui/language.tsx'

/** What is not there without an agreement, and the way to agree. */
export function AgreeFirst({ id, label, ...values }: { id: Id; label: Id } & Values) {
  return (
    <section className="notice">
      <P {...values} id={id} />
      <ButtonLink to="/consents" label={label} />
    </section>
  )
}

/** Whom to turn to, as the service says. */
export function CrisisResources({ resources }: { resources: CrisisResource[] }) {
  return (
    <ul className="list">
      {resources.map(({ name, phone, website }) => (
        <li key={name} className="card">
          <strong>{name}</strong>
          {phone && (
            <a className="button" href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>
              <bdi dir="ltr">{phone}</bdi>
            </a>
          )}
          {website && (
            <a href={website} target="_blank" rel="noreferrer">
              <bdi dir="ltr">{website}</bdi>
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
