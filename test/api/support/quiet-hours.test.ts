import { getCountries } from 'libphonenumber-js'
import type postgres from 'postgres'
import { expect, inject, test } from 'vitest'
import { ZONE_GROUPS } from '../../../functions/_shared/support/pages/time-zones.ts'
import { zonesOf } from '../../../functions/_shared/support/verification.ts'
import { newStudentWithCircle } from '../../../harness/factories/support-contacts.ts'
import { withDatabase } from '../../../harness/stack/project.ts'
import { Streams } from '../../../seed/random.ts'
import { dose, SEED } from '../../depth.ts'

const project = inject('project')

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** The most that a student keeps. */
const CONTACTS = 50
const FROM = Date.UTC(2026, 0, 1)
const DAYS = 6 * 365

const stream = new Streams(SEED, 1)
const random = () => stream.share(0)
const oneOf = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('There is nothing to choose from')
  return item
}

const zones = [...new Set(ZONE_GROUPS.flatMap((group) => group.zones.map(({ zone }) => zone)))]
const countries = getCountries()
  .map((country) => zonesOf(country) ?? ['UTC'])
  .filter((home) => home.length > 1)

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Minutes, with fractions, since midnight where a zone is, by the data of Unicode. */
function timeOfDay(zone: string, at: number): number {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    })
  clocks.set(zone, clock)
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  return (part.hour ?? 0) * 60 + (part.minute ?? 0) + (part.second ?? 0) / 60 + (at % 1000) / MINUTE_MS
}

const isDay = (zones: readonly string[], at: number) =>
  zones.every((zone) => {
    const minutes = timeOfDay(zone, at)
    return minutes >= 8 * 60 && minutes <= 21 * 60
  })

/** What a zone's clock is ahead of UTC, minutes, from -12 to +12 hours. */
const ahead = (zone: string, at: number) =>
  ((Math.round(timeOfDay(zone, at) - timeOfDay('UTC', at)) + 36 * 60) % (24 * 60)) - 12 * 60

/** A moment at which the clock of a zone is set forward or back, to the minute; null where it never is. */
function changeOfClock(zone: string): number | null {
  const first = FROM + Math.floor(random() * (DAYS - 366)) * DAY_MS
  for (let day = first; day < first + 366 * DAY_MS; day += DAY_MS) {
    if (ahead(zone, day) === ahead(zone, day + DAY_MS)) continue
    for (let at = day; at <= day + DAY_MS; at += MINUTE_MS)
      if (ahead(zone, at) !== ahead(zone, day)) return at
  }
  return null
}

/** Any moment, or one about where day and night, two days, or summer and winter meet. */
function someMoment(home: readonly string[], changes: readonly (number | null)[]): number {
  const at = FROM + Math.floor(random() * DAYS * DAY_MS)
  const kind = random()
  if (kind < 0.3) return at
  const change = oneOf(changes)
  if (kind < 0.6 && change !== null) return change + Math.floor((random() - 0.5) * 3 * DAY_MS)
  const boundary = oneOf([0, 8 * 60, 21 * 60])
  const meeting = at + Math.round((boundary - timeOfDay(oneOf(home), at)) * MINUTE_MS)
  return meeting + oneOf([-1000, -1, 0, 1, 1000, 90_000])
}

/** Zones whose law changed lately, so that the database and Unicode, of other months, expect other hours of them. */
async function disputedZones(): Promise<Set<string>> {
  const weeks = Array.from({ length: DAYS / 7 }, (_, week) => FROM + week * 7 * DAY_MS)
  const rows = await withDatabase(
    project,
    (sql) => sql<{ zone: string; minutes: number[] }[]>`
      select zone, array(
        select extract(epoch from (to_timestamp(ms / 1000) at time zone zone)::time)::float8 / 60
        from unnest(${weeks}::float8[]) with ordinality as week (ms, place)
        order by place
      ) as minutes
      from unnest(${zones}::text[]) as zone`,
  )
  return new Set(
    rows
      .filter(({ zone, minutes }) => weeks.some((at, place) => timeOfDay(zone, at) !== minutes[place]))
      .map(({ zone }) => zone),
  )
}

/** Contacts, each at home in a zone of their own or, where they named none, somewhere in a country. */
async function settle(sql: postgres.Sql, student: string, homes: readonly (readonly string[])[]) {
  const rows = homes.map((home, place) => ({
    ...{ user_id: student, name: 'Sam', phone: `+12025550${place}`, is_active: false },
    time_zone: home.length === 1 ? home[0] : null,
    number_time_zones: home.length === 1 ? null : `{${home.join(',')}}`,
  }))
  const stored = await sql<{ id: string }[]>`insert into public.buddy_contacts ${sql(rows)} returning id`
  return stored.map(({ id }) => id)
}

test('a text comes at the first moment of the day at its contact’s, in every zone, at every change of the clock', {
  timeout: 1_200_000,
}, async () => {
  const rounds = dose(2, 40)
  const disputed = await disputedZones()
  expect(disputed.size, [...disputed].join(' ')).toBeLessThan(10)
  const settled = (home: readonly string[]) => !home.some((zone) => disputed.has(zone))
  const singles = zones.map((zone) => [zone]).filter(settled)
  const several = countries.filter(settled)
  let waited = 0
  for (let round = 0; round < rounds; round += 1) {
    const homes = Array.from({ length: CONTACTS }, (_, place) => oneOf(place % 5 === 0 ? several : singles))
    const changes = homes.map((home) => [0, 1, 2].map(() => changeOfClock(oneOf(home))))
    const asked = homes.flatMap((home, place) =>
      Array.from({ length: 20 }, () => ({ place, home, at: someMoment(home, changes[place] ?? []) })),
    )
    const student = await newStudentWithCircle(project)
    const answers = await withDatabase(project, async (sql) => {
      const contacts = await settle(sql, student.id, homes)
      return sql<{ at: number | null }[]>`
        select extract(epoch from private.next_text_time(contact, to_timestamp(ms / 1000)))::float8 * 1000 as at
        from unnest(
          ${asked.map(({ place }) => contacts[place] ?? '')}::uuid[], ${asked.map(({ at }) => at)}::float8[]
        ) with ordinality as asked (contact, ms, place)
        order by asked.place`
    })
    for (const [place, { home, at }] of asked.entries()) {
      const sent = Math.round(answers[place]?.at ?? Number.NaN)
      const about = `${home.join(' ')} at ${new Date(at).toISOString()}: ${sent} (seed ${SEED})`
      expect(sent - at, about).toBeGreaterThanOrEqual(0)
      expect(sent - at, about).toBeLessThanOrEqual(25 * HOUR_MS)
      expect(isDay(home, sent), about).toBe(true)
      if (sent === at) continue
      waited += 1
      for (let earlier = at; earlier < sent; earlier += 5 * MINUTE_MS)
        expect(isDay(home, earlier), about).toBe(false)
      expect(isDay(home, sent - 1), about).toBe(false)
    }
  }
  expect(waited).toBeGreaterThan(rounds * 200)
})

test('the database knows every zone that a contact can choose, and every country’s', async () => {
  const named = [...new Set([...zones, ...countries.flat()])]
  const unknown = await withDatabase(
    project,
    (sql) => sql`
      select zone from unnest(${named}::text[]) as zone
      where not exists (select from pg_timezone_names where name = zone)`,
  )
  expect([...unknown]).toEqual([])
})
