import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from 'local-supabase'
import type { TestProject } from 'vitest/node'
import { startStack } from '../../demo/stack.ts'

/** Where the tests find the stack that was started for them. */
export type TestStack = {
  apiUrl: string
  databaseUrl: string
  adminUrl: string
  inboxUrl: string
  publishableKey: string
  secretKey: string
  jwtSecret: string
  /** Lines that the stack logged, for tests that look for personal data in them. */
  logFile: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    stack: TestStack
  }
}

/** Boots a stack of its own on free ports, in a temporary folder, for one test run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stack-'))
  const logFile = join(dataDir, 'stack.log')
  const log = createLog(logFile)
  const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
  const stack = await startStack(
    { port, dbPort, inboxPort, dataDir, reset: false, watch: false, durable: false },
    { progress: log.line, log: log.line },
  )
  project.provide('stack', {
    apiUrl: stack.apiUrl,
    databaseUrl: stack.databaseUrl,
    adminUrl: stack.adminUrl,
    inboxUrl: stack.inboxUrl,
    publishableKey: stack.keys.publishable,
    secretKey: stack.keys.secret,
    jwtSecret: stack.keys.jwtSecret,
    logFile,
  })
  return async () => {
    await stack.stop()
    log.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function createLog(file: string): { line(text: string): void; close(): void } {
  const handle = openSync(file, 'a')
  return { line: (text) => writeSync(handle, `${text}\n`), close: () => closeSync(handle) }
}
