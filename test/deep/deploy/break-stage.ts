import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import type postgres from 'postgres'
import type { LocalProject } from '../../../harness/stack/project.ts'
import type { Stage } from '../../../scripts/stage/stage.ts'
import type { HostedStage } from './hosted-stage.ts'
import type { MessageProviders } from './message-providers.ts'

/** Where a stage is made wrong. */
export type Ground = {
  project: LocalProject
  hosted: HostedStage
  providers: MessageProviders
  /** As postgres. */
  sql: postgres.Sql
  /** As the database's superuser. */
  admin: postgres.Sql
}

/** One way in which a stage can be wrong. */
export type Misconfiguration = {
  name: string
  /** What the doctor has to find, and nothing else: `id about`. */
  found: string
  /** Makes it wrong, and returns what makes it right again. */
  break(ground: Ground): Promise<() => unknown>
  /** How the doctor looks at the stage. */
  seen?(stage: Stage): Stage
}

export const unset = (stage: Stage, ...names: string[]): Stage => ({
  ...stage,
  settings: Object.fromEntries(Object.entries(stage.settings).filter(([name]) => !names.includes(name))),
})

export function withoutSecret(...names: string[]): Misconfiguration['break'] {
  return async ({ hosted: { api } }) => {
    const before = new Map(api.secrets)
    for (const name of names) api.secrets.delete(name)
    return () => {
      for (const [name, value] of before) api.secrets.set(name, value)
    }
  }
}

export function withSecret(name: string, value: string, updatedAt = new Date()): Misconfiguration['break'] {
  return async ({ hosted: { api } }) => {
    const before = api.secrets.get(name)
    api.secrets.set(name, { value, updatedAt })
    return () => (before ? api.secrets.set(name, before) : api.secrets.delete(name))
  }
}

async function vaultSecret(sql: postgres.Sql, name: string, value: string): Promise<void> {
  await sql`select vault.update_secret(id, ${value}) from vault.secrets where name = ${name}`
}

export function withVault(name: string, value: string): Misconfiguration['break'] {
  return async ({ sql }) => {
    const [before] = await sql`select decrypted_secret from vault.decrypted_secrets where name = ${name}`
    await vaultSecret(sql, name, value)
    return () => vaultSecret(sql, name, before?.decrypted_secret)
  }
}

export function withSetting(
  section: 'auth' | 'api' | 'realtime',
  name: string,
  value: unknown,
): Misconfiguration['break'] {
  return async ({ hosted: { api } }) => {
    const before = api.settings[section][name]
    api.settings[section][name] = value
    return () => {
      api.settings[section][name] = before
    }
  }
}

/** The same wrong value in config.toml and on the stage, as after a deployment of it. */
export function deployedSetting(
  from: string,
  to: string,
  name: string,
  value: unknown,
): Misconfiguration['break'] {
  return async (ground) => {
    const file = join(ground.hosted.workdir, 'supabase', 'config.toml')
    const before = await readFile(file, 'utf8')
    if (!before.includes(from)) throw new Error(`config.toml has no ${from}`)
    await writeFile(file, before.replace(from, to))
    const undo = await withSetting('auth', name, value)(ground)
    return async () => {
      undo()
      await writeFile(file, before)
    }
  }
}

export function withFunction(slug: string, change: Record<string, unknown>): Misconfiguration['break'] {
  return async ({ hosted: { api } }) => {
    const before = api.functions.get(slug)
    if (!before) throw new Error(`${slug} is not deployed`)
    api.functions.set(slug, { ...before, ...change })
    return () => api.functions.set(slug, before)
  }
}

export const storageOf = ({ project }: Ground) =>
  createClient(project.apiUrl, project.secretKey, { auth: { persistSession: false } }).storage

export function withObject(name: string, content: string | null): Misconfiguration['break'] {
  return async (ground) => {
    const bucket = storageOf(ground).from('analysis-assets')
    const { data: before } = await bucket.download(name)
    if (!before) throw new Error(`There is no ${name}`)
    if (content === null) await bucket.remove([name])
    else await bucket.upload(name, new Blob([content]), { upsert: true })
    return () => bucket.upload(name, before, { upsert: true })
  }
}

/** Runs a statement as postgres, and another to undo it. */
export function statement(
  broken: string,
  mended: string,
  as: 'sql' | 'admin' = 'sql',
): Misconfiguration['break'] {
  return async (ground) => {
    await ground[as].unsafe(broken)
    return () => ground[as].unsafe(mended)
  }
}

/** The stage's functions, of which one answers something else. */
export function throughProxy(
  path: string,
  respond: { status: number; type: string },
): Pick<Misconfiguration, 'break' | 'seen'> {
  let address = ''
  return {
    async break({ project }) {
      const proxy = createServer(async (request, response) => {
        if (request.url === path) {
          response.writeHead(respond.status, { 'content-type': respond.type })
          return response.end('{}')
        }
        const passed = await fetch(`${project.apiUrl}/functions/v1${request.url}`, {
          method: request.method ?? 'GET',
        })
        response.writeHead(passed.status, {
          'content-type': passed.headers.get('content-type') ?? 'text/plain',
        })
        response.end(await passed.text())
      })
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
      const { port } = proxy.address() as AddressInfo
      address = `http://127.0.0.1:${port}`
      return () => proxy.close()
    },
    seen: (stage) => ({
      ...stage,
      functionsUrl: address,
      settings: { ...unset(stage, 'TWILIO_FROM').settings, FUNCTIONS_URL: stage.functionsUrl },
    }),
  }
}
