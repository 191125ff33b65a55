import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localOnly } from '../../../../harness/stack/project.ts'
import { dose, SEED } from '../../../depth.ts'
import { runHistories } from './histories.ts'
import { buildHistoryDatabase, type HistoryDatabase } from './history-database.ts'

const STUDENTS = 600
const ROUNDS = dose(1, 167)

describe('alerts over days', localOnly('builds a database whose clock it sets'), () => {
  let database: HistoryDatabase
  beforeAll(async () => {
    database = await buildHistoryDatabase('support_histories')
  })
  afterAll(() => database?.drop())

  test(`keep every rule in ${STUDENTS * ROUNDS} histories (seed ${SEED})`, {
    timeout: 3_600_000,
  }, async () => {
    const { facts, violations } = await runHistories(database, {
      students: STUDENTS,
      rounds: ROUNDS,
      seed: SEED,
    })
    console.log(JSON.stringify(facts))
    expect(violations, `seed ${SEED}`).toEqual([])
    expect(facts.histories).toBe(STUDENTS * ROUNDS)
    // Without these the rules would not have been tried.
    for (const fact of [
      'support_alert',
      'answers',
      'answered',
      'escalated',
      'resolved',
      'expired',
      'all right',
      'texts held back',
    ]) {
      expect(facts[fact], fact).toBeGreaterThan(0)
    }
  })
})
