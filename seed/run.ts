import { PASSWORD } from './accounts.ts'
import { readSeedOptions, SEED_HELP } from './options.ts'
import { seedDatabase } from './seed.ts'
import { openTarget } from './target.ts'

/** `npm run seed`: exits with 0 when all data is stored. */
async function main(): Promise<void> {
  const options = readSeedOptions(process.argv.slice(2))
  if (options.help) {
    console.log(SEED_HELP)
    return
  }
  const began = performance.now()
  const sql = openTarget(options)
  try {
    const stored = await seedDatabase(sql, options, (line) => console.log(line))
    const [size] = await sql<
      { size: string }[]
    >`select pg_size_pretty(pg_database_size(current_database())) as size`
    const seconds = Math.round((performance.now() - began) / 1000)
    console.log(
      `Done in ${seconds} s: ${stored.checkIns} check-ins, ${stored.sessions} sessions, ${stored.reviews} clinical reviews; the database takes ${size?.size}.`,
    )
    console.log(`Sign in as student-000001@…, counselor-1@…, admin@… or security@… with ${PASSWORD}`)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
