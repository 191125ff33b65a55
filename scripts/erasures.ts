import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Sql } from 'postgres'
import * as z from 'zod'
import { connectTo } from './database.ts'

const USAGE = `Usage:
  npm run --silent erasures -- export > erasures.json
  npm run --silent erasures -- replay [FILE]
  npm run --silent erasures -- resume

export  Writes the receipts of all erasures, and which are pending: numbers that name nobody. Keep the file where your backups are not.
replay  After a backup was restored, and before anybody can sign in, with the last such file: erases again whoever it has a receipt of,
        and cancels what is pending in the backup alone. Whoever is to be erased after that has the whole time again to cancel, and is told.
resume  After the database stood still for over an hour, and no backup was restored: erasures go on.

SUPABASE_DB_URL names the database as postgres, or --database-url URL, which others can read while it runs. docs/erasure.md`

/** `npm run erasures`: exits with 1 when something is wrong, or a legal hold keeps somebody who was erased. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'database-url': { type: 'string' } },
  })
  const [action, file, ...others] = positionals
  const url = values['database-url'] ?? process.env.SUPABASE_DB_URL
  const isKnown = action === 'replay' || (['export', 'resume'].includes(action ?? '') && file === undefined)
  if (!url || !isKnown || others.length > 0) throw new Error(USAGE)
  const sql = connectTo(url)
  try {
    if (action === 'export') console.log(await exported(sql))
    else if (action === 'resume') await sql`select private.resume_erasures()`
    else await replay(sql, file)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** What a restored backup of now would not have, as JSON. */
async function exported(sql: Sql): Promise<string> {
  const [row] = await sql<[{ exported: string }]>`select private.export_erasures()::text as exported`
  return row.exported
}

const exportedFile = z.object({
  exported_at: z.iso.datetime({ offset: true }),
  receipts: z.array(z.unknown()),
  pending: z.array(z.unknown()),
  signature: z.string(),
})

/** Throws unless a file looks like one that was exported; those written before files were signed have their own error. */
function requireExported(file: string, content: unknown): void {
  if (exportedFile.safeParse(content).success) return
  const { success: isUnsigned } = exportedFile
    .omit({ signature: true })
    .extend({ signature: z.undefined().optional() })
    .safeParse(content)
  throw new Error(
    isUnsigned
      ? `${file} has no signature: files written before they were signed are not accepted. Export anew right after an upgrade.`
      : `${file} does not come from npm run erasures -- export`,
  )
}

async function replay(sql: Sql, file: string | undefined): Promise<void> {
  // As it was written: the database verifies its signature.
  const content = file === undefined ? null : readFileSync(file, 'utf8')
  if (file !== undefined && content !== null) requireExported(file, JSON.parse(content))
  const [{ accounts, held, pending, cancelled }] = await sql<
    [{ accounts: number; held: number; pending: number; cancelled: number }]
  >`select * from private.replay_erasures(${content}::text::jsonb)`
  console.log(
    `${accounts} accounts were in the backup again and are deleted; their files follow within minutes.`,
  )
  console.log(`${cancelled} erasures were cancelled after the backup, and are again.`)
  console.log(
    `${pending} erasures are pending: each can be cancelled for another 72 hours, and the person is told.`,
  )
  if (held > 0) {
    console.error(
      `A legal hold keeps ${held} of the accounts: lift it with public.lift_legal_hold, or they stay.`,
    )
    process.exitCode = 1
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
