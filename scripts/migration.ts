import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPlatformDatabase, withScratchServer } from 'local-supabase'
import { ROOT } from './root.ts'
import { applyDeclaredSchema, declaredFiles, diffSchemas, pushMigrations } from './schema.ts'
import { diffShippedRows } from './shipped-rows.ts'
import { TRAINING_ROWS } from './training.ts'

const MIGRATIONS = join(ROOT, 'supabase', 'migrations')

/**
 * `npm run migration -- NAME`: writes the migration that takes the migrations' database to the one that `sql/` and
 * `policies/` declare. Without any migration, it is a baseline: the declared files themselves.
 */
async function main(): Promise<void> {
  const name = process.argv[2]
  if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new Error('Usage: npm run migration -- NAME   (lower case, digits and _)')
  }
  mkdirSync(MIGRATIONS, { recursive: true })
  const migrations = readdirSync(MIGRATIONS).map((file) => readFileSync(join(MIGRATIONS, file), 'utf8'))
  const statements = migrations.length === 0 ? baseline() : await difference(migrations)
  if (!statements) {
    console.log('The migrations already give what sql/ and policies/ declare.')
    return
  }
  const version = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const file = join(MIGRATIONS, `${version}_${name}.sql`)
  writeFileSync(file, `-- Made by \`npm run migration -- ${name}\`.\n\n${statements.trim()}\n`)
  console.log(`Wrote ${file}`)
}

/** A migration is one transaction: what its rows have triggered has to be done before its policies alter their tables. */
function baseline(): string {
  const parts = declaredFiles().map((file) => ({
    folder: file.split('/')[0] ?? '',
    text: `-- ${file}\n${readFileSync(join(ROOT, file), 'utf8')}`,
  }))
  const { sql = [], policies = [] } = Object.groupBy(parts, ({ folder }) => folder)
  return [...sql, { text: 'set constraints all immediate;\n' }, ...policies]
    .map(({ text }) => text)
    .join('\n')
}

async function difference(migrations: string[]): Promise<string> {
  return withScratchServer(async (adminUrl) => {
    const migrated = await buildPlatformDatabase(adminUrl, 'migrated')
    await pushMigrations(migrated)
    const declared = await buildPlatformDatabase(adminUrl, 'declared')
    await applyDeclaredSchema(declared)
    const training = readFileSync(join(ROOT, TRAINING_ROWS), 'utf8')
    const parts = [
      await diffSchemas(migrated, declared),
      await diffShippedRows(migrated, declared),
      migrations.some((migration) => migration.includes(training)) ? '' : training,
    ]
    return parts.filter((part) => part).join('\n\n')
  })
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
