import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AttackedStack, startAttackedStack } from '../../../harness/factories/attacked-stack.ts'
import { dose } from '../../depth.ts'
import { INNOCENT } from './innocent.ts'
import { ATTACKS, playAttack, playInnocent } from './run.ts'

/** Of every so many plays one is a dose that each run has; the rest is for the deep one. */
const EVERY = dose(5, 1)

let stack: AttackedStack

beforeAll(async () => {
  stack = await startAttackedStack()
})

afterAll(() => stack?.stop())

const some = <Play>(plays: readonly Play[]) => plays.filter((_, index) => index % EVERY === 0)

describe('one incident of the right type is opened by', () => {
  test.each(some(ATTACKS))('$name', async (attack) => {
    expect(await playAttack(stack, attack, 'at once')).toMatchObject({ problem: null })
  })
})

describe('no incident is opened by', () => {
  test.each(some(INNOCENT))('$name', async (load) => {
    expect(await playInnocent(stack, load)).toMatchObject({ incidents: [] })
  })
})
