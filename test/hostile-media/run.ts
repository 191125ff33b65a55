import { parseArgs } from 'node:util'
import { attack, LIMITS } from './attack.ts'

const KINDS = ['audio', 'images'] as const

const HELP = `npm run test:hostile-media -- [options]

Gives hostile recordings and images to the functions' domains, each request measured in a process like a function's.
Fails when a process dies, a request takes more than ${LIMITS.cpuS} s of CPU or ${LIMITS.requestMb} MB, or memory at rest grows by more than ${LIMITS.keptMb} MB over the second half.

  --files N    how many files (20000), half of them images
  --seed N     where random choices begin (1)
  --only KIND  audio or images
  --from N     the number of the first file, which a failure names (0)
  --help       this text`

/** `npm run test:hostile-media` */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      files: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      from: { type: 'string', default: '0' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const whole = (name: 'files' | 'seed' | 'from') => {
    if (!/^\d{1,9}$/.test(values[name]))
      throw new Error(`--${name} takes a whole number, not "${values[name]}"`)
    return Number(values[name])
  }
  const chosen = KINDS.filter((kind) => values.only === undefined || kind === values.only)
  if (chosen.length === 0) throw new Error(`--only takes ${KINDS.join(' or ')}, not "${values.only}"`)

  let failed = 0
  for (const kind of chosen) {
    const files = Math.ceil(whole('files') / chosen.length)
    const report = await attack(kind, whole('seed'), files, LIMITS, whole('from'))
    console.log(
      `${kind}: ${report.files} files, ${report.requests} requests, ${report.cpuS.toFixed(0)} s of CPU, seed ${values.seed}`,
    )
    console.log(`  ended: ${JSON.stringify(report.outcomes)}`)
    console.log(`  most CPU: ${report.mostCpuS.value.toFixed(2)} s, ${report.mostCpuS.name}`)
    console.log(`  most memory: ${report.mostMb.value.toFixed(0)} MB, ${report.mostMb.name}`)
    if (report.restMb)
      console.log(`  at rest: ${report.restMb.map((mb) => `${mb.toFixed(0)} MB`).join(', later ')}`)
    for (const failure of report.failures.slice(0, 50)) console.log(`  FAILED ${failure}`)
    failed += report.failures.length
  }
  console.log(failed === 0 ? 'Every request held.' : `${failed} failures.`)
  return failed === 0 ? 0 : 1
}

try {
  process.exit(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
