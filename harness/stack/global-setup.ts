import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dropMigrated, freePorts, makeTemplate } from 'local-supabase'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { startStack } from '../../demo/stack.ts'
import { letStaffSignInByPassword } from '../../demo/staff-sign-in.ts'
import { ROOT } from '../../scripts/root.ts'
import type { LocalProject } from './project.ts'
import { projectFromOutside, requireInventedPeople } from './project-from-outside.ts'

/** Gives the tests a project: the one that the environment names, or a stack that is booted for this run. */
export default async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const outside = projectFromOutside(process.env)
  if (outside) {
    await requireInventedPeople(outside)
    await letStaffSignInByPassword(outside.databaseUrl)
    console.log(`Testing ${outside.apiUrl}; nothing is booted.`)
    provide('project', outside)
    return undefined
  }
  // What the stacks of this run begin with, also those that tests start as a command of their own.
  const template = mkdtempSync(join(tmpdir(), 'template-'))
  await makeTemplate({ root: ROOT, dataDir: template })
  process.env.STACK_TEMPLATE = template
  const { project, stop } = await bootStack()
  await dropMigrated(template)
  provide('project', project)
  return async () => {
    await stop()
    rmSync(template, { recursive: true, force: true })
  }
}

/**
 * Boots a stack on free ports, in a temporary folder. Its isolates live as long as they like: ended at the hosted limits they would be
 * started again every few seconds for as long as the suites run. Tests of the limits boot stacks of their own.
 */
async function bootStack(): Promise<{ project: LocalProject; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stack-'))
  const logFile = join(dataDir, 'stack.log')
  const handle = openSync(logFile, 'a')
  const log = (line: string) => writeSync(handle, `${line}\n`)
  const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
  const stack = await startStack(
    {
      ...{ port, dbPort, inboxPort, dataDir, reset: false, watch: false, durable: false, passwordCost: 4 },
      limits: false,
    },
    { progress: log, log },
  )
  // All suites together send more in a minute than a provider takes.
  const sql = postgres(stack.databaseUrl, { max: 1 })
  await sql`update private.messaging_settings set emails_per_minute = null, texts_per_minute = null`
  await sql.end()
  return {
    project: {
      apiUrl: stack.apiUrl,
      databaseUrl: stack.databaseUrl,
      publishableKey: stack.keys.publishable,
      secretKey: stack.keys.secret,
      local: {
        adminUrl: stack.adminUrl,
        inboxUrl: stack.inboxUrl,
        jwtSecret: stack.keys.jwtSecret,
        logFile,
        pid: process.pid,
      },
    },
    async stop() {
      await stack.stop()
      closeSync(handle)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
