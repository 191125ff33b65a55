import type { TestProject } from 'vitest/node'
import { startTestCluster } from './postgres/cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address, as its superuser, of a Postgres for tests that need a database and no server of their own. */
    sharedServer: string
  }
}

/** Starts one Postgres for the run: making one takes several times as long as a database in it. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { server, stop } = await startTestCluster()
  provide('sharedServer', server.adminUrl)
  return stop
}
