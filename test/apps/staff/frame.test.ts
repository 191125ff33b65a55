import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newStaff } from '../../../harness/factories/students.ts'
import { newDesk, type Served, serveStaff } from './app.ts'

const project = inject('project')

let served: Served
beforeAll(async () => {
  served = await serveStaff(project)
})
afterAll(() => served?.close())

test('who is signed in comes to the first screen of their role', async () => {
  const desk = await newDesk(served, await newStaff(project, 'counselor', 'northfield'))
  const page = await desk.open()
  await page.getByRole('heading', { name: 'Reviews' }).waitFor()
  expect(new URL(page.url()).hash).toBe('#/reviews')
})
