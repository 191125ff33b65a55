import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts, startStack } from 'local-supabase'
import type { BackedProject } from './management-api.ts'

/** A project in which nothing was deployed yet. */
export type NewProject = BackedProject & { apiUrl: string; stop(): Promise<void> }

/** Starts the platform on this machine with an empty project: no tables, no functions, no buckets. */
export async function startNewProject(): Promise<NewProject> {
  const root = await mkdtemp(join(tmpdir(), 'new-project-'))
  await mkdir(join(root, 'supabase', 'migrations'), { recursive: true })
  await writeFile(join(root, 'supabase', 'config.toml'), 'project_id = "new"\n')
  const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
  const stack = await startStack({ root, port, dbPort, inboxPort, durable: false })
  return {
    apiUrl: stack.apiUrl,
    databaseUrl: stack.databaseUrl,
    publishableKey: stack.keys.publishable,
    secretKey: stack.keys.secret,
    async stop() {
      await stack.stop()
      await rm(root, { recursive: true, force: true })
    },
  }
}
