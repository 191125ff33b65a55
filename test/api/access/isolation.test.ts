import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { StartedCheckIn } from '../../../functions/_shared/checkins/start.ts'
import { call } from '../../../harness/client/call.ts'
import { scored, speech, startWith, transcriptOf } from '../../../harness/factories/check-ins.ts'
import { subscribed } from '../../../harness/factories/session-channel.ts'
import { newStudent, type Student, secondDevice } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const TABLES = [
  'check_ins',
  'audio_analysis',
  'visual_analysis',
  'text_analysis',
  'fusion_results',
  'user_baselines',
] as const

let ada: Student
let ben: Student
let adas: StartedCheckIn

beforeAll(async () => {
  ada = await newStudent(project, ['audio', 'text'])
  ben = await newStudent(project, ['audio', 'text'])
  adas = await startWith(project, ada, { audio: speech('short.m4a') })
  await scored(project, ada, adas.id, { transcript: transcriptOf('short') })
})

const adasFolder = () => `${ada.id}/${adas.id}`
const bensMedia = () => ben.client.storage.from('check-in-media')

describe('a student', () => {
  test.each(TABLES)('reads no row of checkin.%s of another', async (table) => {
    const own = await ada.client.schema('checkin').from(table).select('*')
    if (table !== 'visual_analysis') expect(own.data?.length).toBe(1)
    const { data, error } = await ben.client.schema('checkin').from(table).select('*')
    expect({ data, error }).toEqual({ data: [], error: null })
  })

  test('cannot write results, their own or another’s', async () => {
    for (const student of [ada, ben]) {
      const { error } = await student.client
        .schema('checkin')
        .from('fusion_results')
        .update({ score: 100 })
        .eq('check_in_id', adas.id)
      expect(error?.code).toBe('42501')
    }
  })

  test('cannot reach the queue over REST', async () => {
    const response = await fetch(`${project.apiUrl}/rest/v1/analysis_jobs`, {
      headers: {
        apikey: project.publishableKey,
        authorization: `Bearer ${ben.token}`,
        'accept-profile': 'private',
      },
    })
    expect(response.status).toBe(406)
  })

  test('reaches none of the views for Studio over REST, and nor does a key', async () => {
    for (const key of [ben.token, project.publishableKey, project.secretKey]) {
      const response = await fetch(`${project.apiUrl}/rest/v1/open_reviews`, {
        headers: {
          apikey: key === ben.token ? project.publishableKey : key,
          authorization: `Bearer ${key}`,
          'accept-profile': 'staff',
        },
      })
      expect(response.status).toBe(406)
    }
  })

  test('gets 404 for another’s check-in from every call, as for one that does not exist', async () => {
    for (const id of [adas.id, crypto.randomUUID()]) {
      const read = await call(project, ben.token, 'GET', `checkins/${id}`)
      expect(read).toMatchObject({ status: 404, body: { code: 'check_in_not_found' } })
      const completed = await call(project, ben.token, 'POST', `checkins/${id}/complete`, {
        transcript: 'Mine.',
      })
      expect(completed).toMatchObject({ status: 404, body: { code: 'check_in_not_found' } })
    }
  })

  test('cannot list, read or sign another’s media', async () => {
    expect((await bensMedia().list(adasFolder())).data).toEqual([])
    expect((await bensMedia().list('')).data?.map((entry) => entry.name)).not.toContain(ada.id)
    expect((await bensMedia().download(`${adasFolder()}/audio`)).error).not.toBeNull()
    expect((await bensMedia().createSignedUrl(`${adasFolder()}/audio`, 60)).error).not.toBeNull()
    expect((await bensMedia().info(`${adasFolder()}/audio`)).error).not.toBeNull()
    expect(
      (await ada.client.storage.from('check-in-media').download(`${adasFolder()}/audio`)).error,
    ).toBeNull()
  })

  test('cannot overwrite, move or remove another’s media', async () => {
    const blob = new Blob(['x'], { type: 'audio/mp4' })
    const path = `${adasFolder()}/audio`
    expect((await bensMedia().upload(path, blob, { upsert: true })).error).not.toBeNull()
    expect((await bensMedia().update(path, blob)).error).not.toBeNull()
    expect((await bensMedia().createSignedUploadUrl(path, { upsert: true })).error).not.toBeNull()
    expect((await bensMedia().move(path, `${ben.id}/taken/audio`)).error).not.toBeNull()
    expect((await bensMedia().copy(path, `${ben.id}/taken/audio`)).error).not.toBeNull()
    await bensMedia().remove([path])
    const kept = await ada.client.storage.from('check-in-media').download(path)
    expect(kept.data?.size).toBe(speech('short.m4a').bytes.length)
  })

  test('cannot use an upload token for another path', async () => {
    const { uploads } = await startWith(project, ben, {})
    const token = uploads.audio?.token ?? ''
    const blob = new Blob(['x'], { type: 'audio/mp4' })
    const { error } = await bensMedia().uploadToSignedUrl(`${adasFolder()}/audio`, token, blob)
    expect(error).not.toBeNull()
  })

  test('cannot join another’s channel', async () => {
    const refused = await new Promise<string>((resolve) => {
      const channel = ben.client.channel(`check-in:${adas.id}`, { config: { private: true } })
      channel.subscribe((status, error) => {
        if (status !== 'CLOSED') resolve(`${status} ${error?.message ?? ''}`)
      })
    })
    expect(refused).toContain('CHANNEL_ERROR')
    expect(refused).toContain('Unauthorized')
    await ben.client.removeAllChannels()
  })

  test('hears nothing on their own channel but what the service says', async () => {
    const heard: unknown[] = []
    const listener = ada.client.channel(`check-in:${adas.id}`, { config: { private: true } })
    listener.on('broadcast', { event: '*' }, (message) => heard.push(message))
    await subscribed(listener)
    const device = await secondDevice(project, ada)
    const sender = device.channel(`check-in:${adas.id}`, { config: { private: true } })
    await subscribed(sender)
    await sender.send({ type: 'broadcast', event: 'result', payload: { score: 100 } })
    // The service's own message comes after the forged one would have.
    await withDatabase(
      project,
      (sql) => sql`
      select private.broadcast_check_in(${adas.id}, 'status', '{"status": "complete"}')`,
    )
    await expect.poll(() => heard.length).toBe(1)
    expect(heard).toMatchObject([{ event: 'status' }])
    await Promise.all([ada.client.removeAllChannels(), device.removeAllChannels()])
  })

  test('cannot have public channels', async () => {
    const refused = await new Promise<string>((resolve) => {
      ben.client.channel(`check-in:${adas.id}`).subscribe((status, error) => {
        if (status !== 'CLOSED') resolve(`${status} ${error?.message ?? ''}`)
      })
    })
    expect(refused).toContain('CHANNEL_ERROR')
    await ben.client.removeAllChannels()
  })
})
