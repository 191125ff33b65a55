#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { readStackArguments, serveStack, stackArguments, stackHelp } from './src/command.ts'

const HELP = `Runs the Supabase project in the current folder on this machine, without Docker: Postgres, REST, Auth, Storage,
Realtime, functions, cron, webhooks, and an inbox for what is mailed.

Usage: local-supabase [options]

${stackHelp}

Several stacks run side by side when each has its own ports and --data.`

async function main(): Promise<number> {
  const { values } = parseArgs({ options: stackArguments })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  return serveStack(readStackArguments(values), { verbose: values.verbose })
}

try {
  process.exit(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
