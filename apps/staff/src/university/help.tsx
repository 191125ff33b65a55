import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, Loaded, Section } from '../../../ui/elements.tsx'
import { Field, Form, type Typed } from '../../../ui/form.tsx'
import { P, T } from '../../../ui/language.tsx'
import { done, useService } from '../../../ui/service.tsx'
import { useColumnChange, useUniversityChange } from './change.ts'
import { type University, UniversityScreen } from './chosen.tsx'
import './university.css'

/** Whom students can turn to: shown with every result, and before anybody signs in. */
export default function Help() {
  return (
    <UniversityScreen title="university.help">
      {(university) => (
        <>
          <AsStudentsSeeIt university={university} />
          <Contacts university={university} />
          <Country university={university} />
        </>
      )}
    </UniversityScreen>
  )
}

/** What the service says for the university's domain: with the emergency number of its country. */
function AsStudentsSeeIt({ university: { id, domain } }: { university: University }) {
  const { api } = useService()
  const shown = useQuery({
    queryKey: ['shown-help', domain],
    queryFn: () =>
      done(api.GET('/api/public/universities', { params: { query: { domain } }, cache: 'no-cache' })),
  })
  return (
    <Section title="university.help-shown">
      <P className="muted" id="university.help-shown-note" />
      <Loaded query={shown}>
        {({ universities }) => {
          const known = universities.find((one) => one.id === id)
          if (!known) return <P id="university.none-shown" />
          return (
            <ul className="links">
              {known.crisis_resources.map(({ name, phone, website }) => (
                <li key={`${name} ${phone} ${website}`} dir="auto">
                  <strong>{name}</strong> {phone && <bdi>{phone}</bdi>} {website && <bdi>{website}</bdi>}
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Section>
  )
}

type Resource = { key: number; name: string; phone: string; website: string }

function Contacts({ university }: { university: University }) {
  const change = useUniversityChange(university)
  const [resources, setResources] = useState(() =>
    university.resources.map(
      ({ name, phone, website }, key): Resource => ({
        key,
        name,
        phone: phone ?? '',
        website: website ?? '',
      }),
    ),
  )
  async function save(typed: Typed) {
    const orNull = (name: string) => typed(name) || null
    await change({
      contacts: {
        support_email: orNull('support-email'),
        crisis_phone: orNull('crisis-phone'),
        resources: resources.map(({ key }) => ({
          name: typed(`name-${key}`),
          phone: orNull(`phone-${key}`),
          website: orNull(`website-${key}`),
        })),
      },
    })
  }
  const add = () => {
    const key = Math.max(-1, ...resources.map((one) => one.key)) + 1
    setResources([...resources, { key, name: '', phone: '', website: '' }])
  }
  return (
    <Section title="university.help-change">
      <Form submit="university.save" done="university.saved" onSubmit={save}>
        <Field
          label="university.crisis-phone"
          hint="university.crisis-phone-hint"
          name="crisis-phone"
          type="tel"
          defaultValue={university.crisis_phone ?? ''}
          maxLength={30}
        />
        <Field
          label="university.support-email"
          hint="university.support-email-hint"
          name="support-email"
          type="email"
          defaultValue={university.support_email ?? ''}
          maxLength={255}
        />
        <h3>
          <T id="university.resources" />
        </h3>
        {resources.map(({ key, name, phone, website }) => (
          <fieldset key={key} className="resource list">
            <Field
              label="university.resource-name"
              name={`name-${key}`}
              defaultValue={name}
              maxLength={200}
              isRequired
            />
            <Field
              label="university.resource-phone"
              name={`phone-${key}`}
              type="tel"
              defaultValue={phone}
              maxLength={30}
            />
            <Field
              label="university.resource-website"
              name={`website-${key}`}
              type="url"
              defaultValue={website}
              maxLength={500}
            />
            <Button
              label="university.resource-remove"
              onPress={() => setResources(resources.filter((one) => one.key !== key))}
            />
          </fieldset>
        ))}
        {resources.length < 50 && <Button label="university.resource-add" onPress={add} />}
      </Form>
    </Section>
  )
}

/** Which emergency number is shown beside them. */
function Country({ university }: { university: University }) {
  const change = useColumnChange(university)
  return (
    <Form
      of="country"
      submit="university.save"
      done="university.saved"
      onSubmit={(typed) => change({ country: typed('country').toUpperCase() || null })}
    >
      <Field
        label="university.country"
        hint="university.country-hint"
        name="country"
        defaultValue={university.country ?? ''}
        pattern="[A-Za-z]{2}"
        maxLength={2}
      />
    </Form>
  )
}
