import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { connect } from '../../../functions/_shared/database.ts'
import { startPooler, withPgBouncer } from '../../../harness/stack/pooler.ts'

const project = inject('project')

test(
  'statements of many functions share few connections of a pooler in transaction mode',
  withPgBouncer,
  async () => {
    const pooler = await startPooler(project.databaseUrl, 3)
    const address = { url: pooler.url, certificateAuthority: undefined }
    const functions = Array.from({ length: 30 }, (_, place) => connect(address, `function-${place}`))
    try {
      const rounds = await Promise.all(
        functions.flatMap((database, place) =>
          Array.from({ length: 10 }, async (_, round) => {
            const [row] = await database`select ${place}::int as place, ${[round, place]}::int[] as pair`
            return row
          }),
        ),
      )
      expect(rounds).toEqual(
        functions.flatMap((_, place) =>
          Array.from({ length: 10 }, (_, round) => ({ place, pair: [round, place] })),
        ),
      )
      const { clients, servers } = await pooler.connections()
      expect(clients).toBe(30)
      expect(servers).toBeLessThanOrEqual(3)
    } finally {
      await Promise.all(functions.map((database) => database.end()))
      await pooler.stop()
    }
  },
)

test(
  'statements of every kind that come at once on one connection of a pooler all end',
  withPgBouncer,
  async () => {
    const pooler = await startPooler(project.databaseUrl, 3)
    const database = connect({ url: pooler.url, certificateAuthority: undefined }, 'mixed')
    try {
      const takeTurns = async (turn: number) => {
        for (let round = 0; round < 20; round++) {
          const [first] = await database`select 1 as one`
          const [second] = await database`select ${turn}::int as turn`
          const [third] =
            await database`select make_interval(secs => ${null}) as nothing, ${'text'}::text as text`
          expect({ ...first, ...second, ...third }).toEqual({ one: 1, turn, nothing: null, text: 'text' })
        }
        return 'ended'
      }
      expect(await Promise.all([1, 2, 3, 4].map(takeTurns))).toEqual(Array(4).fill('ended'))
    } finally {
      await database.end({ timeout: 1 })
      await pooler.stop()
    }
  },
)

test(
  'a pooler that demands TLS gets it, and its certificate is verified against the authority',
  withPgBouncer,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
    chmodSync(folder, 0o755)
    const [certificateFile, keyFile] = [join(folder, 'server.crt'), join(folder, 'server.key')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        ...subject,
        '-keyout',
        keyFile,
        '-out',
        certificateFile,
      ],
      { stdio: 'ignore' },
    )
    chmodSync(keyFile, 0o644)
    const pooler = await startPooler(project.databaseUrl, 2, { certificateFile, keyFile })
    const demanding = `${pooler.url}?sslmode=require`
    const one = async (url: string, certificateAuthority?: string) => {
      const database = connect({ url, certificateAuthority }, 'tls')
      try {
        return (await database`select 1 as one`)[0]?.one
      } finally {
        await database.end()
      }
    }
    try {
      await expect(one(pooler.url)).rejects.toThrow(/SSL required/i)
      expect(await one(demanding)).toBe(1)
      expect(await one(pooler.url, readFileSync(certificateFile, 'utf8'))).toBe(1)
      const other = readFileSync(certificateFile, 'utf8').replace(/\n[A-Za-z0-9+/]{64}\n/, '\n')
      await expect(one(pooler.url, other)).rejects.toThrow()
      await expect(one(`${pooler.url}?sslmode=verify-full`)).rejects.toThrow(/self-signed/i)
    } finally {
      await pooler.stop()
      rmSync(folder, { recursive: true })
    }
  },
)
