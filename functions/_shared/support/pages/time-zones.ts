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

function cityOf(zone: string): string {
  return zone
    .slice(zone.indexOf('/') + 1)
    .replaceAll('_', ' ')
    .replaceAll('/', ', ')
}
