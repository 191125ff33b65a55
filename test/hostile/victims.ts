import { expect, vi } from 'vitest'
import { call } from '../client/call.ts'
import { scored, startWith } from '../factories/check-ins.ts'
import { analyzed, newSessionId } from '../factories/sessions.ts'
import { newStudent, type Student } from '../factories/students.ts'
import { type Project, serviceClient, withDatabase } from '../stack/project.ts'
import { canary, type Kept } from './canary.ts'

/** People whose every stored text is a canary, and what else is known of them. */
export type Victims = {
  university: string
  /** Their accounts. */
  ids: readonly string[]
  /** Keys of their files, by who may read them. */
  files: Record<Kept, readonly string[]>
  /** Ids and keys of theirs, which a hostile client may have come to know. */
  known: readonly string[]
}

/** Makes a university, and two students of it with a check-in, a session, a transcript, a review and files. */
export async function makeVictims(project: Project): Promise<Victims> {
  const university = `victims-${crypto.randomUUID().slice(0, 8)}`
  await withDatabase(project, async (sql) => {
    await sql`
      insert into public.universities (
        id, name, short_name, domain, support_email, crisis_phone, resources, privacy_settings
      )
      values (
        ${university}, ${canary('university')}, ${canary('university')}, ${`${university}.example.edu`},
        ${`${canary('university')}@example.edu`}, '+1-202-555-0199',
        ${sql.json([{ name: canary('university'), phone: '+1-202-555-0198', website: null }])},
        ${sql.json({ choice: canary('university') })}
      )`
  })
  const students = [await victim(project, university), await victim(project, university)]
  await messagesEnded(project, students)
  const shared = `${university}/shared/${crypto.randomUUID()}-guide.txt`
  await keepFile(project, 'university-files', shared, canary('university'))
  return {
    university,
    ids: students.map(({ id }) => id),
    files: { university: [shared], private: students.flatMap(({ files }) => files) },
    known: [university, shared, ...students.flatMap(({ id, known }) => [id, ...known])],
  }
}

async function victim(
  project: Project,
  university: string,
): Promise<{ id: string; files: string[]; known: string[] }> {
  const student = await newStudent(project, ['text', 'audio', 'counselor_access'])
  await withDatabase(project, async (sql) => {
    await sql`
      update public.profiles
      set university_id = ${university}, first_name = ${canary('private')}, last_name = ${canary('private')}
      where user_id = ${student.id}`
    await sql`
      update public.students set faculty = ${canary('private')}, residence = ${canary('private')}
      where user_id = ${student.id}`
  })
  const { id: checkIn } = await startWith(project, student, {})
  const transcript = `I want to kill myself tonight. I said it to nobody but ${canary('private')}, and I sleep badly.`
  await scored(project, student, checkIn, { transcript })
  const session = await spokenSession(project, student)
  const answer = await call(project, student.token, 'POST', 'api/textmodel/analyze-text', { transcript })
  expect(answer.status).toBe(200)
  await withDatabase(project, async (sql) => {
    await sql`
      update checkin.fusion_results
      set summary = ${canary('private')}, themes = ${[canary('private')]}, drivers_negative = ${[canary('private')]}
      where user_id = ${student.id}`
    await sql`
      update public.session_analyses set analysis = analysis || ${sql.json({ marked: canary('private') })}
      where user_id = ${student.id}`
    await sql`
      update public.session_scores set fusion_score = fusion_score || ${sql.json({ marked: canary('private') })}
      where user_id = ${student.id}`
  })
  const files = [
    `${university}/students/${student.id}/${crypto.randomUUID()}-letter.txt`,
    `${student.id}/${checkIn}/audio`,
  ]
  await keepFile(project, 'university-files', files[0] ?? '', canary('private'))
  await keepFile(project, 'check-in-media', files[1] ?? '', canary('private'), 'audio/mp4')
  return { id: student.id, files, known: [checkIn, session, ...files] }
}

/** Waits for the messages about them, whose rows change while they are sent. */
async function messagesEnded(project: Project, students: readonly { id: string }[]): Promise<void> {
  const ids = students.map(({ id }) => id)
  await withDatabase(project, (sql) =>
    vi.waitFor(
      async () => {
        const waiting = await sql`
          select from private.outbox where user_id = any(${ids}::uuid[]) and ended_at is null`
        expect(waiting).toHaveLength(0)
      },
      { timeout: 60_000, interval: 200 },
    ),
  )
}

async function spokenSession(project: Project, student: Student): Promise<string> {
  const session = await newSessionId(student)
  const { error } = await student.client
    .from('assessment_sessions')
    .update({ session_data: { platform: canary('private') } })
    .eq('id', session)
  if (error) throw error
  for (const name of ['analyze-text', 'analyze-audio', 'calculate-wellbeing-score'] as const) {
    await analyzed(project, student, name, session)
  }
  return session
}

async function keepFile(project: Project, bucket: string, key: string, text: string, type = 'text/plain') {
  const { error } = await serviceClient(project)
    .storage.from(bucket)
    .upload(key, new Blob([text], { type }), { contentType: type })
  if (error) throw error
}
