import { useState } from 'react'
import { Switch } from '../../../ui/choices.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { Button, Problem, Section } from '../../../ui/elements.tsx'
import { Select } from '../../../ui/filters.tsx'
import { Field, Form } from '../../../ui/form.tsx'
import { type Id, P, T, useTexts } from '../../../ui/language.tsx'
import { useChange } from '../../../ui/service.tsx'
import { useColumnChange, useUniversityChange } from './change.ts'
import { type University, UniversityScreen } from './chosen.tsx'
import './university.css'

const FEATURES = ['check_ins', 'sessions', 'support_circle', 'counselor_access'] as const
type Feature = (typeof FEATURES)[number]

const FEATURE_WORDS: Record<Feature, { name: Id; off: Id }> = {
  check_ins: { name: 'university.feature-check-ins', off: 'university.feature-check-ins-off' },
  sessions: { name: 'university.feature-sessions', off: 'university.feature-sessions-off' },
  support_circle: { name: 'university.feature-circle', off: 'university.feature-circle-off' },
  counselor_access: { name: 'university.feature-access', off: 'university.feature-access-off' },
}

const FREQUENCIES = ['daily', 'twice_weekly', 'weekly', 'biweekly', 'monthly'] as const
const FREQUENCY_WORDS: Record<(typeof FREQUENCIES)[number], Id> = {
  daily: 'university.daily',
  twice_weekly: 'university.twice-weekly',
  weekly: 'university.weekly',
  biweekly: 'university.biweekly',
  monthly: 'university.monthly',
}

/** What students can use, in which languages, and by which clock. */
export default function Settings() {
  return (
    <UniversityScreen title="university.settings">
      {(university) => (
        <>
          <Features university={university} />
          <Languages university={university} />
          <Days university={university} />
          <Choices university={university} />
        </>
      )}
    </UniversityScreen>
  )
}

/** Switched on at once; what takes something away from students is asked for first. */
function Features({ university }: { university: University }) {
  const change = useUniversityChange(university)
  const enabled = FEATURES.filter((one) => university.features_enabled.includes(one))
  const set = (features: Feature[]) => change({ settings: { features_enabled: features } })
  const switching = useChange((feature: Feature) => set([...enabled, feature]))
  return (
    <Section title="university.features">
      <P className="muted" id="university.features-note" />
      {switching.error && <Problem error={switching.error} />}
      <ul className="links">
        {FEATURES.map((feature) => {
          const { name, off } = FEATURE_WORDS[feature]
          const isOn = enabled.includes(feature)
          return (
            <li key={feature} className="list">
              {isOn ? (
                <div className="row">
                  <strong>
                    <T id={name} />
                  </strong>
                  <Confirm
                    label="university.switch-off"
                    values={{ feature: <T id={name} /> }}
                    title="university.switch-off-title"
                    question={off}
                    target={<T id={name} />}
                    run={() => set(enabled.filter((one) => one !== feature))}
                  />
                </div>
              ) : (
                <Switch isSelected={false} onChange={() => switching.mutate(feature)}>
                  <T id={name} />
                </Switch>
              )}
              <P className="muted" id={off} />
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

/** Languages of the university, the first of which is the one of whoever chose none. */
function Languages({ university }: { university: University }) {
  const { t, locale } = useTexts()
  const change = useColumnChange(university)
  const changing = useChange((languages: string[]) => change({ languages }))
  const { languages } = university
  const named = (tag: string) => new Intl.DisplayNames([locale], { type: 'language' }).of(tag) ?? tag
  return (
    <Section title="university.languages">
      <P className="muted" id="university.languages-note" />
      {changing.error && <Problem error={changing.error} />}
      <ol className="links">
        {languages.map((tag, at) => (
          <li key={tag} className="row">
            <span>
              {named(tag)} <bdi className="muted">{tag}</bdi> {at === 0 && <T id="university.default" />}
            </span>
            {at > 0 && (
              <Button
                label="university.make-default"
                values={{ language: named(tag) }}
                onPress={() => changing.mutate([tag, ...languages.filter((one) => one !== tag)])}
              />
            )}
            {languages.length > 1 && (
              <Button
                label="university.remove-language"
                values={{ language: named(tag) }}
                onPress={() => changing.mutate(languages.filter((one) => one !== tag))}
              />
            )}
          </li>
        ))}
      </ol>
      {languages.length < 20 && (
        <Form
          key={languages.join()}
          submit="university.add-language"
          onSubmit={(typed) => change({ languages: [...languages, typed('language')] })}
        >
          <Field
            label="university.language"
            hint="university.language-hint"
            name="language"
            pattern="[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*"
            validate={(tag) => (languages.includes(tag) ? t('university.language-twice') : null)}
            maxLength={35}
            isRequired
          />
        </Form>
      )}
    </Section>
  )
}

function Days({ university }: { university: University }) {
  const { t } = useTexts()
  const change = useUniversityChange(university)
  const changeColumns = useColumnChange(university)
  const [zones] = useState(() =>
    [...new Set([university.time_zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort(),
  )
  return (
    <Section title="university.days">
      <Form
        submit="university.save"
        done="university.saved"
        onSubmit={async (typed) => {
          const frequency = FREQUENCIES.find((one) => one === typed('frequency'))
          await change({ settings: { ...(frequency && { assessment_frequency: frequency }) } })
        }}
      >
        <Select
          label="university.frequency"
          name="frequency"
          options={FREQUENCIES}
          defaultValue={FREQUENCIES.find((one) => one === university.assessment_frequency) ?? 'daily'}
        >
          {(one) => t(FREQUENCY_WORDS[one])}
        </Select>
      </Form>
      <Form
        of="time-zone"
        submit="university.save"
        done="university.saved"
        onSubmit={(typed) => changeColumns({ time_zone: typed('time-zone') })}
      >
        <Select
          label="university.time-zone"
          name="time-zone"
          options={zones}
          defaultValue={university.time_zone}
        >
          {(one) => one}
        </Select>
        <P className="muted" id="university.time-zone-note" />
      </Form>
    </Section>
  )
}

/** Choices whose names are up to the university, which an app of its own may read. */
function Choices({ university }: { university: University }) {
  const { t } = useTexts()
  const change = useUniversityChange(university)
  const isObject = (text: string) => {
    try {
      const value: unknown = JSON.parse(text)
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    } catch {
      return false
    }
  }
  return (
    <Section title="university.privacy-settings">
      <Form
        of="choices"
        submit="university.save"
        done="university.saved"
        onSubmit={(typed) => change({ settings: { privacy_settings: JSON.parse(typed('choices')) } })}
      >
        <Field
          label="university.privacy-settings-json"
          hint="university.privacy-settings-hint"
          name="choices"
          rows={4}
          defaultValue={JSON.stringify(university.privacy_settings, null, 2)}
          validate={(text) => (isObject(text) ? null : t('university.not-json'))}
          maxLength={8000}
        />
      </Form>
    </Section>
  )
}
