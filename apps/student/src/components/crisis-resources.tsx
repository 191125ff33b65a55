import type { WellbeingClient } from '@student-wellbeing/client'

export type Resources = Awaited<ReturnType<WellbeingClient['crisisResources']>>

/** Whom to turn to, as the service says. */
export function CrisisResources({ resources }: { resources: Resources }) {
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
