import { expect, inject, test } from 'vitest'
import * as z from 'zod'
import { apiClient } from '../../../harness/client/openapi-client.ts'
import { newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'

const project = inject('project')

/** The result of a call that has to succeed. */
async function done<Data>(call: PromiseLike<{ data: Data; error: unknown }>): Promise<NonNullable<Data>> {
  const { data, error } = await call
  if (error || data === null || data === undefined) throw new Error(JSON.stringify(error))
  return data
}

/** What the audit log says about an incident, the oldest entry first. */
async function audited({ client }: Student, incident: string) {
  const entries = await done(client.rpc('read_audit_log', { target_id: incident }))
  const columns = z.record(z.string(), z.json()).nullable()
  return entries.toReversed().map(({ action, actor_id, before, after, details }) => ({
    action,
    by: actor_id,
    before: columns.parse(before),
    after: columns.parse(after),
    details: columns.parse(details),
  }))
}

test('an incident is recorded, annotated, assigned, responded to, closed and reopened, each under somebody’s own name', async () => {
  const [sam, sid] = [await newStaff(project, 'security_admin'), await newStaff(project, 'security_admin')]
  const noticed_at = new Date(Date.now() - 3_600_000).toISOString()
  const recorded = await done(
    sam.client.rpc('record_incident', {
      type: 'data_breach',
      severity: 'high',
      title: 'A notebook was lost',
      description: 'Left in a train; its disk is encrypted.',
      university_id: 'northfield',
      noticed_at,
      affected_systems: ['notebook'],
    }),
  )
  const incident_id = recorded.id
  expect(new Date(recorded.aware_at ?? '').toISOString()).toBe(noticed_at)

  await done(sam.client.rpc('add_incident_note', { incident_id, note: 'The railway has been asked.' }))
  await done(sam.client.rpc('assign_incident', { incident_id }))
  await done(sam.client.rpc('assign_incident', { incident_id, owner: sid.id }))
  await done(sid.client.rpc('respond_to_incident', { incident_id, action: 'audit_trail' }))
  await done(sid.client.rpc('change_incident', { incident_id, status: 'resolved', note: 'It was found.' }))
  await done(sid.client.rpc('change_incident', { incident_id, status: 'closed' }))
  const reopened = await done(
    sam.client.rpc('reopen_incident', { incident_id, reason: 'A page is missing.' }),
  )
  expect(reopened).toMatchObject({ status: 'investigating', ended_at: null, owner: sid.id })

  const { data } = await apiClient(project, sid.token).GET('/api/security/incidents/{id}', {
    params: { path: { id: incident_id } },
  })
  expect(data?.timeline.map(({ event, by }) => [event, by])).toEqual([
    ['recorded', sam.id],
    ['note_added', sam.id],
    ['assigned', sam.id],
    ['assigned', sam.id],
    ['response', sid.id],
    ['changed', sid.id],
    ['changed', sid.id],
    ['reopened', sam.id],
  ])
  const entries = await audited(sam, incident_id)
  const changes = entries.filter(({ action }) => action === 'incident_changed')
  expect(changes.map(({ by, after, details }) => [by, after?.status ?? details?.event])).toEqual([
    [sam.id, 'open'],
    [sam.id, 'note_added'],
    [sam.id, undefined],
    [sam.id, undefined],
    [sid.id, 'resolved'],
    [sid.id, 'closed'],
    [sam.id, 'investigating'],
  ])
  const [, , taken, given] = changes
  expect([taken?.before?.owner, given?.before?.owner]).toEqual([null, taken?.after?.owner])
  expect(given?.after?.owner).not.toBe(given?.before?.owner)
  const others = entries.filter(({ action }) => action !== 'incident_changed')
  expect(others.map(({ action, by }) => [action, by]).sort()).toEqual([
    ['evidence_sealed', sid.id],
    ['response_action', sid.id],
  ])
})

test('an incident is recorded through the API, with its terms of notification', async () => {
  const api = apiClient(project, (await newStaff(project, 'security_admin')).token)
  const { data } = await api.POST('/api/security/incidents', {
    body: {
      type: 'data_breach',
      severity: 'medium',
      title: 'A letter was opened',
      description: 'It was addressed to somebody else.',
      noticed_at: '2026-11-28T08:15:00Z',
    },
  })
  expect(data).toMatchObject({ status: 'open', notify_authority_by: '2026-12-01T08:15:00.000Z' })
  const unknown = await api.POST('/api/security/incidents', {
    body: {
      type: 'data_breach',
      severity: 'medium',
      title: 'A letter was opened',
      description: 'It was addressed to somebody else.',
      university_id: 'nowhere',
    },
  })
  expect(unknown.error).toMatchObject({ code: 'university_not_found' })
})

test('nobody else records one', async () => {
  for (const person of [await newStudent(project, []), await newStaff(project, 'university_admin')]) {
    const body = { type: 'data_breach', severity: 'low', title: 'Mine', description: 'Mine.' } as const
    const { error } = await apiClient(project, person.token).POST('/api/security/incidents', { body })
    expect(error).toMatchObject({ code: 'forbidden' })
    expect((await person.client.rpc('record_incident', body)).error).toMatchObject({ code: '42501' })
  }
})
