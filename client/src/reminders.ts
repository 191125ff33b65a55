import type { Calls } from './calls.ts'
import type { CheckInQueue } from './check-in/types.ts'
import type { Device } from './device.ts'
import { WellbeingError } from './errors.ts'
import { readStored } from './stored.ts'

/** At a local time (`18:30`) on days of the week, 0 Sunday to 6 Saturday. Kept on the device. */
export type Reminder = { time: string; days: number[] }

/** Reminders of whoever is signed in. */
export type Reminders = {
  get(): Promise<Reminder | null>
  /** Null ends it. Rejects with `invalid_parameters` what is no time of day, or no day of the week. */
  set(reminder: Reminder | null): Promise<void>
  /** An iCalendar file (RFC 5545) that reminds at the local time wherever the person is. */
  calendar(reminder: Reminder, words: { title: string; description: string }): string
  /** Whether the time of today's reminder has passed without a check-in. */
  isDue(reminder: Reminder, now?: Date): Promise<boolean>
}

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

export function createReminders(
  { userId, explain }: Pick<Calls, 'userId' | 'explain'>,
  { items }: Pick<Device, 'items'>,
  queue: Pick<CheckInQueue, 'list'>,
  checkedInSince: (since: Date) => Promise<boolean>,
): Reminders {
  const key = async () => `wellbeing.reminder.${await userId()}`
  return {
    async get() {
      return readStored(await items.getItem(await key()), isReminder)
    },
    async set(reminder) {
      if (reminder === null) return items.removeItem(await key())
      if (!isReminder(reminder)) throw await explain(notAReminder())
      const days = [...new Set(reminder.days)].sort()
      await items.setItem(await key(), JSON.stringify({ time: reminder.time, days }))
    },
    calendar: writeCalendar,
    async isDue({ time, days }, now = new Date()) {
      if (!days.includes(now.getDay()) || localTime(now) < time) return false
      const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate())
      const kept = (await queue.list()).some(
        ({ step, recordedAt }) => step !== 'failed' && step !== 'expired' && new Date(recordedAt) >= midnight,
      )
      // Who cannot be asked now is reminded once too often rather than never.
      return !kept && !(await checkedInSince(midnight).catch(() => false))
    },
  }
}

/**
 * An iCalendar file (RFC 5545) with an alarm at the reminder's time, from its next time on. The time has no zone ("floating"), so
 * that it stays what it is when the person travels. The event always has the same UID: who imports another file changes it.
 * Throws `invalid_parameters`.
 */
export function writeCalendar(
  { time, days }: Reminder,
  { title, description }: { title: string; description: string },
  now = new Date(),
): string {
  if (!isReminder({ time, days })) throw notAReminder()
  const ahead = (day: number) => {
    const apart = (day - now.getDay() + 7) % 7
    return apart === 0 && time <= localTime(now) ? 7 : apart
  }
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() + Math.min(...days.map(ahead)))
  const date = [first.getFullYear(), twoDigits(first.getMonth() + 1), twoDigits(first.getDate())].join('')
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Student wellbeing//Reminders//EN',
    'BEGIN:VEVENT',
    'UID:check-in-reminder@student-wellbeing.invalid',
    `DTSTAMP:${now.toISOString().replace(/[-:]|\.\d+/g, '')}`,
    `DTSTART:${date}T${time.replace(':', '')}00`,
    'DURATION:PT10M',
    `RRULE:FREQ=WEEKLY;BYDAY=${DAYS.filter((_, day) => days.includes(day)).join()}`,
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(description)}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(title)}`,
    'TRIGGER:PT0S',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

/** A value of type TEXT (RFC 5545, 3.3.11), without control characters, which no line may hold. */
function escapeText(text: string): string {
  return text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|[\r\n]/g, '\\n')
    .replace(/[^\P{Cc}\t]/gu, '')
}

/** A line in pieces of up to 75 octets of UTF-8 (3.1), the space that each further one begins with among them. */
function fold(line: string): string {
  let folded = ''
  let octets = 0
  for (const letter of line) {
    const size = new TextEncoder().encode(letter).length
    if (octets + size > 75) {
      folded += '\r\n '
      octets = 1
    }
    folded += letter
    octets += size
  }
  return folded
}

function notAReminder(): WellbeingError {
  return new WellbeingError('invalid_parameters', {
    message: 'A reminder has a time from 00:00 to 23:59, and days from 0, Sunday, to 6.',
  })
}

function isReminder(value: unknown): value is Reminder {
  if (typeof value !== 'object' || value === null || !('time' in value) || !('days' in value)) return false
  const { time, days } = value
  return (
    typeof time === 'string' &&
    /^([01]\d|2[0-3]):[0-5]\d$/.test(time) &&
    Array.isArray(days) &&
    days.length > 0 &&
    days.every((day) => Number.isInteger(day) && day >= 0 && day <= 6)
  )
}

/** The time of day where the device is, as a reminder has it. */
function localTime(moment: Date): string {
  return `${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
