import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { checkIn } from '../../demo/mobile-client.ts'
import { newStudent } from '../factories/students.ts'
import { demonstrationRecording } from '../factories/whole-check-ins.ts'
import { startOwnStack } from '../stack/own-stack.ts'
import type { Errand, Report } from './busy-phone.ts'
import type { Responses } from './calls.ts'

export type Measured = {
  /** Whole check-ins of other students, from start to result, s: alone, and beside the busy student. */
  aloneS: number[]
  besideS: number[]
  /** Check-ins of other students that ended without a score. */
  unscored: number
  /** Mails to the university's crisis contact. */
  crisisMails: number
  /** Responses to the busy student, by call and status. */
  responses: Map<string, Responses>
}

/** How many check-ins are timed while nobody else is there, after one that starts the functions. */
const ALONE = 5

/**
 * Times the check-ins of other students, one after another, alone and then for some minutes while one student makes all calls
 * that the limits allow. On a stack in a process of its own; each check-in is another student's, so that no limit stops them.
 */
export async function measureBusyStudent(
  minutes: number,
  progress: (line: string) => void,
): Promise<Measured> {
  const project = await startOwnStack()
  const sql = postgres(project.databaseUrl, { max: 1, onnotice: () => {} })
  try {
    const recording = await demonstrationRecording(project.dataDir)
    let unscored = 0
    const timeOfOne = async (): Promise<number> => {
      const { client } = await newStudent(project)
      const began = performance.now()
      // One that fails counts as one without a score.
      const ended = await checkIn(client, recording, () => {}).catch((error) => {
        progress(`  ${error instanceof Error ? error.message : error}`)
        return null
      })
      const took = (performance.now() - began) / 1000
      await client.removeAllChannels()
      if (!ended?.result) unscored += 1
      return took
    }

    progress('Alone')
    await timeOfOne()
    const aloneS: number[] = []
    while (aloneS.length < ALONE) aloneS.push(await timeOfOne())

    progress(`Beside a busy student, ${minutes} min`)
    const phone = startPhone({ project, recording, minutes })
    const besideS: number[] = []
    const timeOthers = async () => {
      const until = AbortSignal.timeout(minutes * 60_000)
      while (!until.aborted) {
        besideS.push(await timeOfOne())
        progress(`  ${besideS.at(-1)?.toFixed(1)} s`)
      }
    }
    await nextReport(phone)
    const [report] = await Promise.all([nextReport(phone), timeOthers()]).finally(() => phone.kill())
    const responses = new Map(report === 'begins' ? [] : report.responses)
    const [{ mails }] = await sql<[{ mails: number }]>`
      select count(*)::integer as mails from private.outbox where purpose like 'clinical_review%'`
    return { aloneS, besideS, unscored, crisisMails: mails, responses }
  } finally {
    await sql.end()
    await project.stop()
  }
}

/** Starts the busy student's phone, with the lowest priority: its CPU time is not the server's in reality. */
function startPhone(errand: Errand): ChildProcess {
  const phone = fork(join(import.meta.dirname, 'busy-phone.ts'), [JSON.stringify(errand)])
  if (phone.pid === undefined) throw new Error('The phone has no process')
  setPriority(phone.pid, constants.priority.PRIORITY_LOW)
  return phone
}

async function nextReport(phone: ChildProcess): Promise<Report> {
  const ended = once(phone, 'exit').then(([code]) => {
    throw new Error(`The busy student's phone ended with ${code}`)
  })
  const [report] = await Promise.race([once(phone, 'message'), ended])
  return report
}
