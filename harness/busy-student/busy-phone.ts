import postgres from 'postgres'
import type { Recording } from '../../demo/mobile-client.ts'
import { newStudent } from '../factories/students.ts'
import type { Project } from '../stack/project.ts'
import { callsOf, makeAll, type Responses } from './calls.ts'

/** What the process is given as its argument. */
export type Errand = { project: Project; recording: Recording; minutes: number }

/** What it says: that the student is ready and begins, and in the end the responses by call and status. */
export type Report = 'begins' | { responses: [string, Responses][] }

/** The phone of the busy student, a process of its own: `measureBusyStudent` starts it. */
const { project, recording, minutes }: Errand = JSON.parse(process.argv[2] ?? '')
const sql = postgres(project.databaseUrl, { max: 1, onnotice: () => {} })
const calls = await callsOf(project, await newStudent(project), recording, sql)
await sql.end()
report('begins')
const responses = await makeAll(calls, AbortSignal.timeout(minutes * 60_000))
report({ responses: [...responses] })
process.disconnect()

function report(what: Report): void {
  process.send?.(what)
}
