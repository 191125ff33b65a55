import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@supabase/supabase-js'
import { connectTo } from './database.ts'
import { importFiles, importRows, type ReadExport, readExportFiles } from './import-export.ts'

const HELP = `Imports an export into a project that does not have the person yet: account, rows and files.

Usage: npm run import -- FILE… --database-url URL

  FILE                every file of one export, as it was downloaded
  --database-url URL  the project's database, as the role postgres
  --only-files        only the files: after an import of rows alone, or one that was interrupted after them
  --help              this text

Files go to the project that SUPABASE_URL and SUPABASE_SECRET_KEY name; without both only rows are imported.
The person sets a new password by "forgot password". The project's inventory decides what can be imported.`

/** `npm run import`: exits with 0 when everything is stored. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'database-url': { type: 'string' },
      'only-files': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const databaseUrl = values['database-url']
  if (values.help || positionals.length === 0 || !databaseUrl) {
    console.log(HELP)
    if (!values.help) process.exitCode = 2
    return
  }
  const read = readExportFiles(
    positionals.map((path) => ({ name: basename(path), bytes: new Uint8Array(readFileSync(path)) })),
  )
  if (!values['only-files']) await storeRows(databaseUrl, read)
  const { SUPABASE_URL, SUPABASE_SECRET_KEY } = process.env
  if (!SUPABASE_URL || !SUPABASE_SECRET_KEY) {
    console.log(
      `${read.originals.length} files are not imported: SUPABASE_URL and SUPABASE_SECRET_KEY are not set`,
    )
    return
  }
  const { storage } = createClient(SUPABASE_URL, SUPABASE_SECRET_KEY, { auth: { persistSession: false } })
  await importFiles(storage, read.originals)
  console.log(`${read.originals.length} files`)
}

async function storeRows(databaseUrl: string, read: ReadExport): Promise<void> {
  const sql = connectTo(databaseUrl)
  try {
    for (const { table, rows, skipped } of await importRows(sql, read)) {
      console.log(skipped === null ? `${table}: ${rows}` : `${table}: not imported, because ${skipped}`)
    }
  } finally {
    await sql.end()
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
