import type { Reminder } from '@student-wellbeing/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as Aria from 'react-aria-components'
import { useIntl } from 'react-intl'
import { useChange } from '../change.ts'
import { Tick } from '../components/choices.tsx'
import { Button, Field } from '../components/controls.tsx'
import { Form } from '../components/form.tsx'
import { Screen } from '../components/screen.tsx'
import { Loaded } from '../components/states.tsx'
import { useService } from '../service.tsx'

const EVENING = { time: '18:00', days: [1, 2, 3, 4, 5] }

/** When the student would like to be reminded of a check-in: kept on the device, and by their own calendar. */
export default function Reminders() {
  const { reminders } = useService().client
  const { $t } = useIntl()
  const read = { queryKey: ['reminder'], queryFn: () => reminders.get(), networkMode: 'always' } as const
  const reminder = useQuery(read)
  const change = useChange((wanted: Reminder | null) => reminders.set(wanted), 'reminder')
  return (
    <Screen title={$t({ id: 'reminders.title' })}>
      <p>{$t({ id: 'reminders.explanation' })}</p>
      <Loaded query={reminder}>
        {(kept) => (
          <>
            <Times key={JSON.stringify(kept)} reminder={kept ?? EVENING} onSave={change.mutateAsync} />
            <p role="status">
              {change.isSuccess && $t({ id: kept ? 'reminders.saved' : 'reminders.ended' })}
            </p>
            {kept && (
              <section className="stack">
                <Calendar reminder={kept} />
                <Button onPress={() => change.mutate(null)}>{$t({ id: 'reminders.end' })}</Button>
              </section>
            )}
          </>
        )}
      </Loaded>
    </Screen>
  )
}

type TimesProps = { reminder: Reminder; onSave: (reminder: Reminder) => Promise<unknown> }

function Times({ reminder, onSave }: TimesProps) {
  const { $t } = useIntl()
  const [days, setDays] = useState(reminder.days.map(String))
  return (
    <Form
      submit={$t({ id: 'reminders.save' })}
      onSubmit={(typed) => onSave({ time: typed('time'), days: days.map(Number) })}
    >
      <Field
        name="time"
        type="time"
        label={$t({ id: 'reminders.time' })}
        defaultValue={reminder.time}
        isRequired
      />
      <Aria.CheckboxGroup className="field" value={days} onChange={setDays} isRequired>
        <Aria.Label>{$t({ id: 'reminders.days' })}</Aria.Label>
        <div>
          {useWeekdays().map(({ day, name }) => (
            <Tick key={day} value={String(day)}>
              {name}
            </Tick>
          ))}
        </div>
        <Aria.FieldError>{$t({ id: 'reminders.day-needed' })}</Aria.FieldError>
      </Aria.CheckboxGroup>
    </Form>
  )
}

/** The days of the week by name, from the one with which the week begins where the language is spoken. */
function useWeekdays(): { day: number; name: string }[] {
  const intl = useIntl()
  const first = new Intl.Locale(intl.locale).getWeekInfo?.().firstDay ?? 1
  return [0, 1, 2, 3, 4, 5, 6].map((after) => {
    const day = (first + after) % 7
    // 4 January 2026 was a Sunday.
    return { day, name: intl.formatDate(new Date(2026, 0, 4 + day), { weekday: 'long' }) }
  })
}

/** The reminder for the student's own calendar. */
function Calendar({ reminder }: { reminder: Reminder }) {
  const { reminders } = useService().client
  const { $t } = useIntl()
  const words = {
    title: $t({ id: 'reminders.event' }),
    description: $t({ id: 'reminders.event-description' }),
  }
  const file = encodeURIComponent(reminders.calendar(reminder, words))
  return (
    <>
      <a className="button plain" href={`data:text/calendar;charset=utf-8,${file}`} download="check-in.ics">
        {$t({ id: 'reminders.calendar' })}
      </a>
      <p className="muted small">{$t({ id: 'reminders.calendar-hint' })}</p>
    </>
  )
}
