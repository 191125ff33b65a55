import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import postgres from 'postgres'

const USAGE = `Usage:
  npm run --silent erasures -- export --database-url URL > erasures.json
  npm run --silent erasures -- replay FILE… --database-url URL

export  Writes the receipts of all erasures: counts and numbers that name nobody. Keep the file where your backups are not.
replay  After a backup was restored, and before anybody can sign in: erases again whoever the files' receipts are about.

The URL is that of the database as postgres, by default SUPABASE_DB_URL. docs/erasure.md`

/** `npm run erasures`: exits with 1 when something is wrong, or a legal hold keeps somebody who was erased. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'database-url': { type: 'string' } },
  })
  const [action, ...files] = positionals
  const url = values['database-url'] ?? process.env.SUPABASE_DB_URL
  if (!url || !(action === 'export' ? files.length === 0 : action === 'replay')) throw new Error(USAGE)
  const sql = postgres(url, { max: 1, prepare: false, onnotice: () => {} })
  try {
    if (action === 'export') console.log(await exported(sql))
    else await replay(sql, files)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** All receipts as a JSON array. */
async function exported(sql: postgres.Sql): Promise<string> {
  const [row] = await sql<[{ receipts: string }]>`
    select coalesce(jsonb_agg(to_jsonb(r) order by r.completed_at, r.id), '[]')::text as receipts
    from private.erasure_receipts r`
  return row.receipts
}

async function replay(sql: postgres.Sql, files: string[]): Promise<void> {
  const receipts = files.flatMap((file) => {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!Array.isArray(content))
      throw new Error(`${file} has no receipts: it must come from npm run erasures -- export`)
    return content
  })
  const [{ accounts, held }] = await sql<[{ accounts: number; held: number }]>`
    select * from private.replay_erasures(${JSON.stringify(receipts)}::text::jsonb)`
  console.log(
    `${accounts} accounts were in the backup again and are deleted; their files follow within minutes.`,
  )
  if (held > 0) {
    console.error(`A legal hold keeps ${held} of them: lift it with public.lift_legal_hold, or they stay.`)
    process.exitCode = 1
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
