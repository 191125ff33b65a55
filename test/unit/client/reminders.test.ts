import { createClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { createWellbeingClient } from '../../../client/src/index.ts'

const supabase = createClient('https://wellbeing.example.edu', 'sb_publishable_x', {
  auth: { persistSession: false, autoRefreshToken: false },
})
const { reminders } = createWellbeingClient(supabase)

test('the calendar file reminds at a time without a zone, on the days that were chosen', () => {
  const file = reminders.calendar({ time: '18:30', days: [1, 3, 5] }, { title: 'Check in', description: 'How are you?' })
  const lines = file.split('\r\n')
  expect(lines.find((line) => line.startsWith('DTSTART'))).toMatch(/^DTSTART:\d{8}T183000$/)
  expect(lines).toContain('RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR')
  expect(lines.at(-1)).toBe('')
  const [, day = ''] = file.match(/DTSTART:(\d{8})/) ?? []
  const begins = new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T12:00:00`)
  expect([1, 3, 5]).toContain(begins.getDay())
})

test('words in the calendar file are escaped, and long lines folded at 75 bytes between letters', () => {
  const description = `Mit wem, wann; und wie?\nZeile ${'ظ'.repeat(80)}`
  const file = reminders.calendar({ time: '08:00', days: [0] }, { title: 'Check-in', description })
  for (const line of file.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(file.replaceAll('\r\n ', '')).toContain(`DESCRIPTION:Mit wem\\, wann\\; und wie?\\nZeile ${'ظ'.repeat(80)}\r\n`)
})
