import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import { freePorts } from '../../src/ports.ts'
import { applyPlatform, createDatabase } from '../../src/postgres/databases.ts'
import { type Postgres, type PostgresOptions, startPostgres } from '../../src/postgres/server.ts'

/** A folder for one cluster, and how to remove it. */
export function temporaryFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'local-postgres-test-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

const TEMPLATE = 'platform_template'

async function copyOf(server: string): Promise<{ url: string; adminUrl: string }> {
  const adminUrl = await createDatabase(server, `copy_${crypto.randomUUID()}`, TEMPLATE)
  return { adminUrl, url: adminUrl.replace('supabase_admin', 'postgres') }
}

/** The Postgres of the run, for tests that neither kill it nor change its roles. */
export const sharedCluster = {
  /** Connection strings of a fresh database with the platform in it. */
  database: () => copyOf(inject('sharedServer')),
}

/** A Postgres of its own with a template from which each test copies its database. */
export async function startTestCluster(options: Partial<PostgresOptions> = {}) {
  const { folder, remove } = temporaryFolder()
  const lines: string[] = []
  const server: Postgres = await startPostgres({
    dataDir: path.join(folder, 'data'),
    port: await freePort(),
    durable: false,
    log: (line) => lines.push(line),
    ...options,
  })
  const template = await createDatabase(server.adminUrl, TEMPLATE)
  await applyPlatform(template)
  return {
    server,
    lines,
    /** Connection strings of a fresh database with the platform in it. */
    database: () => copyOf(server.adminUrl),
    async stop() {
      await server.stop()
      remove()
    },
  }
}

/** Asks again until the result is neither undefined nor false. */
export async function eventually<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const result = await ask().catch(() => undefined)
    if (result !== undefined && result !== false) return result
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
