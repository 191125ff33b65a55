import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Cost } from '../../harness/measuring/meter.ts'
import { ROOT } from '../../scripts/root.ts'
import { bootInDeno } from './measure.ts'

export type BootCost = Cost & { name: string }

/** What a function needs to start; nothing is reached before its first request. */
const ENVIRONMENT = {
  SUPABASE_URL: 'http://127.0.0.1:9',
  SUPABASE_DB_URL: 'postgres://postgres@127.0.0.1:9/postgres',
  SUPABASE_SECRET_KEYS: JSON.stringify({ default: 'none' }),
  SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: 'none' }),
  PIPELINE_SECRET: 'x'.repeat(32),
  OPENAI_API_KEY: 'none',
  DENO_SERVE_ADDRESS: 'tcp:127.0.0.1:0',
}

/** Starts each function in processes of its own, until it listens. */
export async function measureBoots(repeats: number): Promise<BootCost[]> {
  const functions = join(ROOT, 'functions')
  const modules = readdirSync(functions)
    .map((name) => ({ name, module: join(functions, name, 'index.ts') }))
    .filter(({ module }) => existsSync(module))
  const costs: BootCost[] = []
  for (const { name, module } of modules) {
    costs.push({ name, ...(await bootInDeno(pathToFileURL(module).href, ENVIRONMENT, repeats)) })
  }
  return costs
}
