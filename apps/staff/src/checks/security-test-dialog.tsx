import { type ComponentProps, useState } from 'react'
import * as Aria from 'react-aria-components'
import { Constants, type Enums } from '../../../../types/database.ts'
import { Tick } from '../../../ui/choices.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/filters.tsx'
import { Field, Form } from '../../../ui/form.tsx'
import { type Id, T, useTexts } from '../../../ui/language.tsx'
import type { Client } from '../../../ui/service.tsx'
import type { Probe } from './shown.tsx'

const { security_probe: PROBES, security_test_schedule: SCHEDULES } = Constants.public.Enums

type Test = { name: string; probes: Probe[]; schedule: Enums<'security_test_schedule'> }

type DialogProps = {
  button: ComponentProps<typeof Dialog>['button']
  title: Id
  submit: Id
  /** What is there already. */
  test?: Test
  store: (test: Test, client: Client) => Promise<unknown>
}

/** What a security test is called, what it probes, and when. */
export function TestDialog({ button, title, submit, test, store }: DialogProps) {
  return (
    <Dialog button={button} title={title}>
      {(close) => <TestForm test={test} submit={submit} store={store} close={close} />}
    </Dialog>
  )
}

type FormProps = Pick<DialogProps, 'test' | 'submit' | 'store'> & { close: () => void }

function TestForm({ test, submit, store, close }: FormProps) {
  const { t } = useTexts()
  const [probes, setProbes] = useState<string[]>(test?.probes ?? [...PROBES])
  return (
    <Form
      submit={submit}
      cancel={close}
      onSubmit={async (typed, client) => {
        const schedule = SCHEDULES.find((one) => one === typed('schedule')) ?? 'on_demand'
        await store(
          { name: typed('name'), probes: PROBES.filter((probe) => probes.includes(probe)), schedule },
          client,
        )
        close()
      }}
    >
      <Field label="checks.name" name="name" defaultValue={test?.name ?? ''} maxLength={200} isRequired />
      <Select
        label="checks.schedule"
        name="schedule"
        options={SCHEDULES}
        defaultValue={test?.schedule ?? 'on_demand'}
      >
        {(schedule) => t(`checks.schedule.${schedule}`)}
      </Select>
      <Aria.CheckboxGroup className="field" value={probes} onChange={setProbes} isRequired>
        <Aria.Label>{t('checks.probes')}</Aria.Label>
        {PROBES.map((probe) => (
          <Tick key={probe} value={probe}>
            <T id={`checks.probe.${probe}`} />
          </Tick>
        ))}
        <Aria.FieldError>{() => t('checks.probes-missing')}</Aria.FieldError>
      </Aria.CheckboxGroup>
    </Form>
  )
}
