import { useState } from 'react'
import { Section } from '../../../ui/elements.tsx'
import { Field, Form } from '../../../ui/form.tsx'
import { type Id, P, T, useTexts } from '../../../ui/language.tsx'
import { Status } from '../../../ui/shown.tsx'
import { useColumnChange, useUniversityChange } from './change.ts'
import { type University, UniversityScreen } from './chosen.tsx'
import { contrastOf, ENOUGH } from './contrast.ts'
import './university.css'

/** Name and colours of a university, as its students see them. */
export default function Appearance() {
  return (
    <UniversityScreen title="university.appearance">
      {(university) => <Branding university={university} />}
    </UniversityScreen>
  )
}

function Branding({ university }: { university: University }) {
  const change = useUniversityChange(university)
  const changeColumns = useColumnChange(university)
  const [shortName, setShortName] = useState(university.short_name)
  const [primary, setPrimary] = useState(university.primary_color)
  const [secondary, setSecondary] = useState(university.secondary_color)
  return (
    <>
      <Form
        submit="university.save"
        done="university.saved"
        onSubmit={async (typed) => {
          const logo = typed('logo')
          await change({
            name: typed('name'),
            branding: {
              primary_color: primary,
              secondary_color: secondary,
              logo_url: logo === '' ? null : logo,
            },
          })
        }}
      >
        <Field
          label="university.name"
          name="name"
          defaultValue={university.name}
          maxLength={200}
          isRequired
        />
        <Colour label="university.primary-color" value={primary} onChange={setPrimary} />
        <Colour label="university.secondary-color" value={secondary} onChange={setSecondary} />
        <Field
          label="university.logo"
          hint="university.logo-hint"
          name="logo"
          type="url"
          defaultValue={university.logo_url ?? ''}
          maxLength={500}
        />
      </Form>
      <Form
        of="short-name"
        submit="university.save"
        done="university.saved"
        onSubmit={(typed) => changeColumns({ short_name: typed('short-name') })}
      >
        <Field
          label="university.short-name"
          hint="university.short-name-hint"
          name="short-name"
          value={shortName}
          onChange={setShortName}
          maxLength={50}
          isRequired
        />
      </Form>
      <Section title="university.preview">
        <P className="muted" id="university.preview-note" />
        <div className="brand-preview" style={{ background: `oklch(from ${primary} min(l, 0.5) c h)` }}>
          <span dir="auto">{shortName}</span>
          <span aria-hidden="true">☰</span>
        </div>
      </Section>
      <Section title="university.contrast">
        <P className="muted" id="university.contrast-note" />
        <div className="swatches">
          <Letters name="university.primary-color" on={primary} />
          <Letters name="university.secondary-color" on={secondary} />
        </div>
      </Section>
    </>
  )
}

type ColourProps = { label: Id; value: string; onChange: (value: string) => void }

function Colour({ label, value, onChange }: ColourProps) {
  return (
    <label className="field">
      <span>
        <T id={label} /> <bdi className="muted">{value}</bdi>
      </span>
      <input type="color" value={value} onChange={({ target }) => onChange(target.value)} />
    </label>
  )
}

const INKS = [
  ['university.white-letters', '#ffffff'],
  ['university.black-letters', '#000000'],
] as const

/** Whether white and black letters can be read on a colour. */
function Letters({ name, on }: { name: Id; on: string }) {
  const { t, number } = useTexts()
  return (
    <div className="card">
      <h3>{t(name)}</h3>
      {INKS.map(([ink, colour]) => {
        const ratio = contrastOf(on, colour)
        const isReadable = ratio >= ENOUGH
        return (
          <p key={ink} className="row">
            <svg className="ink" viewBox="0 0 48 32" aria-hidden="true">
              <rect width="48" height="32" fill={on} />
              <text x="24" y="22" textAnchor="middle" fontWeight="600" fill={colour}>
                {t('university.letters')}
              </text>
            </svg>
            <T id={ink} ratio={number(Math.floor(ratio * 10) / 10, { maximumFractionDigits: 1 })} />
            <Status
              label={isReadable ? 'university.readable' : 'university.hard-to-read'}
              tone={isReadable ? 'good' : 'warning'}
            />
          </p>
        )
      })}
    </div>
  )
}
