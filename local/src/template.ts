import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from './ports.ts'
import { postgresAccount } from './postgres/binaries.ts'
import { clusterDir } from './postgres/cluster.ts'
import { applyPlatform, createDatabase, dropDatabase } from './postgres/databases.ts'
import { type Postgres, startPostgres } from './postgres/server.ts'
import { supabase } from './supabase-cli.ts'

/** The database of a template's cluster that holds what the migrations make, and no seeds. */
export const MIGRATED_DATABASE = 'migrated'

/**
 * Makes a data folder whose database `startStack` may begin with (`StackOptions.template`), for tests that start many stacks: its
 * migrations and seeds are applied. Its cluster has a database `migrated` besides, for `buildPlatformDatabase` to copy.
 *
 * @throws Error when a migration or seed fails
 */
export async function makeTemplate({ root, dataDir }: { root: string; dataDir: string }): Promise<void> {
  await withServer(dataDir, async (server) => {
    await applyPlatform(server.adminUrl)
    const push = ['db', 'push', `--remote=${server.url}`, '--skip-vault', '--yes']
    await supabase(push, { root })
    await createDatabase(server.adminUrl, MIGRATED_DATABASE, 'postgres')
    await supabase([...push, '--include-seed'], { root })
  })
}

/** Drops the database `migrated` of a template that only further stacks begin with: a third of the files that each would copy. */
export async function dropMigrated(template: string): Promise<void> {
  await withServer(template, ({ adminUrl }) => dropDatabase(adminUrl, MIGRATED_DATABASE))
}

async function withServer(dataDir: string, use: (server: Postgres) => Promise<void>): Promise<void> {
  const [port = 0] = await freePorts(1)
  const server = await startPostgres({ dataDir: clusterOf(dataDir), port, durable: false, log: () => {} })
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

/** Copies the database of a template to a data folder that has none yet. Returns whether it did. */
export function copyTemplate(template: string, dataDir: string): boolean {
  const [from, to] = [template, dataDir].map((folder) => clusterDir(clusterOf(folder), postgresAccount()))
  if (from === undefined || to === undefined || existsSync(to)) return false
  // Keeps the owner, which no function of Node does.
  execFileSync('cp', ['-a', from, to])
  return true
}

const clusterOf = (dataDir: string) => join(dataDir, 'postgres')
