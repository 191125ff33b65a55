import { startVitest } from 'vitest/node'
import { HELP, readOptions } from './options.ts'

/** `npm run test:hostile`: the hostile requests alone, as many as are asked for. */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') {
    console.log(HELP)
    return 0
  }
  process.env.HOSTILE_ARGUMENTS = JSON.stringify(process.argv.slice(2))
  const vitest = await startVitest('test', [], { project: ['hostile'], run: true, watch: false })
  await vitest.close()
  return process.exitCode === undefined ? 0 : Number(process.exitCode)
}

try {
  process.exit(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
