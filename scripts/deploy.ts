import { parseArgs } from 'node:util'
import * as z from 'zod'
import { withOwnSecret } from './deploy/secrets.ts'
import type { HostedStage, Step } from './deploy/step.ts'
import { STEPS } from './deploy/steps.ts'
import { requireValidSettings } from './stage/settings.ts'
import { openNamedStage, stageArguments, stageHelp } from './stage/stage.ts'

const HELP = `Deploys this checkout to a stage. Every step first asks the stage what it has, so that nothing is done twice: after a
failure, or an interruption, run the same command again.

Usage: npm run deploy -- --stage NAME [--dry-run] [--only STEPS] [--unset NAMES]

${stageHelp}
  --dry-run        show what each step would change, and change nothing
  --only STEPS     only these, separated by commas
  --unset NAMES    secrets of the functions to remove, separated by commas (step secrets)
  --help           this text

Steps, in their order:
${STEPS.map(({ name, about }) => `  ${name.padEnd(15)}  ${about}`).join('\n')}

It needs SUPABASE_ACCESS_TOKEN, and for the database a temporary role that the token gives, SUPABASE_DB_PASSWORD or
DATABASE_SESSION_URL. What the settings do not name stays on the stage as it is. docs/deployment.md`

/** `npm run deploy`: exits with 0 when every step stands. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ...stageArguments,
      'dry-run': { type: 'boolean', default: false },
      only: { type: 'string' },
      unset: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const steps = stepsNamed(values.only)
  const unset = values.unset?.split(',') ?? []
  if (unset.length > 0 && !steps.some(({ name }) => name === 'secrets'))
    throw new Error('--unset is a part of the step secrets')
  const stage = await openNamedStage(values, HELP)
  const { management } = stage
  if (!management) throw new Error('The stack of this machine deploys itself: npm start')
  requireValidSettings(stage.settings, stage.apiUrl)
  console.log(`Stage ${stage.name}: project ${management.ref}, ${stage.apiUrl}`)
  // Says first whether the token is accepted: the CLI's own errors are less plain.
  await management.get('', z.unknown())
  const named = { ...stage, management, unset }
  const hosted = values.branch === undefined ? named : await withOwnSecret(named)
  if (values['dry-run']) await show(hosted, steps)
  else await deploy(hosted, steps)
}

function stepsNamed(names: string | undefined): Step[] {
  if (names === undefined) return STEPS
  const wanted = names.split(',')
  const unknown = wanted.filter((name) => !STEPS.some((step) => step.name === name))
  if (unknown.length > 0)
    throw new Error(
      `There is no step ${unknown.join(', ')}; there are ${STEPS.map(({ name }) => name).join(', ')}`,
    )
  return STEPS.filter(({ name }) => wanted.includes(name))
}

/** Shows what each step would change; throws at the end when one cannot be told. */
async function show(stage: HostedStage, steps: Step[]): Promise<void> {
  const failed: string[] = []
  for (const { name, pending } of steps) {
    try {
      print(name, await pending(stage))
    } catch (error) {
      failed.push(name)
      console.log(`${name}: ✗ ${reasonOf(error)}`)
    }
  }
  if (failed.length > 0)
    throw new Error(`Nothing was changed. ${failed.join(', ')} would stop the deployment.`)
  console.log('Nothing was changed.')
}

async function deploy(stage: HostedStage, steps: Step[]): Promise<void> {
  // To be read, and to stop where the stage's own are missing, before anything is changed.
  const settings = steps.find(({ name }) => name === 'settings')
  const differences = (await settings?.pending(stage)) ?? []
  if (settings) print('settings, after the database', differences)
  for (const step of steps) {
    try {
      const pending = step === settings ? differences : await step.pending(stage)
      print(step.name, pending)
      if (pending.length === 0) continue
      await step.apply(stage, (text) => process.stdout.write(text.replaceAll(/^(?=.)/gm, '    ')))
      const left = await step.pending(stage)
      if (left.length > 0)
        throw new Error(`The stage still differs:\n${left.map((line) => `    ${line}`).join('\n')}`)
    } catch (error) {
      throw new Error(
        `✗ ${step.name}: ${reasonOf(error)}\n  ${step.help}.\n  Then run the same command again: it goes on here.`,
        { cause: error },
      )
    }
    console.log(`${step.name}: done`)
  }
  console.log(
    `\nDeployed. Verify it: npm run doctor -- ${stage.option}, and npm run smoke -- ${stage.option}`,
  )
}

function print(name: string, pending: string[]): void {
  console.log(pending.length === 0 ? `${name}: stands` : `${name}:`)
  for (const line of pending) console.log(`  ${line}`)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

try {
  await main()
} catch (error) {
  console.error(reasonOf(error))
  process.exitCode = 1
}
