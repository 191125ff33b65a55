import { parseArgs } from 'node:util'
import { attack, LIMITS } from './attack.ts'
import type { Batch } from './batch.ts'
import { attackStack } from './through-stack.ts'

const KINDS = ['audio', 'images', 'stack'] as const

/** Of how many files one goes through a stack: there a file takes 20 times as long, and starting one half a minute. */
const FILES_PER_FILE_OF_THE_STACK = 50

/** From one line of progress to the next, in milliseconds. */
const PROGRESS_MS = 30_000

const HELP = `npm run attacks:media -- [options]

Gives hostile recordings and images to the functions' own code, each request measured in a process like a function's, and sends one
in ${FILES_PER_FILE_OF_THE_STACK} through a stack of its own, while another student uses the service.
Fails when a process dies, a request takes more than ${LIMITS.cpuS} s of CPU or ${LIMITS.requestMb} MB, memory at rest grows by more than ${LIMITS.keptMb} MB over the second half, or the other student waits longer than alone.

  --files N    how many files (20000), half of them images
  --seed N     where random choices begin (1)
  --only KIND  audio, images or stack: all files to that
  --from N     the number of the first file, which a failure of audio or images names (0)
  --help       this text`

/** `npm run attacks:media` */
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
  if (chosen.length === 0) throw new Error(`--only takes ${KINDS.join(', ')}, not "${values.only}"`)

  const files = whole('files')
  const failures: string[] = []
  for (const kind of chosen) {
    console.log(`${kind}, seed ${values.seed}`)
    const found =
      kind === 'stack'
        ? await throughStack(
            whole('seed'),
            values.only ? files : Math.ceil(files / FILES_PER_FILE_OF_THE_STACK),
          )
        : await throughDomains(kind, whole('seed'), Math.ceil(files / (values.only ? 1 : 2)), whole('from'))
    failures.push(...found)
  }
  console.log(failures.length === 0 ? 'Every request held.' : `${failures.length} failures.`)
  return failures.length === 0 ? 0 : 1
}

/** @returns what failed */
async function throughDomains(
  kind: Batch['kind'],
  seed: number,
  files: number,
  from: number,
): Promise<string[]> {
  let toldAt = performance.now()
  let told = 0
  const tell = (failures: string[]) => {
    for (const failure of failures.slice(told)) console.log(`  FAILED ${failure}`)
    told = failures.length
  }
  const { requests, cpuS, outcomes, mostCpuS, mostMb, restMb, failures } = await attack(kind, seed, files, {
    from,
    onFile: (done, { mostCpuS, failures }) => {
      tell(failures)
      if (performance.now() - toldAt < PROGRESS_MS) return
      toldAt = performance.now()
      console.log(
        `  ${done} of ${files} files, ${failures.length} failures, most CPU so far ${mostCpuS.value.toFixed(2)} s, ${mostCpuS.name}`,
      )
    },
  })
  console.log(`  ${files} files, ${requests} requests, ${cpuS.toFixed(0)} s of CPU`)
  console.log(`  ended: ${JSON.stringify(outcomes)}`)
  console.log(`  most CPU: ${mostCpuS.value.toFixed(2)} s, ${mostCpuS.name}`)
  console.log(`  most memory: ${mostMb.value.toFixed(0)} MB, ${mostMb.name}`)
  if (restMb) console.log(`  at rest: ${restMb.map((mb) => `${mb.toFixed(0)} MB`).join(', later ')}`)
  tell(failures)
  return failures
}

/** @returns what failed */
async function throughStack(seed: number, files: number): Promise<string[]> {
  const { requests, outcomes, most, other, failures } = await attackStack(seed, files)
  console.log(`  ${files} files, ${requests} requests`)
  console.log(`  ended: ${JSON.stringify(outcomes)}`)
  for (const [reader, { cpuS, mb, processMb, restMb }] of Object.entries(most)) {
    const [half, end] = restMb.map((value) => value.toFixed(0))
    console.log(
      `  ${reader}: at most ${cpuS.toFixed(2)} s of CPU, ${mb.toFixed(0)} MB, ${processMb.toFixed(0)} MB in the process; at rest ${half} MB, later ${end} MB`,
    )
  }
  for (const [what, { alone, attacked }] of Object.entries(other)) {
    const words = ([median, late]: [number, number]) => `${median} ms, of 20 once ${late} ms`
    console.log(`  another student ${what}: alone ${words(alone)}; meanwhile ${words(attacked)}`)
  }
  for (const failure of failures) console.log(`  FAILED ${failure}`)
  return failures
}

try {
  process.exit(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
