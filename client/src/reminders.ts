import type { Calls } from './calls.ts'
import type { CheckInQueue } from './check-in/types.ts'
import type { Device } from './device.ts'
import { isRecord } from './explain.ts'

/** At a local time (`18:30`) on days of the week, 0 Sunday to 6 Saturday. Kept on the device. */
export type Reminder = { time: string; days: number[] }

export type Reminders = {
  get(): Promise<Reminder | null>
  set(reminder: Reminder | null): Promise<void>
  /** An iCalendar file (RFC 5545) that reminds at the local time wherever the person is. */
  calendar(reminder: Reminder, words: { title: string; description: string }): string
  /** Whether the time of today's reminder has passed without a check-in. */
  isDue(reminder: Reminder, now?: Date): Promise<boolean>
}

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

export function createReminders(
  { userId }: Calls,
  { items }: Device,
  queue: CheckInQueue,
  checkedInSince: (since: Date) => Promise<boolean>,
): Reminders {
  const key = async () => `wellbeing.reminder.${await userId()}`
  return {
    async get() {
      return reminderOf(await items.getItem(await key()))
    },
    async set(reminder) {
      if (reminder === null) return items.removeItem(await key())
      await items.setItem(await key(), JSON.stringify(reminder))
    },
    calendar: calendarOf,
    async isDue({ time, days }, now = new Date()) {
      const [hours = 0, minutes = 0] = time.split(':').map(Number)
      const due = new Date(now)
      due.setHours(hours, minutes, 0, 0)
      if (!days.includes(now.getDay()) || now < due) return false
      const today = new Date(now)
      today.setHours(0, 0, 0, 0)
      const queued = await queue.list()
      if (queued.some(({ recordedAt }) => new Date(recordedAt) >= today)) return false
      // Who cannot be asked now is reminded once too often rather than never.
      return !(await checkedInSince(today).catch(() => false))
    },
  }
}

function reminderOf(text: string | null): Reminder | null {
  const stored: unknown = text === null ? null : JSON.parse(text)
  if (!isRecord(stored) || typeof stored.time !== 'string' || !Array.isArray(stored.days)) return null
  return { time: stored.time, days: stored.days.filter((day) => DAYS[day] !== undefined) }
}

/** Its times have no zone ("floating"), so that 18:30 is 18:30 after a journey and after the clocks change. */
function calendarOf(
  { time, days }: Reminder,
  { title, description }: { title: string; description: string },
): string {
  const [hours = '', minutes = ''] = time.split(':')
  const begins = `${dayOf(firstOf(days))}T${hours}${minutes}00`
  const stamp = `${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//student-wellbeing//client//EN',
    'BEGIN:VEVENT',
    `UID:check-in-reminder@student-wellbeing`,
    `DTSTAMP:${stamp}`,
    `DTSTART:${begins}`,
    'DURATION:PT10M',
    `RRULE:FREQ=WEEKLY;BYDAY=${[...days].sort().flatMap((day) => DAYS[day] ?? [])}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(description)}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escaped(title)}`,
    'TRIGGER:PT0S',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
    .flatMap(folded)
    .map((line) => `${line}\r\n`)
    .join('')
}

/** The first of the days from today on. */
function firstOf(days: number[]): Date {
  const day = new Date()
  while (days.length > 0 && !days.includes(day.getDay())) day.setDate(day.getDate() + 1)
  return day
}

function dayOf(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r?\n/g, '\\n')
}

/** A line has 75 bytes at most; those that go on begin with a space. */
function folded(line: string): string[] {
  const lines: string[] = []
  let current = ''
  for (const character of line) {
    if (new TextEncoder().encode(current + character).length > 75) {
      lines.push(current)
      current = ' '
    }
    current += character
  }
  return [...lines, current]
}
