import type { SupabaseClient } from '@supabase/supabase-js'
import { describe, expect, test, vi } from 'vitest'
import { type ConsentKind, type WellbeingClient, WellbeingError } from '../../client/src/index.ts'
import { newAddress, newMobileNumber } from '../../harness/factories/support-contacts.ts'

/** Somebody with the package's client. */
export type Person = {
  wellbeing: WellbeingClient
  supabase: SupabaseClient
  /** Null: nobody is signed in. */
  password: string | null
}

/** What a case needs of a service, real or not. */
export type ServiceOfContract = {
  /** A new student who is signed in, and has agreed to this. */
  student(consents: ConsentKind[]): Promise<Person>
  /** Somebody with no session. */
  stranger(): Promise<Person>
  /** The code that was mailed to an address. */
  mailedCode(person: Person, email: string): Promise<string>
  /** A recording of speech, and eight images of a face. */
  recorded(): Promise<{ audio: Blob; images: Blob[] }>
}

/** The code that a call was rejected with. */
async function codeOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => new Error('It was not rejected.'),
    (reason) => reason,
  )
  if (error instanceof WellbeingError) return error.code
  throw error
}

const membersOf = (value: object | undefined) => Object.keys(value ?? {}).sort()

/** What the package may rely on, whatever it is that responds: the same cases run against the service and its double. */
export function describeContract(name: string, service: ServiceOfContract): void {
  describe(name, () => {
    test('nobody signed in: there are universities, texts of consents and where to turn, and nothing else', async () => {
      const { wellbeing } = await service.stranger()
      expect(await wellbeing.universities.ofEmail('robin@northfield.example.edu')).toMatchObject({
        id: 'northfield',
        branding: { primary_color: expect.any(String) },
      })
      expect(await wellbeing.universities.ofEmail('robin@example.org')).toBeNull()
      const resources = await wellbeing.crisisResources()
      expect(resources.length).toBeGreaterThan(0)
      const texts = await wellbeing.consents.texts()
      expect(texts.map(({ kind }) => kind).sort()).toEqual([
        'audio',
        'camera',
        'counselor_access',
        'research_export',
        'support_circle',
        'text',
      ])
      expect(await codeOf(wellbeing.history())).toBe('session_ended')
      expect(await codeOf(wellbeing.checkIn({ mood: 5, transcript: 'I slept well.' }))).toBe('session_ended')
    })

    test('a sign-up ends with the code of a mail', async () => {
      const person = await service.stranger()
      const { wellbeing, supabase } = person
      const email = `person-${crypto.randomUUID()}@northfield.example.edu`
      const account = { email, password: 'invented-password-1', firstName: 'Robin', lastName: 'Field' }
      const elsewhere = { ...account, email: 'robin@example.org', universityId: 'northfield' }
      expect(await codeOf(wellbeing.account.signUp(elsewhere))).toBe('university_not_accepted')
      expect(await codeOf(wellbeing.account.signUp({ ...account, password: 'short' }))).toBe('weak_password')
      await wellbeing.account.signUp(account)
      const early = await supabase.auth.signInWithPassword(account)
      expect((await wellbeing.explain(early.error)).code).toBe('invalid_credentials')

      const wrong = await supabase.auth.verifyOtp({ email, token: '000000', type: 'email' })
      expect((await wellbeing.explain(wrong.error)).code).toBe('mail_code_invalid')
      const token = await service.mailedCode(person, email)
      const verified = await supabase.auth.verifyOtp({ email, token, type: 'email' })
      expect(verified.error).toBeNull()
      expect(await wellbeing.account.profile()).toMatchObject({ first_name: 'Robin', last_name: 'Field' })
      await supabase.auth.signOut({ scope: 'local' })
      expect(await codeOf(wellbeing.account.profile())).toBe('session_ended')
      expect((await supabase.auth.signInWithPassword(account)).error).toBeNull()
    })

    test('a profile is read and changed', async () => {
      const { wellbeing } = await service.student([])
      await wellbeing.account.updateProfile({ first_name: 'Sascha', time_zone: 'Europe/Berlin' })
      const profile = await wellbeing.account.profile()
      expect(profile).toMatchObject({
        first_name: 'Sascha',
        time_zone: 'Europe/Berlin',
        university_id: 'northfield',
      })
      expect(await wellbeing.account.accesses()).toEqual([])
    })

    test('consents are given by version and withdrawn', async () => {
      const { wellbeing } = await service.student([])
      const inForce = async () =>
        (await wellbeing.consents.status()).flatMap(({ kind, in_force }) => (in_force ? kind : [])).sort()
      const [text] = await wellbeing.consents.texts()
      const version = text?.version ?? ''
      expect(await wellbeing.consents.status()).toContainEqual({
        kind: 'audio',
        in_force: false,
        version: null,
        required_version: null,
        newest_version: version,
        granted_at: null,
      })
      expect(await codeOf(wellbeing.consents.grant(['audio'], '1999-01'))).toBe('consent_version_unknown')
      await wellbeing.consents.grant(['audio', 'camera'], version)
      await wellbeing.consents.grant(['audio'], version)
      expect(await inForce()).toEqual(['audio', 'camera'])
      expect(membersOf(await wellbeing.consents.withdraw('audio'))).toEqual([
        'analyses',
        'exports',
        'files',
        'results',
        'transcripts',
      ])
      expect(await wellbeing.consents.withdraw('audio')).toEqual({})
      expect(await inForce()).toEqual(['camera'])
    })

    test('a check-in goes from what was recorded to a score, which the history has', async () => {
      const { wellbeing } = await service.student(['audio', 'camera', 'text'])
      const steps: string[] = []
      const recorded = await service.recorded()
      const ended = await wellbeing.checkIn(
        { ...recorded, mood: 6, durationS: 20 },
        {
          onProgress: ({ step }) => {
            if (steps.at(-1) !== step) steps.push(step)
          },
        },
      )
      const sent = steps.filter((step) => step !== 'waiting')
      expect(sent).toEqual(['starting', 'uploading', 'submitting', 'analysing', 'complete'])
      expect(ended).toMatchObject({ status: 'complete', progress: 1, type: 'daily' })
      expect(membersOf(ended.result)).toEqual([
        'algorithm_version',
        'baseline',
        'calibrated',
        'components',
        'crisis_resources',
        'direction_of_change',
        'drivers',
        'drivers_negative',
        'drivers_positive',
        'risk_level',
        'score',
        'score_interval',
        'significance',
        'summary',
        'themes',
        'uncertainty',
      ])
      expect(ended.result?.baseline).toMatchObject({ compared: null, reason: 'too_few_check_ins' })
      expect(ended.result?.components).toContainEqual(
        expect.objectContaining({ modality: 'visual', score: expect.any(Number), reason: null }),
      )
      const [entry] = await wellbeing.history()
      expect(entry).toMatchObject({ source: 'check_in', id: ended.id, baseline: null })
      expect(entry?.score).toBeCloseTo(ended.result?.score ?? 0, 3)
      await wellbeing.close()
    })

    test('what was not agreed to, and too few images, are left out of a check-in', async () => {
      const { wellbeing } = await service.student(['audio', 'camera'])
      const { audio, images } = await service.recorded()
      const ended = await wellbeing.checkIn({ audio, images: images.slice(0, 3) })
      expect(ended.result?.components).toContainEqual(
        expect.objectContaining({ modality: 'visual', score: null, reason: 'not_provided' }),
      )
      await wellbeing.consents.withdraw('camera')
      const without = await wellbeing.checkIn({ audio, images }, { type: 'on_demand' })
      expect(without.result?.components).toContainEqual(
        expect.objectContaining({ modality: 'visual', score: null, reason: 'no_consent' }),
      )
      expect(await wellbeing.history()).toHaveLength(2)
      await wellbeing.close()
    })

    test('a check-in of which nothing may be sent says why', async () => {
      const { wellbeing } = await service.student([])
      const { audio } = await service.recorded()
      expect(await codeOf(wellbeing.checkIn({ audio }))).toBe('consent_required')
      await wellbeing.close()
    })

    test('a support circle has up to five people in an order, and says what is wrong with one', async () => {
      const { wellbeing } = await service.student([])
      const { buddies, consents } = wellbeing
      const ottoline = { name: 'Ottoline', phone: newMobileNumber(), email: newAddress() }
      expect(await codeOf(buddies.add(ottoline))).toBe('consent_required')
      const [text] = await consents.texts()
      await consents.grant(['support_circle'], text?.version ?? '')

      const first = await buddies.add(ottoline)
      expect(first).toMatchObject({ ...ottoline, is_active: true, verified: false, priority_rank: 1 })
      expect(await codeOf(buddies.add({ ...ottoline, name: 'Twice' }))).toBe('buddy_duplicate')
      expect(await codeOf(buddies.add({ name: '', phone: newMobileNumber() }))).toBe('buddy_name_invalid')
      expect(await codeOf(buddies.add({ name: 'X', phone: 'none' }))).toBe('buddy_phone_invalid')
      const others: string[] = []
      for (const name of ['Percival', 'Quentin', 'Rosalind', 'Sibyl']) {
        const { id } = await addWithFreeNumber(wellbeing, name)
        others.push(id)
      }
      expect(await codeOf(addWithFreeNumber(wellbeing, 'Theodora'))).toBe('buddy_limit')

      await buddies.reorder([...others, first.id])
      expect((await buddies.list()).map(({ id }) => id)).toEqual([...others, first.id])
      await buddies.update(others[0] ?? '', { isActive: false })
      const listed = await buddies.list()
      expect(listed.map(({ id }) => id)).toEqual([...others.slice(1), first.id, others[0]])
      expect(listed.at(-1)).toMatchObject({ is_active: false, priority_rank: null })
      expect(await buddies.update(first.id, { relationship: 'sister', email: '' })).toMatchObject({
        relationship: 'sister',
        email: null,
        name: 'Ottoline',
      })
      await buddies.remove(others[1] ?? '')
      expect(await buddies.list()).toHaveLength(4)
    })

    test('somebody of the circle is asked to agree first', async () => {
      const { wellbeing } = await service.student(['support_circle'])
      const { buddies } = wellbeing
      const contact = await buddies.add({ name: 'Ottoline', phone: newMobileNumber() })
      expect(await codeOf(buddies.askToAgree(contact.id))).toBe('buddy_email_missing')
      expect(await codeOf(buddies.requestCheckIn(contact.id))).toBe('buddy_unavailable')
      expect(await codeOf(buddies.askToAgree(crypto.randomUUID()))).toBe('buddy_not_found')
      await buddies.update(contact.id, { email: newAddress() })
      await buddies.askToAgree(contact.id)
      expect(await codeOf(buddies.askToAgree(contact.id))).toBe('rate_limited')
      expect(await buddies.requests()).toEqual([])
    })

    test('alerts can be paused, and ended by "I’m all right"', async () => {
      const { wellbeing } = await service.student(['support_circle'])
      const { buddies } = wellbeing
      const heard: string[] = []
      const unsubscribe = buddies.subscribe(({ type }) => heard.push(type))
      await vi.waitFor(() => expect(heard).toEqual(['joined']), 20_000)
      unsubscribe()
      expect(await buddies.alerts()).toEqual([])
      expect(await buddies.reportAllRight()).toBeNull()
      expect(await buddies.preferences()).toEqual({ alerts_paused_until: null, pass_on_all_right: true })
      const until = new Date(Date.now() + 24 * 60 * 60 * 1000)
      await buddies.pauseAlerts(until)
      expect(new Date((await buddies.preferences()).alerts_paused_until ?? '')).toEqual(until)
      await buddies.pauseAlerts(null)
      expect((await buddies.preferences()).alerts_paused_until).toBeNull()
      await wellbeing.close()
    })

    test('one export at a time is prepared, and can be cancelled', async () => {
      const { wellbeing } = await service.student([])
      const { exports } = wellbeing
      expect(await exports.list()).toEqual([])
      const { id } = await exports.request({ includeName: true })
      expect(await exports.get(id)).toMatchObject({ id, include_name: true, error_code: null })
      expect(await codeOf(exports.get(crypto.randomUUID()))).toBe('export_not_found')
      await exports.remove(id)
      expect(await exports.list()).toMatchObject([{ id, status: 'cancelled' }])
    })

    test('an account is erased after three days, in which that can be cancelled', async () => {
      const { wellbeing, password } = await service.student([])
      const { erasure } = wellbeing
      expect(await erasure.status()).toBeNull()
      expect(await codeOf(erasure.request('not-the-password'))).toBe('wrong_password')
      const asked = await erasure.request(password ?? '')
      expect(asked).toMatchObject({ status: 'scheduled', hold: null })
      const hours = (Date.parse(asked.final_at) - Date.parse(asked.requested_at)) / 3_600_000
      expect(hours).toBeCloseTo(72, 1)
      expect(await erasure.status()).toEqual(asked)
      await erasure.cancel()
      expect(await codeOf(erasure.cancel())).toBe('erasure_not_found')
      expect(await erasure.status()).toBeNull()
    })

    test('a session is scored from what was analysed', async () => {
      const { wellbeing } = await service.student(['text'])
      const session = await wellbeing.session()
      const heard: string[] = []
      session.subscribe(({ type }) => heard.push(type))
      await vi.waitFor(() => expect(heard).toContain('joined'), 20_000)
      expect(await codeOf(session.score())).toBe('analyses_incomplete')
      const words = 'I walked to the lake with a friend, and slept well for the first time in a week.'
      const summary = {
        conversation_duration: 60,
        speech_rate: 120,
        mood_score_1_10: 6,
        transcript_length: 80,
      }
      expect(
        await codeOf(session.analyzeAudio({ ...summary, voice_quality: 'clear', emotional_tone: 'neutral' })),
      ).toBe('consent_required')
      expect(membersOf((await session.analyzeText(words)).analysis)).toEqual([
        'key_themes',
        'linguistic_patterns',
        'phq_indicators',
        'risk_indicators',
        'sentiment_analysis',
      ])
      const score = await session.score()
      expect(score).toMatchObject({
        sessionId: session.id,
        fusion_score: { component_scores: { audio_score: null, visual_score: null } },
      })
      const told = ['joined', 'analysis_complete', 'score_calculated']
      await vi.waitFor(() => expect(heard).toEqual(expect.arrayContaining(told)), 20_000)
      expect((await wellbeing.session({ id: session.id })).id).toBe(session.id)
      expect(await codeOf(wellbeing.session({ id: crypto.randomUUID() }))).toBe('session_not_found')
      expect(await wellbeing.history()).toMatchObject([{ source: 'session', id: session.id }])
      await session.end()
      await wellbeing.close()
    })

    test('each code has words in the person’s language, which change with it', async () => {
      const { wellbeing } = await service.student([])
      const english = await wellbeing.words('consent_required')
      wellbeing.setLanguage('de-AT')
      const german = await wellbeing.words('consent_required')
      expect(english.title.length * german.title.length).toBeGreaterThan(0)
      expect(german.title).not.toBe(english.title)
      expect(await wellbeing.words('never_heard_of')).toEqual(await wellbeing.words('unknown'))
    })
  })
}

/** Of the invented numbers some are taken by other contacts of the same student. */
async function addWithFreeNumber({ buddies }: WellbeingClient, name: string) {
  const taken = (await buddies.list()).map(({ phone }) => phone)
  let phone = newMobileNumber()
  while (taken.includes(phone)) phone = newMobileNumber()
  return buddies.add({ name, phone })
}
