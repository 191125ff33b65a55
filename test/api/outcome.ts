import { setTimeout as pause } from 'node:timers/promises'
import type { CheckIn, CheckInResult } from '../../demo/mobile-client.ts'
import { call, type Project, type Student } from './project.ts'

/** Waits until a check-in has ended and returns it. */
export async function ended(
  project: Project,
  student: Student,
  id: string,
  withinMs = 90_000,
): Promise<CheckIn> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const { status, headers, body } = await call(project, student.token, 'GET', `checkins/${id}`)
    if (status === 200 && (body.status === 'complete' || body.status === 'failed')) return body as CheckIn
    if (Date.now() > deadline) throw new Error(`The check-in is still ${body.status} at ${body.progress}`)
    await pause(Math.max(550, Number(headers.get('retry-after') ?? 0) * 1000))
  }
}

/** Completes a check-in, waits for its end, and returns its result. Throws when there is none. */
export async function scored(
  project: Project,
  student: Student,
  id: string,
  body: Record<string, unknown> = {},
): Promise<CheckInResult> {
  const completed = await call(project, student.token, 'POST', `checkins/${id}/complete`, body)
  if (completed.status !== 200)
    throw new Error(`complete answered ${completed.status}: ${completed.body.error}`)
  const { result, error } = await ended(project, student, id)
  if (!result) throw new Error(`No result: ${error?.code}`)
  return result
}

/** One part of a result. */
export function part(result: CheckInResult, modality: string) {
  const found = result.components.find((component) => component.modality === modality)
  if (!found) throw new Error(`The result has no component ${modality}`)
  return found
}
