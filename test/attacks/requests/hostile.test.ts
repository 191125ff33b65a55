import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { OpenApiDocument } from '../../../functions/_shared/openapi/openapi.ts'
import { servedDocument } from '../../../harness/client/described-response.ts'
import { type LocalProject, localOnly, localStack } from '../../../harness/stack/project.ts'
import { amount, dose, SEED } from '../../depth.ts'
import { type Attackers, hostileTokens, makeAttackers } from './attackers.ts'
import { type Attempts, attemptsFrom } from './attempts.ts'
import { attack, describeFailures, type Outcome, type RawResponse, summary } from './campaign.ts'
import { faultsOf, leaksIn } from './check-response.ts'
import { callsOf } from './described-call.ts'
import { auditChain, readProcedures, readStackSecret, renewAllowances } from './operator.ts'
import { directAttempts } from './past-the-functions.ts'
import { makeVictims, readVictimsRows, type Victims, type VictimsRows } from './victims.ts'

const REQUESTS = amount('TEST_REQUESTS', 2_000, 40_000)

/** Only the request with this number. */
const only = process.env.TEST_ONLY === undefined ? null : Number(process.env.TEST_ONLY)

/** Whether there are enough for every place of every call. */
const isWhole = only === null && REQUESTS >= 20_000

/** A test that needs as many. */
const whole = isWhole
  ? {}
  : { skip: true, meta: { skippedBecause: 'needs 20,000 requests: npm run test:deep' } }

/** Requests past the functions. */
const DIRECT_REQUESTS = dose(300, Math.max(2_500, REQUESTS / 10))

/** PostgREST responds so, and has no setting for it, where somebody adds to a view that takes no rows. */
const isInsertIntoView = ({ status, body }: RawResponse) => status === 500 && /"code":"55000"/.test(body)

let project: LocalProject
let victims: Victims
let attackers: Attackers
let document: OpenApiDocument
let attempts: Attempts
let before: VictimsRows
let crashesBefore: string[]

/** What the stack's log says of isolates that ended by themselves or of too much memory, not of having served enough. */
function crashes(): string[] {
  const lines = readFileSync(project.local.logFile, 'utf8').split('\n')
  return lines.filter((line) => / ended \((Exited|Memory)/.test(line))
}

describe(`hostile requests with the seed ${SEED}`, localOnly('sends malformed HTTP, reads the log'), () => {
  let outcome: Outcome
  let direct: Outcome

  beforeAll(async () => {
    project = { ...inject('project'), local: localStack() }
    victims = await makeVictims(project)
    before = await readVictimsRows(project, victims)
    attackers = await makeAttackers(project, victims)
    document = await servedDocument(project)
    const tokens = hostileTokens(project, victims)
    attempts = attemptsFrom(document, attackers, { seed: SEED, requests: REQUESTS, tokens })

    const port = Number(new URL(project.apiUrl).port)
    const secrets = [
      project.secretKey,
      project.local.jwtSecret,
      await readStackSecret(project, 'pipeline_secret'),
      ...victims.secrets,
    ]
    const { files } = victims
    const law = { document, calls: callsOf(document), secrets, files }
    const { people, spare, leaver } = attackers
    const subjects = [...people, spare, leaver].map(({ userId }) => userId).filter((id) => id !== '')
    const campaign = {
      check: faultsOf.bind(null, law),
      renewAllowances: () => renewAllowances(project, subjects),
    }
    const numbers = only === null ? Array.from({ length: REQUESTS }, (_, number) => number) : [only]
    // Every function is there before one could die.
    await attack(port, attempts, numbers.slice(0, dose(200, 500)), campaign)
    crashesBefore = crashes()
    outcome = await attack(port, attempts, numbers, campaign)
    process.stdout.write(`\nSeed ${SEED}: ${summary(outcome)}\n`)
    if (only !== null) return
    const { publishableKey } = project
    const procedures = await readProcedures(project)
    direct = await attack(
      port,
      directAttempts({ attackers, procedures, publishableKey, seed: SEED }),
      Array.from({ length: DIRECT_REQUESTS }, (_, number) => number),
      {
        ...campaign,
        check: (attempt, response) =>
          leaksIn({ secrets, files, passes: isInsertIntoView }, attempt, response),
      },
    )
    process.stdout.write(`Past the functions: ${summary(direct)}\n`)
  }, 7_200_000)

  test('get responses as the document says, which show nothing of others or of the inside', () => {
    expect(describeFailures(outcome.failures)).toBe('')
  })

  test('reach what each call does, not only its door', whole, () => {
    const reached = (name: string) =>
      [200, 202, 303].some((status) => outcome.responses.has(`${name} ${status}`))
    const unreached = callsOf(document).filter(({ name }) => !reached(name))
    expect(unreached.map(({ name }) => name)).toEqual([])
  })

  test('are hostile in every field of every call', whole, () => {
    const tried = new Set<string>()
    for (let number = 0; number < attempts.single; number++) tried.add(attempts.at(number).places[0] ?? '')
    const untried = attempts.lanes.filter(({ name }) => !tried.has(name))
    expect(untried.map(({ name }) => name)).toEqual([])
  })

  test.runIf(only === null)('show nothing of others past the functions', () => {
    expect(describeFailures(direct.failures)).toBe('')
  })

  test.runIf(only === null)('are never taken for Twilio’s', () => {
    const responses = [...direct.responses.keys()].filter((key) => key.includes('/buddy/text'))
    expect(responses.length).toBeGreaterThan(0)
    expect(responses.filter((key) => !/ 4\d\d$/.test(key))).toEqual([])
  })

  test('end no function’s process', () => {
    expect(crashes()).toEqual(crashesBefore)
  })

  test('change nothing of the victims', async () => {
    const after = await readVictimsRows(project, victims, before)
    expect(Object.keys(before.rows).length).toBeGreaterThan(30)
    expect(after).toEqual(before)
  })

  test('leave the audit log’s chain whole', async () => {
    expect(await auditChain(project)).toMatchObject({ intact: true })
  })

  test('meet no unexpected error', () => {
    const wrong = readFileSync(project.local.logFile, 'utf8')
      .split('\n')
      .filter((line) => /"level":"error"/.test(line))
      // Whoever wakes the sender has it report what became of everybody's messages and alerts.
      .filter((line) => !/"event":"(message_dead|support_standstill)"/.test(line))
      .filter((line) => outcome.requestIds.has(/"request_id":"([^"]+)"/.exec(line)?.[1] ?? ''))
    expect(wrong.slice(0, 20)).toEqual([])
  })
})
