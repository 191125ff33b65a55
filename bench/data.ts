import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { load, machineAfter, writeFigures } from '../harness/measuring/figures.ts'
import { measure } from './data/measure.ts'
import { measureOverHttp } from './data/over-http.ts'
import { figures, overLimits, type Report, rowsOf } from './data/report.ts'
import { type SeededStack, startSeededStack } from './data/seeded-stack.ts'

/**
 * `npm run bench:data`: the service's three heaviest queries on a tenth and on the whole of a year's data, as the API runs
 * them and as the table owner. Exits with 1 when the access rules or the growth of the data cost more than allowed.
 * `--keep DIR` keeps the databases for the next run; `--write` puts the figures into docs/benchmarks.md.
 */
const { values: options } = parseArgs({
  options: {
    students: { type: 'string', default: '20000' },
    days: { type: 'string', default: '365' },
    repeats: { type: 'string', default: '300' },
    keep: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const [students, days, repeats] = [options.students, options.days, options.repeats].map(Number)
if (!students || !days || !repeats) throw new Error('--students, --days and --repeats take numbers')

const folder = options.keep ? resolve(options.keep) : mkdtempSync(join(tmpdir(), 'bench-data-'))
const progress = (line: string) => process.stderr.write(`${line}\n`)
const seeded: SeededStack[] = []
try {
  for (const [name, count] of [
    ['tenth', Math.ceil(students / 10)],
    ['whole', students],
  ] as const) {
    progress(`The ${name}: ${count} students, ${days} days`)
    const dataDir = join(folder, name)
    mkdirSync(dataDir, { recursive: true })
    seeded.push(await startSeededStack(dataDir, { students: count, days, progress }))
  }
  const loadBefore = load()
  progress('Measuring')
  const measured = await measure(
    seeded.map(({ students, stack }) => ({ students, url: stack.databaseUrl })),
    repeats,
  )
  const whole = seeded.at(-1)
  const report: Report = {
    date: new Date().toISOString().slice(0, 10),
    machine: machineAfter(loadBefore),
    days,
    repeats,
    databases: seeded.map(({ stack, ...filled }) => filled),
    rows: rowsOf(measured, students),
    overHttp: whole ? await measureOverHttp(whole.stack) : [],
  }
  const text = figures(report)
  console.log(text)
  console.log(JSON.stringify(report))
  if (options.write) writeFigures('data', text)
  const over = overLimits(report.rows)
  for (const line of over) console.error(`Over its limit: ${line}`)
  process.exitCode = over.length > 0 ? 1 : 0
} finally {
  for (const { stack } of seeded) await stack.stop()
  if (!options.keep) rmSync(folder, { recursive: true, force: true })
}
