import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { denoBinary, heapFlag, hostedLimits } from 'local-supabase'
import { median } from '../../harness/measuring/figures.ts'
import type { Cost } from '../../harness/measuring/meter.ts'
import { ROOT } from '../../scripts/root.ts'
import type { Unit, UnitResult } from './unit.ts'

const ARGUMENTS = [
  '--quiet',
  '--no-lock',
  '--no-config',
  '--import-map',
  join(ROOT, 'functions', 'deno.json'),
  '--node-modules-dir=manual',
  '-A',
]

const WORKER = join(ROOT, 'bench', 'analysis', 'worker.ts')
const BOOT = join(ROOT, 'bench', 'analysis', 'boot.ts')

/**
 * Runs a unit in Deno processes of its own, one after another, and gives the median cost of each request. The heap is
 * bounded as the platform and the local stack bound it, unless `heap` says otherwise.
 *
 * @throws when a process fails, with what it wrote to its error output
 */
export async function measure(unit: Unit, repeats: number, heap?: 'unbounded'): Promise<UnitResult> {
  const flags = heap ? [] : [heapFlag(hostedLimits.memoryMb)]
  const results: UnitResult[] = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    results.push(
      JSON.parse(await output(denoBinary(), ['run', ...flags, ...ARGUMENTS, WORKER, JSON.stringify(unit)])),
    )
  }
  const [first] = results
  if (!first) throw new Error('A unit is measured at least once')
  return {
    findings: first.findings,
    runs: first.runs.map((steps, run) =>
      steps.map((_, step) => medianCost(results.flatMap((result) => result.runs[run]?.[step] ?? []))),
    ),
  }
}

/** Starts a function's module in Deno processes of its own and gives the median cost; the first, which compiles, counts not. */
export async function bootInDeno(
  module: string,
  environment: Record<string, string>,
  repeats: number,
): Promise<Cost> {
  const command = ['run', heapFlag(hostedLimits.memoryMb), ...ARGUMENTS, BOOT, module]
  const costs: Cost[] = []
  for (let repeat = 0; repeat <= repeats; repeat++) {
    const printed = await output(denoBinary(), command, environment)
    costs.push(JSON.parse(printed.trim().split('\n').at(-1) ?? ''))
  }
  return medianCost(costs.slice(1))
}

function medianCost(costs: Cost[]): Cost {
  const of = (field: keyof Cost) => median(costs.map((cost) => cost[field]))
  return { cpuS: of('cpuS'), wallS: of('wallS'), peakMb: of('peakMb') }
}

/** What a command prints; rejects when it fails. */
export function output(
  command: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...environment }
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    let complaints = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
    })
    child.stderr.on('data', (chunk) => {
      complaints += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(printed)
      else reject(new Error(`${command} ended with ${code}: ${complaints.trim()}`))
    })
  })
}
