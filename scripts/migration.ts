import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPlatformDatabase, withScratchServer } from 'local-supabase'
import { ROOT } from './root.ts'
import { applyDeclaredSchema, diffSchemas, pushMigrations } from './schema.ts'
import { TRAINING_ROWS } from './training.ts'

/** Files of rows that are long and change rarely. */
const SHIPPED_ROWS = [
  '89_compliance_checks_of_access.sql',
  '89_compliance_checks_of_data.sql',
  '89_compliance_checks_of_operation.sql',
  '89_compliance_controls.sql',
  TRAINING_ROWS,
]

const MIGRATIONS = join(ROOT, 'supabase', 'migrations')

/**
 * `npm run migration -- NAME`: writes the migration that takes the migrations' database to the one that `sql/` and
 * `policies/` declare.
 */
async function main(): Promise<void> {
  const name = process.argv[2]
  if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new Error('Usage: npm run migration -- NAME   (lower case, digits and _)')
  }
  await withScratchServer(async (adminUrl) => {
    const migrated = await buildPlatformDatabase(adminUrl, 'migrated')
    await pushMigrations(migrated)
    const declared = await buildPlatformDatabase(adminUrl, 'declared')
    await applyDeclaredSchema(declared)
    const statements = await diffSchemas(migrated, declared)
    const shipped = newRows()
    if (!statements && shipped.length === 0) {
      console.log('The migrations already give what sql/ and policies/ declare.')
      return
    }
    const version = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
    const file = join(MIGRATIONS, `${version}_${name}.sql`)
    const rows = ['90_settings_and_cron.sql', '91_personal_data.sql'].map((name) =>
      readFileSync(join(ROOT, 'sql', name), 'utf8'),
    )
    writeFileSync(file, [statements, ...rows, ...shipped].join('\n\n'))
    console.log(`Wrote ${file}`)
  })
}

/** Those of them that no migration has. */
function newRows(): string[] {
  const migrations = readdirSync(MIGRATIONS).map((file) => readFileSync(join(MIGRATIONS, file), 'utf8'))
  return SHIPPED_ROWS.map((file) => readFileSync(join(ROOT, 'sql', file), 'utf8')).filter(
    (rows) => !migrations.some((migration) => migration.includes(rows)),
  )
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
