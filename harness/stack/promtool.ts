import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestOptions } from 'vitest'

const PROMTOOL = process.env.PROMTOOL ?? 'promtool'

/** Options of a test that needs Prometheus' own tool, which is no part of the project: Debian's package `prometheus` has it. */
export const withPromtool: TestOptions =
  spawnSync(PROMTOOL, ['--version']).status === 0
    ? {}
    : { skip: true, meta: { skippedBecause: `there is no ${PROMTOOL}` } }

/** Runs it; its output and its errors in one text. `input`: what it reads from its standard input. */
export function promtool(args: string[], input = ''): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(PROMTOOL, args, { maxBuffer: 64 * 1024 * 1024 }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    )
    child.stdin?.end(input)
  })
}

/** Runs it on a file with a content, which is any value, as JSON is YAML. */
export async function promtoolOn(args: string[], content: unknown) {
  const folder = mkdtempSync(join(tmpdir(), 'promtool-'))
  try {
    const file = join(folder, 'input.yml')
    writeFileSync(file, JSON.stringify(content))
    return await promtool([...args, file])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
