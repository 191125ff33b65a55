import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest'
import { demonstrationImages } from '../../../demo/images.ts'
import { checkIn, grantConsents } from '../../../demo/mobile-client.ts'
import { SPEECH, transcriptOf } from '../../../harness/factories/check-ins.ts'
import { exportedRows, exportOf } from '../../../harness/factories/exports.ts'
import { eventsOf as inWords, listen } from '../../../harness/factories/session-channel.ts'
import { newSession, requests, SESSION_FUNCTIONS } from '../../../harness/factories/sessions.ts'
import { HOME, newStaff } from '../../../harness/factories/students.ts'
import { type Client, localOnly, localStack } from '../../../harness/stack/project.ts'
import type { Database } from '../../../types/database.ts'

const project = inject('project')
const SOON = { timeout: 30_000 }
const PASSWORD = 'invented-password-1'

/** Every address that a phone asked for. */
const asked: string[] = []
const opened: Client[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.removeAllChannels()))
})

/** supabase-js as an app sets it up: the project's address, the publishable key, and nothing else. */
function phone(): Client {
  const client = createClient<Database>(project.apiUrl, project.publishableKey, {
    auth: { persistSession: false },
    global: {
      fetch(input, init) {
        asked.push(input instanceof Request ? input.url : String(input))
        return fetch(input, init)
      },
    },
  })
  opened.push(client)
  return client
}

const newAddress = () => `phone-${crypto.randomUUID()}@northfield.example.edu`

/** The code in the latest mail to an address. */
async function codeMailedTo(address: string): Promise<string> {
  const response = await fetch(`${localStack().inboxUrl}/api/messages?to=${encodeURIComponent(address)}`)
  const { messages }: { messages: { text: string }[] } = await response.json()
  return messages[0]?.text.match(/^(\d{10})$/m)?.[1] ?? ''
}

/** A student who signed up on the phone. */
async function signedUp(): Promise<{ client: Client; email: string; id: string }> {
  const client = phone()
  const email = newAddress()
  const { error } = await client.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { first_name: 'Ada', last_name: 'Quill' } },
  })
  if (error) throw error
  const confirmed = await client.auth.verifyOtp({ email, token: await codeMailedTo(email), type: 'signup' })
  if (confirmed.error) throw confirmed.error
  return { client, email, id: confirmed.data.user?.id ?? '' }
}

describe('with supabase-js alone, a student’s phone', localOnly('reads the inbox'), () => {
  afterAll(() => {
    expect(asked).not.toEqual([])
    expect(asked.filter((address) => address.includes('/functions/v1/api'))).toEqual([])
  })

  test('signs up, confirms, signs in, refreshes and signs out', async () => {
    const client = phone()
    const email = newAddress()
    const signUp = await client.auth.signUp({ email, password: PASSWORD })
    expect(signUp).toMatchObject({ data: { session: null }, error: null })
    expect((await client.auth.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe(
      'email_not_confirmed',
    )
    const token = await codeMailedTo(email)
    expect((await client.auth.verifyOtp({ email, token, type: 'signup' })).error).toBeNull()

    const signIn = await client.auth.signInWithPassword({ email, password: PASSWORD })
    expect(signIn.error).toBeNull()
    const refreshed = await client.auth.refreshSession()
    expect(refreshed.data.session?.refresh_token).not.toBe(signIn.data.session?.refresh_token)
    expect((await client.auth.getUser()).data.user?.email).toBe(email)

    expect((await client.auth.signOut()).error).toBeNull()
    expect((await client.auth.getSession()).data.session).toBeNull()
    expect((await client.from('profiles').select('user_id')).error).not.toBeNull()
  })

  test('chooses a new password with the code of a mail', async () => {
    const { client, email } = await signedUp()
    await client.auth.signOut()
    expect((await client.auth.resetPasswordForEmail(email)).error).toBeNull()
    const token = await codeMailedTo(email)
    expect((await client.auth.verifyOtp({ email, token, type: 'recovery' })).error).toBeNull()
    expect((await client.auth.updateUser({ password: 'another-password-2' })).error).toBeNull()
    await client.auth.signOut()

    expect((await client.auth.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe(
      'invalid_credentials',
    )
    expect((await client.auth.signInWithPassword({ email, password: 'another-password-2' })).error).toBeNull()
  })

  test('shows and changes the profile and what a student says of their studies', async () => {
    const { client, id } = await signedUp()
    const profile = await client.from('profiles').select('first_name, last_name, university_id').single()
    expect(profile.data).toEqual({ first_name: 'Ada', last_name: 'Quill', university_id: HOME })
    const renamed = await client
      .from('profiles')
      .update({ first_name: 'Adalind' })
      .eq('user_id', id)
      .select('first_name')
    expect(renamed.data).toEqual([{ first_name: 'Adalind' }])
    const enrolled = await client
      .from('students')
      .update({ faculty: 'Engineering', year_of_study: '2', residence: 'on_campus' })
      .eq('user_id', id)
      .select('faculty, year_of_study, residence, university_id, check_ins')
    expect(enrolled.data).toEqual([
      {
        faculty: 'Engineering',
        year_of_study: '2',
        residence: 'on_campus',
        university_id: HOME,
        check_ins: 0,
      },
    ])
  })

  test('shows the university’s name, colours and crisis resources', async () => {
    const { client } = await signedUp()
    const { data } = await client
      .from('universities')
      .select('id, name, short_name, primary_color, features_enabled, crisis_phone, support_email, resources')
      .single()
    expect(data).toMatchObject({
      id: HOME,
      primary_color: expect.stringMatching(/^#[0-9a-f]{6}$/),
      features_enabled: expect.arrayContaining(['check_ins']),
      crisis_phone: expect.stringMatching(/^\+1-202-555-01\d\d$/),
      resources: expect.arrayContaining([expect.objectContaining({ name: expect.any(String) })]),
    })
  })

  test('grants consents and withdraws them', async () => {
    const { client } = await signedUp()
    await grantConsents(client, ['audio', 'text', 'counselor_access'])
    const inForce = () => client.from('consents').select('kind').is('withdrawn_at', null).order('kind')
    expect((await inForce()).data).toEqual([
      { kind: 'audio' },
      { kind: 'text' },
      { kind: 'counselor_access' },
    ])
    const withdrawn = await client
      .from('consents')
      .update({ withdrawn_at: new Date().toISOString() })
      .eq('kind', 'counselor_access')
    expect(withdrawn.error).toBeNull()
    expect((await inForce()).data).toEqual([{ kind: 'audio' }, { kind: 'text' }])
    expect((await client.from('students').select('counselor_access').single()).data).toEqual({
      counselor_access: false,
    })
    await grantConsents(client, ['counselor_access'])
    expect((await inForce()).data).toHaveLength(3)
  })

  test('checks in with voice, face and words, then without the face, and shows the history and the trend', async () => {
    const { client } = await signedUp()
    await grantConsents(client, ['audio', 'camera', 'text'])
    const folder = await demonstrationImages(mkdtempSync(join(tmpdir(), 'images-')))
    const seen: string[] = []
    const first = await checkIn(
      client,
      {
        audio: { path: join(SPEECH, 'short.m4a'), contentType: 'audio/mp4' },
        images: Array.from({ length: 8 }, (_, index) => ({
          path: join(folder, `image-${index + 1}.jpg`),
          contentType: 'image/jpeg',
        })),
        transcript: transcriptOf('short'),
        moodScore: 6,
      },
      ({ status }) => seen.push(status),
    )
    expect(first).toMatchObject({ status: 'complete', result: { crisis_resources: expect.any(Array) } })
    expect(seen.length).toBeGreaterThan(0)
    await client.rpc('withdraw_consent', { kind: 'camera', keep_results: true })
    const second = await checkIn(
      client,
      { audio: null, images: [], transcript: transcriptOf('positive'), moodScore: 8 },
      () => {},
    )

    const history = await client
      .schema('checkin')
      .from('check_ins')
      .select('id, status, completed_at, fusion_results(score, uncertainty, direction_of_change, risk_level)')
      .order('created_at', { ascending: false })
    expect(history.data?.map(({ id }) => id)).toEqual([second.id, first.id])
    const trend = await client
      .schema('checkin')
      .from('fusion_results')
      .select('created_at, score, direction_of_change')
      .order('created_at')
    expect(trend.data?.map(({ score }) => score)).toEqual([first.result?.score, second.result?.score])
    const baseline = await client.schema('checkin').from('user_baselines').select('check_ins').single()
    expect(baseline.data).toEqual({ check_ins: 2 })
    expect((await client.from('students').select('check_ins, last_score').single()).data).toEqual({
      check_ins: 2,
      last_score: second.result?.score,
    })
  })

  test('holds a session: begins it, has it analysed and scored, follows its channel, ends and deletes it', async () => {
    const { client } = await signedUp()
    await grantConsents(client, ['audio', 'camera', 'text'])
    const session = await newSession(client)
    const { heard } = await listen(client, session)
    for (const name of SESSION_FUNCTIONS) {
      const { data, error } = await client.functions.invoke(name, { body: await requests[name](session.id) })
      expect({ name, error, sessionId: data?.sessionId }).toEqual({
        name,
        error: null,
        sessionId: session.id,
      })
    }
    await expect.poll(() => inWords(heard).length, SOON).toBe(4)
    const score = await client
      .from('session_scores')
      .select('final_score')
      .eq('session_id', session.id)
      .single()
    expect(inWords(heard)).toEqual(['audio', 'visual', 'text', `score ${score.data?.final_score}`])
    expect((await client.from('session_analyses').select('modality')).data).toHaveLength(3)

    const ended = await client
      .from('assessment_sessions')
      .update({ status: 'completed' })
      .eq('id', session.id)
      .select('status')
    expect(ended.data).toEqual([{ status: 'completed' }])
    expect((await client.from('assessment_sessions').delete().eq('id', session.id)).error).toBeNull()
    expect((await client.from('session_scores').select('session_id')).data).toEqual([])
  })

  test('reads the university’s files and keeps its own', async () => {
    const { client, id } = await signedUp()
    const counselor = await newStaff(project, 'counselor')
    const shared = `${HOME}/shared/leaflet-${crypto.randomUUID()}.txt`
    const files = client.storage.from('university-files')
    const leaflet = new Blob(['Help is near.'], { type: 'text/plain' })
    expect((await counselor.client.storage.from('university-files').upload(shared, leaflet)).error).toBeNull()
    expect(await (await files.download(shared)).data?.text()).toBe('Help is near.')

    const own = `${HOME}/students/${id}/note.txt`
    expect((await files.upload(own, new Blob(['Mine.'], { type: 'text/plain' }))).error).toBeNull()
    const signed = await files.createSignedUrl(own, 60)
    expect(await (await fetch(signed.data?.signedUrl ?? '')).text()).toBe('Mine.')
    expect((await files.list(`${HOME}/students/${id}`)).data?.map(({ name }) => name)).toEqual(['note.txt'])
    expect((await counselor.client.storage.from('university-files').download(own)).error).not.toBeNull()
    expect((await files.remove([own])).data).toHaveLength(1)
    expect((await files.list(`${HOME}/students/${id}`)).data).toEqual([])
  })

  test('takes everything along', async () => {
    const { client, id } = await signedUp()
    const token = (await client.auth.getSession()).data.session?.access_token ?? ''
    await grantConsents(client, ['text'])
    const { id: session } = await newSession(client)
    const rows = await exportedRows(await exportOf(project, { id, token }))
    expect(rows('public.profiles')).toMatchObject([{ user_id: id, first_name: 'Ada' }])
    expect(rows('public.students')).toMatchObject([{ university_id: HOME }])
    expect(rows('public.consents')).toMatchObject([{ kind: 'text' }])
    expect(rows('public.assessment_sessions')).toMatchObject([{ id: session }])
    expect(rows('checkin.check_ins')).toEqual([])
  })
})
