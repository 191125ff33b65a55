import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@supabase/supabase-js'
import { connectTo } from './database.ts'
import { MAX_BYTES } from './import/archive.ts'
import { importFiles } from './import/files.ts'
import { readExportFiles } from './import/read.ts'
import { importRows, NotConfirmed, requireImported } from './import/rows.ts'

const HELP = `Imports an export into a project that does not have the person yet: account, rows and files.

Usage: npm run import -- FILE… --database-url URL [--confirm HASH] [--operator NAME]

  FILE                every file of one export, as it was downloaded
  --database-url URL  the project's database, as the role postgres
  --confirm HASH      what an import without it printed below its listing: without it nothing is imported
  --operator NAME     for the audit log: a name or number under which your organisation knows who imports
  --only-files        only the files: after an import of rows alone, or one that was interrupted after them
  --help              this text

Files go to the project that SUPABASE_URL and SUPABASE_SECRET_KEY name; without both only rows are imported.
Anybody can change a file: read the listing, above all whose address it is. docs/exports.md says what an import never does.
The person sets a new password by "forgot password".`

/** `npm run import`: exits with 0 when everything is stored, with 3 when it has to be confirmed. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'database-url': { type: 'string' },
      confirm: { type: 'string' },
      operator: { type: 'string' },
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
  const { confirm: confirmed = null, operator = null } = values
  if (operator !== null && !/^[\p{L}\p{N} ._@-]{1,60}$/u.test(operator))
    throw new Error('--operator takes 60 letters, digits, spaces and ._@- at most')
  if (positionals.reduce((sum, path) => sum + statSync(path).size, 0) > MAX_BYTES)
    throw new Error(`An export has at most ${MAX_BYTES} bytes`)
  const read = readExportFiles(
    positionals.map((path) => ({ name: basename(path), bytes: new Uint8Array(readFileSync(path)) })),
  )
  const sql = connectTo(databaseUrl)
  try {
    if (values['only-files']) await requireImported(sql, read)
    else console.log((await importRows(sql, read, { confirmed, operator })).join('\n'))
  } finally {
    await sql.end()
  }
  const { SUPABASE_URL, SUPABASE_SECRET_KEY } = process.env
  if (!SUPABASE_URL || !SUPABASE_SECRET_KEY) {
    console.log(
      `${read.originals.length} files are not imported: SUPABASE_URL and SUPABASE_SECRET_KEY are not set`,
    )
    return
  }
  const { storage } = createClient(SUPABASE_URL, SUPABASE_SECRET_KEY, { auth: { persistSession: false } })
  await importFiles(storage, read)
  console.log(`${read.originals.length} files`)
}

try {
  await main()
} catch (error) {
  if (error instanceof NotConfirmed) {
    console.log(error.message)
    console.log(`Nothing was imported. If all this is right: --confirm ${error.hash}`)
    process.exitCode = 3
  } else {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
