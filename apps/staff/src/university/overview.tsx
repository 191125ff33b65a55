import { Link } from 'wouter'
import { Links, Section } from '../../../ui/elements.tsx'
import { type Id, P, T } from '../../../ui/language.tsx'
import { useStaff } from '../people.ts'
import { type University, UniversityScreen } from './chosen.tsx'
import { useContacts } from './contacts.tsx'
import './university.css'

/** What an administrator looks after, and what is not set up yet. */
export default function Overview() {
  return (
    <UniversityScreen title="university.university">
      {(university) => (
        <>
          <Missing university={university} />
          <Links
            to={{
              '/university/staff': 'university.staff',
              '/university/contacts': 'university.contacts',
              '/university/cover': 'university.cover',
              '/university/delivery': 'university.delivery',
              '/university/register': 'university.register',
              '/university/help': 'university.help',
              '/university/appearance': 'university.appearance',
              '/university/settings': 'university.settings',
              '/university/terms': 'university.terms',
            }}
          />
        </>
      )}
    </UniversityScreen>
  )
}

/** What students would miss. */
function Missing({ university }: { university: University }) {
  const contacts = useContacts(university)
  const staff = useStaff(university.id)
  const faults: readonly (readonly [isMissing: boolean | undefined, what: Id, where: string])[] = [
    [contacts.data && contacts.data.length === 0, 'university.missing-contact', '/university/contacts'],
    [
      staff.data && !staff.data.some(({ role, user_id }) => role === 'counselor' && user_id),
      'university.missing-counselor',
      '/university/staff',
    ],
    [university.crisis_phone === null, 'university.missing-crisis-phone', '/university/help'],
    [university.support_email === null, 'university.missing-support-email', '/university/help'],
    [university.country === null, 'university.missing-country', '/university/help'],
    [university.time_zone === 'UTC', 'university.missing-time-zone', '/university/settings'],
  ]
  const missing = faults.filter(([isMissing]) => isMissing)
  if (missing.length === 0) return null
  return (
    <div className="notice">
      <Section title="university.missing">
        <P id="university.missing-note" />
        <ul className="links">
          {missing.map(([, what, where]) => (
            <li key={what}>
              <Link href={where}>
                <T id={what} />
              </Link>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}
