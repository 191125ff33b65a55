import { html } from 'hono/html'
import type { Language } from '../../languages.ts'
import { type Piece, type Reader, when } from './layout.ts'

/** Zones that are asked for most, with what people call them. */
const COMMON: readonly (readonly [zone: string, label: string])[] = [
  ['Europe/London', 'UK and Ireland'],
  ['Europe/Lisbon', 'Portugal'],
  ['Europe/Berlin', 'Central Europe (Paris, Berlin, Madrid, Rome)'],
  ['Europe/Athens', 'Eastern Europe (Athens, Helsinki, Kyiv)'],
  ['America/New_York', 'US and Canada, Eastern'],
  ['America/Chicago', 'US and Canada, Central'],
  ['America/Denver', 'US and Canada, Mountain'],
  ['America/Phoenix', 'US, Arizona'],
  ['America/Los_Angeles', 'US and Canada, Pacific'],
  ['America/Anchorage', 'US, Alaska'],
  ['Pacific/Honolulu', 'US, Hawaii'],
  ['Asia/Kolkata', 'India'],
  ['Asia/Shanghai', 'China'],
  ['Australia/Sydney', 'Australia, Sydney and Melbourne'],
]

/** A group of the list of time zones. */
type ZoneGroup = { label: string; zones: readonly { zone: string; label: string }[] }

/** Every time zone that can be chosen: common ones first, then each by its city, by continent. */
export const ZONE_GROUPS: readonly ZoneGroup[] = [
  { label: 'Common', zones: COMMON.map(([zone, label]) => ({ zone, label })) },
  ...Array.from(
    Map.groupBy(
      Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/') && !zone.startsWith('Etc/')),
      (zone) => zone.slice(0, zone.indexOf('/')),
    ),
    ([label, zones]) => ({ label, zones: zones.map((zone) => ({ zone, label: cityOf(zone) })) }),
  ),
]

const ZONES = new Set(ZONE_GROUPS.flatMap(({ zones }) => zones.map(({ zone }) => zone)))

/** Whether a time zone is one of the list. */
export function isListedZone(zone: string): boolean {
  return ZONES.has(zone)
}

/**
 * The zone that is chosen before a contact chooses: the one of their number's country; of several the university's, or where they
 * differ by an hour at most the one that most of them agree with. Null where nobody can tell, as in the US.
 */
export function suggestedZone(
  ofNumber: readonly string[],
  ofUniversity: string | null,
  now = new Date(),
): string | null {
  const zones = ofNumber.filter(isListedZone)
  if (ofUniversity !== null && zones.includes(ofUniversity)) return ofUniversity
  const byOffset = Map.groupBy(zones, (zone) => offsetOf(zone, now))
  const offsets = [...byOffset.keys()]
  if (offsets.length === 0 || Math.max(...offsets) - Math.min(...offsets) > 60) return null
  const [most = []] = [...byOffset.values()].sort((a, b) => b.length - a.length)
  return (
    most.find((zone) => COMMON.some(([common]) => common === zone)) ??
    most.find((zone) => zone.startsWith('Europe/')) ??
    most[0] ??
    null
  )
}

/** How far a zone is ahead of UTC, minutes. */
function offsetOf(zone: string, at: Date): number {
  const [, sign, hours, minutes] =
    new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
      .format(at)
      .match(/GMT(?:([+-])(\d\d):(\d\d))?/) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}

/** The choice of a time zone: those of the number's country first. */
export function zoneField(
  chosen: string | null,
  ofNumber: readonly string[],
  { words, language }: Reader,
  isWrong: boolean,
): Piece {
  const { settings } = words
  const nearby = ofNumber.filter(isListedZone).map((zone) => ({ zone, label: cityOf(zone) }))
  const groups: ZoneGroup[] = [
    ...(nearby.length > 0 ? [{ label: settings.ofYourNumber, zones: nearby }] : []),
    ...ZONE_GROUPS.map(({ label, zones }, place) =>
      place === 0
        ? {
            label: settings.common,
            zones: zones.map((common) => ({ ...common, label: labelOf(common, language) })),
          }
        : { label: words.continents[label] ?? label, zones },
    ),
  ]
  // A zone may be in two groups; the first one is chosen.
  const chosenIn = groups.find(({ zones }) => zones.some(({ zone }) => zone === chosen))
  return html`<div class="field"><label class="label" for="zone">${settings.timeZone}</label>
<p class="soft" id="zone-why">${settings.timeZoneWhy}</p>
<select id="zone" name="time_zone" required aria-describedby="${isWrong ? 'problem ' : ''}zone-why"><option value="">${settings.choose}</option>${groups.map(
    (group) =>
      html`<optgroup label="${group.label}">${group.zones.map(({ zone, label }) => html`<option value="${zone}"${when(group === chosenIn && zone === chosen, 'selected')}>${label}</option>`)}</optgroup>`,
  )}</select></div>`
}

/** What people call a common zone: in English as the list has it, else as Unicode names it, with its city. */
function labelOf({ zone, label }: { zone: string; label: string }, language: Language): string {
  if (language === 'en') return label
  const name = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName: 'longGeneric' })
    .formatToParts(0)
    .find(({ type }) => type === 'timeZoneName')?.value
  return name === undefined ? cityOf(zone) : `${name} (${cityOf(zone)})`
}

function cityOf(zone: string): string {
  return zone
    .slice(zone.indexOf('/') + 1)
    .replaceAll('_', ' ')
    .replaceAll('/', ', ')
}
