import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INNOCENT } from '../attacks/innocent.ts'
import { ATTACKS, playAttack, playInnocent } from '../attacks/run.ts'
import { type Stage, startStage } from '../attacks/stage.ts'
import { dose } from '../depth.ts'

/** Of every so many plays one is a dose that each run has; the rest is for the deep one. */
const EVERY = dose(5, 1)

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
}, 60_000)

afterAll(() => stage?.stop())

const some = <Play>(plays: readonly Play[]) => plays.filter((_, index) => index % EVERY === 0)

describe('one incident of the right type is opened by', () => {
  test.each(some(ATTACKS))('$name', { timeout: 60_000 }, async (attack) => {
    expect(await playAttack(stage, attack, 'at once')).toMatchObject({ problem: null })
  })
})

describe('no incident is opened by', () => {
  test.each(some(INNOCENT))('$name', { timeout: 60_000 }, async (load) => {
    expect(await playInnocent(stage, load)).toMatchObject({ incidents: [] })
  })
})
