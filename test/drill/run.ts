import { parseArgs } from 'node:util'
import { type DrillResult, drill } from './drill.ts'

const HELP = `npm run drill -- [options]

Loses a project and restores it, on stacks of its own: backup of rows and objects, an erasure after it, loss, restore into an empty
project, erasures again. Compares every table, secret and object. Exits with 1 when something differs or somebody erased returned.

  --students N   demonstration students beside those whom the drill makes (60)
  --days N       days of their history (30)
  --help         this text`

/** `npm run drill` */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      students: { type: 'string', default: '60' },
      days: { type: 'string', default: '30' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const size = { students: Number(values.students), days: Number(values.days) }
  const result = await drill(size, (line) => console.error(line))
  console.log(JSON.stringify(result))
  const wrong = faults(result)
  for (const line of wrong) console.error(line)
  if (wrong.length === 0) console.error('Nothing differs, and nobody erased returned.')
  return wrong.length > 0 ? 1 : 0
}

/** What of a drill is not as it has to be, one line each. */
function faults({ different, returned, works, unobserved }: DrillResult): string[] {
  return [
    ...different.map((line) => `Different: ${line}`),
    ...returned.map((store) => `Somebody erased returned: ${store}`),
    ...unobserved.map((job) => `Failures of a scheduled job are not counted: ${job}`),
    ...(works ? [] : ['A student of before cannot go on']),
  ]
}

try {
  process.exit(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
