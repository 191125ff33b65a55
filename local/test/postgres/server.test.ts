import { spawn } from 'node:child_process'
import net from 'node:net'
import path from 'node:path'
import postgres from 'postgres'
import { afterEach, describe, expect, it } from 'vitest'
import { removeCluster, startPostgres } from '../../src/postgres/server.ts'
import { eventually, freePort, temporaryFolder } from './cluster.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function folderForCluster(): string {
  const { folder, remove } = temporaryFolder()
  cleanups.push(remove)
  return path.join(folder, 'data')
}

async function start(dataDir: string, port: number, log: (line: string) => void = () => {}) {
  const server = await startPostgres({ dataDir, port, log, durable: false })
  cleanups.push(() => server.stop())
  return server
}

async function query(url: string, text: string): Promise<postgres.Row[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return [...(await sql.unsafe(text))]
  } finally {
    await sql.end()
  }
}

describe('startPostgres', () => {
  it('listens on 127.0.0.1, as a role that is not a superuser', async () => {
    const server = await start(folderForCluster(), await freePort())
    const [row] = await query(
      server.url,
      `select current_user::text as name, rolsuper, rolcreaterole, rolbypassrls, rolreplication, rolcreatedb
       from pg_roles where rolname = current_user`,
    )
    expect(row).toEqual({
      name: 'postgres',
      rolsuper: false,
      rolcreaterole: true,
      rolbypassrls: true,
      rolreplication: true,
      rolcreatedb: true,
    })
  })

  it('keeps its data between starts', async () => {
    const dataDir = folderForCluster()
    const port = await freePort()
    const first = await start(dataDir, port)
    await query(first.adminUrl, 'create table kept as select 7 as seven')
    await first.stop()
    const second = await start(dataDir, await freePort())
    expect(await query(second.adminUrl, 'select seven from kept')).toEqual([{ seven: 7 }])
  })

  it('is running again, with every committed row, after it was killed', async () => {
    const lines: string[] = []
    const server = await start(folderForCluster(), await freePort(), (line) => lines.push(line))
    await query(server.adminUrl, 'create table kept as select 7 as seven')
    const killed = server.pid()
    if (!killed) throw new Error('not running')
    process.kill(killed, 'SIGKILL')
    const rows = await eventually(
      async () => server.pid() !== killed && query(server.adminUrl, 'select * from kept'),
    )
    expect(rows).toEqual([{ seven: 7 }])
    expect(lines.join('\n')).toContain('started again')
  })

  it('is running again although a statement of a killed server still runs', async () => {
    const server = await start(folderForCluster(), await freePort())
    await query(server.adminUrl, 'create table kept as select 7 as seven')
    const busy = query(server.adminUrl, 'select count(*) from generate_series(1, 1e12)').catch(() => {})
    const active = `select from pg_stat_activity where query like '%1e12)' and state = 'active'`
    await eventually(async () => (await query(server.adminUrl, active)).length > 0)
    const killed = server.pid()
    if (killed) process.kill(killed, 'SIGKILL')
    await eventually(async () => server.pid() !== undefined && server.pid() !== killed)
    expect(await eventually(() => query(server.adminUrl, 'select * from kept'))).toEqual([{ seven: 7 }])
    await busy
  })

  it('starts again after its supervisor was killed and left it running', async () => {
    const dataDir = folderForCluster()
    const port = await freePort()
    const module = path.resolve(import.meta.dirname, '../../src/postgres/server.ts')
    const script = `
      import { startPostgres } from ${JSON.stringify(module)}
      const server = await startPostgres({
        dataDir: ${JSON.stringify(dataDir)}, port: ${port}, log: () => {}, durable: false })
      console.log(server.pid())
      setInterval(() => {}, 1000)`
    const supervisor = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const orphan = await new Promise<number>((resolve) => {
      supervisor.stdout.once('data', (chunk) => resolve(Number(chunk)))
    })
    await expect(start(dataDir, port)).rejects.toThrow(`already running (process ${supervisor.pid})`)
    const exited = new Promise((resolve) => supervisor.once('exit', resolve))
    supervisor.kill('SIGKILL')
    await exited
    const server = await start(dataDir, port)
    expect(server.pid()).not.toBe(orphan)
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('rejects a port that is taken, naming it and what to do', async () => {
    const taken = net.createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => new Promise((resolve) => taken.close(resolve)))
    const address = taken.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const dataDir = folderForCluster()
    const attempt = startPostgres({
      dataDir,
      port,
      log: () => {},
      portHint: 'Choose another with --db-port.',
    })
    await expect(attempt).rejects.toThrow(
      `Port ${port} for Postgres is taken. Choose another with --db-port.`,
    )
  })

  it('rejects to start, or to remove, a cluster that it already runs', async () => {
    const dataDir = folderForCluster()
    await start(dataDir, await freePort())
    await expect(start(dataDir, await freePort())).rejects.toThrow('already running')
    expect(() => removeCluster(dataDir)).toThrow('already running')
  })

  it('starts anew after the cluster was removed', async () => {
    const dataDir = folderForCluster()
    const port = await freePort()
    const first = await start(dataDir, port)
    await query(first.adminUrl, 'create table gone ()')
    await first.stop()
    removeCluster(dataDir)
    const second = await start(dataDir, port)
    expect(await query(second.adminUrl, `select to_regclass('gone') as found`)).toEqual([{ found: null }])
  })
})
