import { expect, test } from 'vitest'
import { titled } from '../../functions/_shared/enumerations.ts'
import { incidentFilter, incidentOf, incidentResponse } from '../../functions/_shared/incidents/incidents.ts'

test.each(['brute_force_attacks', 'Brute Force Attacks', ' BRUTE-FORCE attacks '])(
  '%j is a type of incident',
  (type) => {
    expect(incidentFilter.parse({ type }).type).toBe('brute_force_attacks')
  },
)

test.each(['brute', 'constructor', '__proto__', 7])('%j is none', (type) => {
  expect(incidentFilter.safeParse({ type }).success).toBe(false)
})

test('names of objects are no titles', () => {
  expect(titled(['one'], { first: 'one' }).safeParse('constructor').success).toBe(false)
})

test.each([
  ['block IP addresses', 'block_ip'],
  ['Disable User Accounts', 'disable_user'],
  ['send security alerts', 'send_alert'],
  ['quarantine systems', 'quarantine'],
  ['create emergency backups', 'backup'],
  ['generate audit trails', 'audit_trail'],
])('the specification’s action "%s" is %s', (title, action) => {
  expect(incidentResponse.parse({ actions: [{ action: title }] }).actions).toEqual([{ action, undo: false }])
})

test('a response that does nothing is rejected', () => {
  expect(incidentResponse.safeParse({}).success).toBe(false)
  expect(incidentResponse.safeParse({ note: 'Looked at.' }).success).toBe(true)
})

test('the terms of notification run from when the breach was known, not from its detection', () => {
  const stored = {
    id: 'inc_1',
    type: 'data_breach',
    severity: 'critical',
    status: 'open',
    title: 'A breach',
    description: 'Something got out.',
    university_id: null,
    detected_at: '2026-11-01T00:00:00+00:00',
    last_seen_at: '2026-11-01T00:00:00+00:00',
    ended_at: null,
    affected_systems: [],
    affected_users: [],
    indicators: {},
    response: [],
    timeline: [],
    metadata: {},
    owner: null,
    aware_at: '2026-11-02T08:00:00+00:00',
  }
  expect(incidentOf(stored)).toMatchObject({
    notify_authority_by: '2026-11-05T08:00:00.000Z',
    notify_people_by: '2027-01-01T08:00:00.000Z',
  })
  expect(incidentOf({ ...stored, aware_at: null })).toMatchObject({
    notify_authority_by: null,
    notify_people_by: null,
  })
})
