import type { Reminder } from '@student-wellbeing/client'
import { useState } from 'react'
import * as Aria from 'react-aria-components'
import { Tick } from '../../../ui/choices.tsx'
import { Button, Loaded, Screen } from '../../../ui/elements.tsx'
import { Field, Form } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { useChange, useRead, useService } from '../../../ui/service.tsx'

const EVENING = { time: '18:00', days: [1, 2, 3, 4, 5] }

/** When the student would like to be reminded of a check-in: kept on the device, and by their own calendar. */
export default function Reminders() {
  const { reminders } = useService().client
  const { t } = useTexts()
  const event = { title: t('reminders.event'), description: t('reminders.event-description') }
  const calendar = (kept: Reminder) =>
    `data:text/calendar;charset=utf-8,${encodeURIComponent(reminders.calendar(kept, event))}`
  const change = useChange((wanted: Reminder | null) => reminders.set(wanted))
  return (
    <Screen title="reminders.title">
      <P id="reminders.explanation" />
      <Loaded query={useRead(['reminder'], () => reminders.get(), { networkMode: 'always' })}>
        {(kept) => (
          <>
            <Times key={JSON.stringify(kept)} reminder={kept ?? EVENING} onSave={change.mutateAsync} />
            <p role="status">{change.isSuccess && <T id={kept ? 'reminders.saved' : 'reminders.ended'} />}</p>
            {kept && (
              <section>
                <a className="button" href={calendar(kept)} download="check-in.ics">
                  {t('reminders.calendar')}
                </a>
                <P className="muted" id="reminders.calendar-hint" />
                <Button label="reminders.end" onPress={() => change.mutate(null)} />
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
  const { t } = useTexts()
  const [days, setDays] = useState(reminder.days.map(String))
  const save = (time: string) => onSave({ time, days: days.map(Number) })
  return (
    <Form submit="reminders.save" onSubmit={(typed) => save(typed('time'))}>
      <Field name="time" type="time" label="reminders.time" defaultValue={reminder.time} isRequired />
      <Aria.CheckboxGroup className="field" value={days} onChange={setDays} isRequired>
        <Aria.Label>{t('reminders.days')}</Aria.Label>
        {useWeekdays().map(({ day, name }) => (
          <Tick key={day} value={String(day)}>
            {name}
          </Tick>
        ))}
        <Aria.FieldError>{t('reminders.day-needed')}</Aria.FieldError>
      </Aria.CheckboxGroup>
    </Form>
  )
}

/** The days of the week by name, from the one with which the week begins where the language is spoken. */
function useWeekdays(): { day: number; name: string }[] {
  const { locale, formatDate } = useTexts()
  const first = new Intl.Locale(locale).getWeekInfo?.().firstDay ?? 1
  return [0, 1, 2, 3, 4, 5, 6].map((after) => {
    const day = (first + after) % 7
    // 4 January 2026 was a Sunday.
    return { day, name: formatDate(new Date(2026, 0, 4 + day), { weekday: 'long' }) }
  })
}
