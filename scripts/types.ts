import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPlatformDatabase, withScratchServer } from 'local-supabase'
import { ROOT } from './root.ts'
import { generateExpectedSchema, generateTypes, pushMigrations } from './schema.ts'
import { generateShapes } from './types/shapes.ts'

/** `npm run types`: writes types/database.ts and types/shapes.ts, and what setup-tables expects, from the migrations. */
await withScratchServer(async (adminUrl) => {
  const migrated = await buildPlatformDatabase(adminUrl, 'migrated')
  await pushMigrations(migrated)
  writeFileSync(join(ROOT, 'types', 'database.ts'), await generateTypes(migrated.url))
  writeFileSync(join(ROOT, 'types', 'shapes.ts'), await generateShapes())
  const expected = join(ROOT, 'functions', '_shared', 'data-api', 'expected-schema.ts')
  writeFileSync(expected, await generateExpectedSchema(migrated.url))
})
