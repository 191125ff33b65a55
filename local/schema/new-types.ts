import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../stack/root.ts'
import { buildPlatformDatabase, pushMigrations } from './databases.ts'
import { generateExpectedSchema } from './expected-schema.ts'
import { withScratchServer } from './scratch-server.ts'
import { generateTypes } from './types.ts'

/** `npm run types`: writes types/database.ts, and what setup-tables expects, from the migrations. */
await withScratchServer(async (adminUrl) => {
  const migrated = await buildPlatformDatabase(adminUrl, 'migrated')
  await pushMigrations(migrated)
  writeFileSync(join(ROOT, 'types', 'database.ts'), await generateTypes(migrated.url))
  const expected = join(ROOT, 'functions', '_shared', 'data-api', 'expected.ts')
  writeFileSync(expected, await generateExpectedSchema(migrated.url))
})
