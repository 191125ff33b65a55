import { afterEach, describe, expect, inject, test } from 'vitest'
import { eventsOf, listen } from '../../../harness/factories/session-channel.ts'
import { newSession, storeAnalysis, storeScore } from '../../../harness/factories/sessions.ts'
import { newStudent, secondDevice } from '../../../harness/factories/students.ts'
import { type Line, startLine } from '../../../harness/stack/breakable-connection.ts'
import { type Client, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const SOON = { timeout: 30_000 }
const opened: { clients: Client[]; lines: Line[] } = { clients: [], lines: [] }

afterEach(async () => {
  await Promise.all(opened.clients.splice(0).map((client) => client.removeAllChannels()))
  await Promise.all(opened.lines.splice(0).map((line) => line.close()))
})

/** A student whose phone has a line that breaks, and whose tablet has a good one. */
async function onTheMove() {
  const line = await startLine(project.apiUrl)
  const student = await newStudent(project)
  const phone = await secondDevice({ ...project, apiUrl: line.apiUrl }, student)
  opened.lines.push(line)
  opened.clients.push(student.client, phone)
  const session = await newSession(student.client)
  return {
    line,
    student,
    session,
    phone: await listen(phone, session),
    tablet: await listen(student.client, session),
  }
}

describe('a device whose connection breaks', () => {
  test('hears what it missed when it is back, once and in order, and then goes on', async () => {
    const { line, student, session, phone, tablet } = await onTheMove()
    await withDatabase(project, async (sql) => {
      await storeAnalysis(sql, student, session, 'audio')
      await expect.poll(() => eventsOf(phone.heard), SOON).toEqual(['audio'])

      line.cut()
      await storeAnalysis(sql, student, session, 'visual')
      await storeAnalysis(sql, student, session, 'text')
      await expect.poll(() => eventsOf(tablet.heard), SOON).toEqual(['audio', 'visual', 'text'])
      expect(eventsOf(phone.heard)).toEqual(['audio'])
      line.mend()
      await expect.poll(() => eventsOf(phone.heard), SOON).toEqual(['audio', 'visual', 'text'])

      await storeScore(sql, student, session, 70)
      for (const { heard } of [phone, tablet]) {
        await expect.poll(() => eventsOf(heard), SOON).toEqual(['audio', 'visual', 'text', 'score 70'])
      }
    })
    expect(phone.heard.map(({ meta }) => meta?.replayed ?? false)).toEqual([false, true, true, false])
  })

  test('misses nothing however often it breaks', async () => {
    const { line, student, session, phone, tablet } = await onTheMove()
    const expected: string[] = []
    await withDatabase(project, async (sql) => {
      for (let score = 1; score <= 4; score += 1) {
        line.cut()
        await storeScore(sql, student, session, score)
        line.mend()
        expected.push(`score ${score}`)
        await expect.poll(() => eventsOf(phone.heard), SOON).toEqual(expected)
      }
    })
    await expect.poll(() => eventsOf(tablet.heard), SOON).toEqual(expected)
  })

  test('does not hear again what other devices said', async () => {
    const { line, session, phone, tablet } = await onTheMove()
    const payload = { session_id: session.id, progress: 0.5 }
    line.cut()
    await tablet.channel.send({ type: 'broadcast', event: 'progress_update', payload })
    line.mend()
    await expect
      .poll(async () => {
        // Sent until the phone is back.
        await tablet.channel.send({ type: 'broadcast', event: 'completion', payload })
        return phone.heard.length
      }, SOON)
      .toBeGreaterThan(0)
    expect(new Set(eventsOf(phone.heard))).toEqual(new Set(['completion']))
  })
})

describe('a device that joins late', () => {
  test('hears what the session’s channel has said', async () => {
    const student = await newStudent(project)
    const session = await newSession(student.client)
    opened.clients.push(student.client)
    await withDatabase(project, async (sql) => {
      await storeAnalysis(sql, student, session, 'text')
      await storeScore(sql, student, session, 44)
    })
    const { heard } = await listen(student.client, session)
    await expect.poll(() => eventsOf(heard), SOON).toEqual(['text', 'score 44'])
    expect(heard.every(({ meta }) => meta?.replayed)).toBe(true)
  })
})
