import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../postgres/server.ts'
import { freePorts } from '../stack/ports.ts'
import { ROOT } from '../stack/root.ts'
import { buildPlatformDatabase, pushMigrations } from './databases.ts'
import { generateTypes } from './types.ts'

/** `npm run types`: writes types/database.ts from the migrations. */
const dataDir = mkdtempSync(join(tmpdir(), 'types-'))
const [port = 0] = await freePorts(1)
const server = await startPostgres({ dataDir, port, durable: false, log: () => {} })
try {
  const migrated = await buildPlatformDatabase(server.adminUrl, 'migrated')
  await pushMigrations(migrated)
  writeFileSync(join(ROOT, 'types', 'database.ts'), await generateTypes(migrated.url))
} finally {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
