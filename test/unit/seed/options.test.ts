import { describe, expect, test } from 'vitest'
import { readSeedOptions } from '../../../seed/options.ts'
import { openTarget } from '../../../seed/target.ts'

describe('the options of the seed', () => {
  test('have defaults', () => {
    expect(readSeedOptions([])).toMatchObject({
      students: 200,
      days: 90,
      universities: 2,
      seed: '1',
      until: null,
    })
  })

  test.each([
    ['--students', '0'],
    ['--students', '1.5'],
    ['--days', 'many'],
    ['--participation', '0'],
    ['--participation', '1.1'],
    ['--until', '2026-02-30'],
    ['--until', 'yesterday'],
    ['--seed', 'Robert; drop'],
  ])('name what is wrong: %s %s', (option, value) => {
    expect(() => readSeedOptions([option, value])).toThrow(option)
  })

  test('are rejected when unknown', () => {
    expect(() => readSeedOptions(['--studens', '5'])).toThrow('--studens')
  })
})

describe('the database to seed', () => {
  test('is rejected on another machine, unless --yes is given', async () => {
    const databaseUrl = 'postgresql://postgres@db.example.edu:5432/postgres'
    expect(() => openTarget({ databaseUrl, dataDir: '', yes: false })).toThrow('db.example.edu')
    // Nothing is sent: the first statement opens the connection.
    await openTarget({ databaseUrl, dataDir: '', yes: true }).end()
  })

  test('is rejected with what to do when no stack is running', () => {
    expect(() => openTarget({ databaseUrl: null, dataDir: '/nowhere', yes: false })).toThrow('npm start')
  })

  test('is rejected when its address is invalid', () => {
    expect(() => openTarget({ databaseUrl: 'here', dataDir: '', yes: false })).toThrow('--database-url')
  })
})
