import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenApiDocument } from '../../functions/_shared/openapi/openapi.ts'
import { servedDocument } from '../client/described-response.ts'
import { type OwnStack, startOwnStack } from '../stack/own-stack.ts'
import { makeAttackers } from './attackers.ts'
import { type Attempts, attemptsFrom } from './attempts.ts'
import { attack, type Judge, type Outcome } from './campaign.ts'
import { callsOf } from './described-call.ts'
import { directAttempts } from './direct-attempts.ts'
import { auditChain, liftRateLimits, readProcedures, readStackSecret } from './operator.ts'
import { readOptions, USUAL_REQUESTS } from './options.ts'
import type { Attackers } from './person.ts'
import type { RawAnswer } from './raw-http.ts'
import { describeFailures, summary } from './report.ts'
import { hostileTokens } from './tokens.ts'
import { faultsOf, leaksIn } from './verdict.ts'
import { makeVictims, type Victims } from './victims.ts'
import { readVictimsRows, type VictimsRows } from './victims-rows.ts'

const options = readOptions(JSON.parse(process.env.HOSTILE_ARGUMENTS ?? '[]'))
if (options === 'help') throw new Error('There is nothing to run')
const { requests, seed, only } = options

/** PostgREST answers so, and has no setting for it, where somebody adds to a view that takes no rows. */
const isInsertIntoView = ({ status, body }: RawAnswer) => status === 500 && /"code":"55000"/.test(body)

/** Whether there are enough for every place of every call. */
const isWhole = only === null && requests >= USUAL_REQUESTS

/** Fewest requests past the functions. */
const DIRECT_REQUESTS = 2_500

let project: OwnStack
let victims: Victims
let attackers: Attackers
let document: OpenApiDocument
let attempts: Attempts
let before: VictimsRows
let processes: Map<string, number>

beforeAll(async () => {
  project = await startOwnStack()
  await liftRateLimits(project)
  victims = await makeVictims(project)
  before = await readVictimsRows(project, victims)
  attackers = await makeAttackers(project, victims)
  document = await servedDocument(project)
  attempts = attemptsFrom(document, attackers, { seed, requests, tokens: hostileTokens(project, victims) })
})

afterAll(() => project.stop())

describe(`hostile requests with the seed ${seed}`, () => {
  let outcome: Outcome
  let direct: Outcome

  beforeAll(async () => {
    const port = Number(new URL(project.apiUrl).port)
    const secrets = [
      project.secretKey,
      project.local.jwtSecret,
      await readStackSecret(project, 'pipeline_secret'),
    ]
    const { files } = victims
    const law = { document, calls: callsOf(document), secrets, files }
    const judge: Judge = (attempt, answer) => faultsOf(law, attempt, answer)
    const numbers = only === null ? Array.from({ length: requests }, (_, number) => number) : [only]
    // Every function is there before one could die.
    await attack(port, attempts, numbers.slice(0, 500), judge)
    processes = (await project.processes()).functions
    outcome = await attack(port, attempts, numbers, judge)
    process.stdout.write(`\nSeed ${seed}: ${summary(outcome)}\n`)
    if (only !== null) return
    const { publishableKey } = project
    const procedures = await readProcedures(project)
    direct = await attack(
      port,
      directAttempts({ attackers, procedures, publishableKey, seed }),
      numbers.slice(0, Math.max(DIRECT_REQUESTS, requests / 10)),
      (attempt, answer) => leaksIn({ secrets, files, passes: isInsertIntoView }, attempt, answer),
    )
    process.stdout.write(`Past the functions: ${summary(direct)}\n`)
  }, 7_200_000)

  test('are answered as the document says, and show nothing of others or of the inside', () => {
    expect(describeFailures(outcome.failures)).toBe('')
  })

  test.runIf(isWhole)('reach what each call does, not only its door', () => {
    const reached = (name: string) =>
      [200, 202, 303].some((status) => outcome.answers.has(`${name} ${status}`))
    const unreached = callsOf(document).filter(({ name }) => !reached(name))
    expect(unreached.map(({ name }) => name)).toEqual([])
  })

  test.runIf(isWhole)('are hostile in every field of every call', () => {
    const tried = new Set<string>()
    for (let number = 0; number < attempts.single; number++) tried.add(attempts.at(number).places[0] ?? '')
    const untried = attempts.lanes.filter(({ name }) => !tried.has(name))
    expect(untried.map(({ name }) => name)).toEqual([])
  })

  test.runIf(only === null)('show nothing of others past the functions', () => {
    expect(describeFailures(direct.failures)).toBe('')
  })

  test('end no function’s process', async () => {
    expect((await project.processes()).functions).toEqual(processes)
  })

  test('change nothing of the victims', async () => {
    const after = await readVictimsRows(project, victims, before)
    expect(Object.keys(before.rows).length).toBeGreaterThan(30)
    expect(after).toEqual(before)
  })

  test('leave the audit log’s chain whole', async () => {
    expect(await auditChain(project)).toMatchObject({ intact: true })
  })

  test('meet no error that nobody expected', () => {
    const lines = readFileSync(join(project.dataDir, 'stack.log'), 'utf8').split('\n')
    const wrong = lines.filter((line) =>
      /"level":"error"|^\S+ gateway: |\bended \(|broke off|over its limit/.test(line),
    )
    expect(wrong.slice(0, 20)).toEqual([])
  })
})
