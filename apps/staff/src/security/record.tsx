import { useLocation } from 'wouter'
import { Screen } from '../../../ui/elements.tsx'
import { DateField, instantOf, minuteOf, Select } from '../../../ui/filters.tsx'
import { Field, Form, type Typed } from '../../../ui/form.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { done, useService } from '../../../ui/service.tsx'
import { useUniversities } from '../people.ts'
import { SEVERITIES, TYPES } from './words.tsx'

const oneOf = <Value extends string>(values: readonly Value[], typed: string, otherwise: Value): Value =>
  values.find((value) => value === typed) ?? otherwise

const listOf = (text: string): string[] => text.split(/[\n,]/).flatMap((part) => part.trim() || [])

/** Records what a person has noticed. */
export default function Record() {
  const { api } = useService()
  const { t } = useTexts()
  const [, go] = useLocation()
  const { data: universities = [] } = useUniversities()
  async function record(typed: Typed) {
    const noticed_at = instantOf(typed('noticed'))
    const university_id = typed('university')
    const { id } = await done(
      api.POST('/api/security/incidents', {
        body: {
          type: oneOf(TYPES, typed('type'), 'suspicious_activity'),
          severity: oneOf(SEVERITIES, typed('severity'), 'medium'),
          title: typed('title'),
          description: typed('description'),
          affected_systems: listOf(typed('systems')),
          affected_users: listOf(typed('accounts')),
          ...(university_id && { university_id }),
          ...(noticed_at && { noticed_at }),
        },
      }),
    )
    go(`/incidents/${id}`, { replace: true })
  }
  return (
    <Screen title="security.record">
      <P id="security.record.about" />
      <Form submit="security.record" onSubmit={record}>
        <Select label="security.type" name="type" defaultValue="data_breach" options={TYPES}>
          {(one) => t(`security.type.${one}`)}
        </Select>
        <Select label="security.severity" name="severity" defaultValue="high" options={SEVERITIES}>
          {(one) => t(`security.severity.${one}`)}
        </Select>
        <Field label="security.title" name="title" maxLength={500} isRequired />
        <Field label="security.description" name="description" rows={5} maxLength={5000} isRequired />
        <Select
          label="security.university"
          name="university"
          options={['', ...universities.map(({ id }) => id)]}
        >
          {(one) => universities.find(({ id }) => id === one)?.name ?? t('security.all-universities')}
        </Select>
        <DateField label="security.noticed" name="noticed" type="datetime-local" max={minuteOf(Date.now())} />
        <Field label="security.systems" hint="security.list-hint" name="systems" />
        <Field label="security.accounts-concerned" hint="security.accounts-hint" name="accounts" />
      </Form>
    </Screen>
  )
}
