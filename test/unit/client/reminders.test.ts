import { expect, test } from 'vitest'
import type { QueuedCheckIn } from '../../../client/src/check-in/types.ts'
import { type Device, memoryDevice } from '../../../client/src/device.ts'
import { WellbeingError } from '../../../client/src/errors.ts'
import { errorOf } from '../../../client/src/explain.ts'
import { createReminders, writeCalendar } from '../../../client/src/reminders.ts'

const WORDS = { title: 'Check-in', description: 'How are you today?' }

/** Reminders of a device where `person` is signed in, who checked in at some times; `kept` is what the device has of check-ins. */
function remindersOf({
  device = memoryDevice(),
  person = 'ada',
  checkedIn = [],
  kept = [],
}: {
  device?: Device
  person?: string
  checkedIn?: Date[]
  kept?: QueuedCheckIn[]
} = {}) {
  return createReminders(
    { userId: async () => person, explain: async (error) => errorOf(error) },
    device,
    { list: async () => kept },
    async (since) => checkedIn.some((time) => time >= since),
  )
}

function checkInOn(recordedAt: Date, step: QueuedCheckIn['step'] = 'waiting'): QueuedCheckIn {
  return {
    id: 'one',
    checkInId: null,
    type: 'daily',
    recordedAt: recordedAt.toISOString(),
    step,
    progress: 0,
    problem: null,
    nextAttemptAt: null,
    canRetry: false,
    expiresAt: at('00:00', 9).toISOString(),
    ended: null,
  }
}

/** 1 December 2026 is a Tuesday. */
const at = (time: string, day = 1) => new Date(`2026-12-0${day}T${time}:00`)
const lines = (calendar: string) => calendar.split('\r\n')

test('a reminder is kept on the device, for the person who set it', async () => {
  const device = memoryDevice()
  const reminders = remindersOf({ device })
  expect(await reminders.get()).toBeNull()
  await reminders.set({ time: '18:30', days: [5, 1, 1] })
  expect(await reminders.get()).toEqual({ time: '18:30', days: [1, 5] })
  expect(await remindersOf({ device, person: 'ben' }).get()).toBeNull()
  await reminders.set(null)
  expect(await reminders.get()).toBeNull()
})

test.each([
  { time: '24:00', days: [1] },
  { time: '8:30', days: [1] },
  { time: '18:60', days: [1] },
  { time: '18:30', days: [] },
  { time: '18:30', days: [7] },
  { time: '18:30', days: [1.5] },
])('$time on $days is no reminder, and the one before stays', async (wrong) => {
  const reminders = remindersOf()
  await reminders.set({ time: '07:00', days: [0] })
  await expect(reminders.set(wrong)).rejects.toMatchObject({ code: 'invalid_parameters' })
  expect(() => reminders.calendar(wrong, WORDS)).toThrow('A reminder has a time')
  expect(await reminders.get()).toEqual({ time: '07:00', days: [0] })
})

test('what another program wrote in its place is no reminder', async () => {
  const device = memoryDevice()
  for (const text of ['{', 'null', '{"time":"18:30","days":"1"}', '{"time":1830,"days":[1]}']) {
    await device.items.setItem('wellbeing.reminder.ada', text)
    expect(await remindersOf({ device }).get()).toBeNull()
  }
})

test('a reminder is due from its time on, on its days, until there is a check-in of that day', async () => {
  const tuesdays = { time: '18:30', days: [2] }
  expect(await remindersOf().isDue(tuesdays, at('18:29'))).toBe(false)
  expect(await remindersOf().isDue(tuesdays, at('18:30'))).toBe(true)
  expect(await remindersOf().isDue(tuesdays, at('23:59'))).toBe(true)
  expect(await remindersOf().isDue(tuesdays, at('18:30', 2))).toBe(false)

  const midnight = at('00:00')
  const before = new Date(midnight.getTime() - 1)
  expect(await remindersOf({ checkedIn: [midnight] }).isDue(tuesdays, at('19:00'))).toBe(false)
  expect(await remindersOf({ checkedIn: [before] }).isDue(tuesdays, at('19:00'))).toBe(true)
})

test('a check-in that is still on the device counts, without a network too, and one that came to nothing does not', async () => {
  const tuesdays = { time: '18:30', days: [2] }
  const dueWith = (checkIn: QueuedCheckIn) => remindersOf({ kept: [checkIn] }).isDue(tuesdays, at('19:00'))
  expect(await dueWith(checkInOn(at('12:00'), 'waiting'))).toBe(false)
  expect(await dueWith(checkInOn(at('12:00'), 'analysing'))).toBe(false)
  expect(await dueWith(checkInOn(at('12:00'), 'failed'))).toBe(true)
  expect(await dueWith(checkInOn(at('12:00'), 'expired'))).toBe(true)
  expect(await dueWith(checkInOn(new Date(at('00:00').getTime() - 1)))).toBe(true)

  const offline = (kept: QueuedCheckIn[]) =>
    createReminders(
      { userId: async () => 'ada', explain: async (error) => errorOf(error) },
      memoryDevice(),
      { list: async () => kept },
      () => Promise.reject(new WellbeingError('offline', { message: 'There was no response.' })),
    )
  expect(await offline([checkInOn(at('07:00'))]).isDue(tuesdays, at('19:00'))).toBe(false)
  expect(await offline([]).isDue(tuesdays, at('19:00'))).toBe(true)
})

test('the calendar begins with the next time of the reminder, at the local time wherever the person is', () => {
  const calendar = writeCalendar({ time: '18:30', days: [1, 3] }, WORDS, at('19:00'))
  expect(lines(calendar)).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Student wellbeing//Reminders//EN',
    'BEGIN:VEVENT',
    'UID:check-in-reminder@student-wellbeing.invalid',
    `DTSTAMP:${at('19:00')
      .toISOString()
      .replace(/[-:]|\.\d+/g, '')}`,
    'DTSTART:20261202T183000',
    'DURATION:PT10M',
    'RRULE:FREQ=WEEKLY;BYDAY=MO,WE',
    'SUMMARY:Check-in',
    'DESCRIPTION:How are you today?',
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'DESCRIPTION:Check-in',
    'TRIGGER:PT0S',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

test('today is the first day as long as its time has not passed', () => {
  const startOf = (time: string) =>
    lines(writeCalendar({ time, days: [2] }, WORDS, at('18:30'))).find((line) => line.startsWith('DTSTART'))
  expect(startOf('18:31')).toBe('DTSTART:20261201T183100')
  expect(startOf('18:30')).toBe('DTSTART:20261208T183000')
})

test('words are escaped, and lines folded at 75 octets without breaking a letter', () => {
  const title = 'Ein; Titel, mit \\ allem\nund\tTab\u0007'
  const description = `${'تذكير '.repeat(20)}${'😀'.repeat(30)}`
  const calendar = writeCalendar({ time: '18:30', days: [0] }, { title, description }, at('19:00'))
  for (const line of lines(calendar)) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  const unfolded = lines(calendar.replaceAll('\r\n ', ''))
  expect(unfolded).toContain('SUMMARY:Ein\\; Titel\\, mit \\\\ allem\\nund\tTab')
  expect(unfolded).toContain(`DESCRIPTION:${description}`)
  expect(calendar.isWellFormed()).toBe(true)
  expect(calendar.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
})
