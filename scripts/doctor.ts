import { parseArgs } from 'node:util'
import { type Examination, examine } from './doctor/examine.ts'
import { openNamedStage, stageArguments, stageHelp } from './stage/stage.ts'

const HELP = `Reads a stage, changes nothing on it, and names each thing that is wrong with what to do about it.

Usage: npm run doctor -- --stage NAME [--json]

${stageHelp}
  --json           print what was found as JSON
  --help           this text

Exits with 0 when nothing is wrong, warnings aside, with 1 when something is, and with 2 when something could not be read.
A hosted stage needs SUPABASE_ACCESS_TOKEN. With the settings of the stage at hand, values are compared too,
and the providers are asked whether they know the stage. docs/deployment.md`

/** `npm run doctor` */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      ...stageArguments,
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const stage = await openNamedStage(values, HELP)
  try {
    const examination = await examine(stage)
    console.log(values.json ? JSON.stringify(examination, null, 2) : report(examination))
    if (examination.unread.length > 0) return 2
    return examination.findings.length > 0 ? 1 : 0
  } finally {
    await stage.close()
  }
}

function report({ stage, findings, warnings, unread, skipped }: Examination): string {
  const lines = [
    ...findings.flatMap(({ problem, mend }) => [`✗ ${problem}`, `  → ${mend}`]),
    ...warnings.flatMap(({ problem, mend }) => [`! ${problem}`, `  → ${mend}`]),
    ...unread.map(({ check, reason }) => `? ${check} could not be read: ${reason}`),
  ]
  if (skipped.length > 0) lines.push(`Not on this stage: ${skipped.join(', ')}.`)
  lines.push(
    findings.length === 0 && unread.length === 0
      ? `Nothing is wrong with ${stage}.`
      : `${findings.length} found, ${unread.length} not read.`,
    ...(warnings.length > 0 ? [`Warnings: ${warnings.length}.`] : []),
  )
  return lines.join('\n')
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
