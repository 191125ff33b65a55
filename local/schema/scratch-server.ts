import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../postgres/server.ts'
import { freePorts } from '../stack/ports.ts'

/** Runs `use` with the superuser's address of a Postgres that is gone afterwards. */
export async function withScratchServer(use: (adminUrl: string) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'schema-'))
  const [port = 0] = await freePorts(1)
  const server = await startPostgres({ dataDir, port, durable: false, log: () => {} })
  try {
    await use(server.adminUrl)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
