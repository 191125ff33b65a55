import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded, Screen } from '../../../ui/elements.tsx'
import { DateField, instantOf, minuteOf, Select } from '../../../ui/filters.tsx'
import { Field, Form } from '../../../ui/form.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { Ago, When } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { Back } from './shown.tsx'

const FACTS = [
  'backup',
  'restore_test',
  'risk_analysis',
  'impact_assessment',
  'encryption_at_rest',
  'access_review',
  'incident_exercise',
] as const

/** What the database cannot see by itself: when it was last done, and where the proof is. */
export default function ComplianceFacts() {
  const { t } = useTexts()
  const facts = useRead(['compliance-facts'], (client) => done(client.rpc('list_compliance_facts')))
  return (
    <Screen title="checks.facts">
      <Back to="/compliance" label="checks.compliance" />
      <P className="muted" id="checks.facts-about" />
      <Dialog button={{ label: 'checks.fact-tell', kind: 'primary' }} title="checks.fact-tell">
        {(close) => <Tell close={close} />}
      </Dialog>
      <Loaded query={facts}>
        {(told) => (
          <DataTable
            label="checks.facts"
            rows={FACTS.map((fact) => ({ fact, known: told.find((one) => one.fact === fact) }))}
            keyOf={({ fact }) => fact}
            empty="checks.facts-about"
            columns={[
              { label: 'checks.fact', cell: ({ fact }) => t(`checks.fact.${fact}`) },
              {
                label: 'checks.when',
                cell: ({ known }) => (known ? <When at={known.happened_at} /> : t('checks.fact-unknown')),
              },
              {
                label: 'checks.proof',
                cell: ({ known }) => known && <span dir="auto">{known.reference}</span>,
              },
              { label: 'checks.told', cell: ({ known }) => known && <Ago at={known.told_at} /> },
            ]}
          />
        )}
      </Loaded>
    </Screen>
  )
}

function Tell({ close }: { close: () => void }) {
  const { t } = useTexts()
  return (
    <Form
      submit="checks.store"
      cancel={close}
      onSubmit={async (typed, client) => {
        await done(
          client.rpc('record_compliance_fact', {
            fact: typed('fact'),
            happened_at: instantOf(typed('at')) ?? '',
            reference: typed('reference'),
          }),
        )
        close()
      }}
    >
      <Select label="checks.fact" name="fact" options={FACTS}>
        {(fact) => t(`checks.fact.${fact}`)}
      </Select>
      <DateField
        label="checks.when"
        name="at"
        type="datetime-local"
        max={minuteOf(Date.now())}
        defaultValue={minuteOf(Date.now())}
        isRequired
      />
      <Field label="checks.proof" hint="checks.proof-hint" name="reference" maxLength={500} isRequired />
    </Form>
  )
}
