import { afterAll, describe, expect, test } from 'vitest'
import { connect, type Database } from '../../../functions/_shared/database.ts'
import { readEnvironment } from '../../../functions/_shared/http/environment.ts'
import { connectTo } from '../../../scripts/database.ts'

const direct = 'postgresql://postgres:invented@db.invented.supabase.co:5432/postgres'
const pooled = 'postgresql://postgres.invented:invented@pooler.example.edu:6543/postgres'
const authority = '-----BEGIN CERTIFICATE-----\ninvented\n-----END CERTIFICATE-----'

/** What every function needs, with these settings besides. */
function environment(settings: Record<string, string> = {}) {
  return readEnvironment({
    SUPABASE_URL: 'https://invented.supabase.co',
    SUPABASE_DB_URL: direct,
    SUPABASE_SECRET_KEYS: '{"default":"invented-secret-key"}',
    SUPABASE_PUBLISHABLE_KEYS: '{"default":"invented-publishable-key"}',
    ...settings,
  })
}

describe('the database of the functions', () => {
  test('is reached over the pooler where one is named, and directly otherwise', () => {
    expect(environment().database.url).toBe(direct)
    expect(environment({ DATABASE_POOL_URL: pooled }).database.url).toBe(pooled)
  })

  test.each([
    ['DATABASE_POOL_URL', 'pooler.example.edu:6543'],
    ['DATABASE_POOL_URL', 'https://pooler.example.edu'],
    ['DATABASE_CA_CERTIFICATE', '/etc/ssl/authority.pem'],
  ])('a setting %s of another form (%s) is an error that names it', (name, value) => {
    expect(() => environment({ [name]: value })).toThrow(name)
  })
})

describe('a key of the project', () => {
  const keys = { SUPABASE_SECRET_KEYS: '{"default":"old","october":"new"}' }

  test('is the one with the name that is set, so that another can replace it', () => {
    expect(environment(keys).secretKey).toBe('old')
    expect(environment({ ...keys, PROJECT_KEY_NAME: 'october' }).secretKey).toBe('new')
  })

  test('is the default one where the platform has none of that name yet', () => {
    expect(environment({ ...keys, PROJECT_KEY_NAME: 'november' }).secretKey).toBe('old')
  })

  test('is missing where neither is there', () => {
    expect(() => environment({ SUPABASE_SECRET_KEYS: '{"october":"new"}' })).toThrow('SUPABASE_SECRET_KEYS')
  })
})

describe('a connection', () => {
  const made: Database[] = []
  /** Nothing is opened: a connection is, by the first statement that is awaited. */
  const options = (url: string, certificateAuthority?: string, connections?: number) => {
    const database = connect({ url, certificateAuthority }, 'test', connections)
    made.push(database)
    return database.options
  }
  afterAll(() => Promise.all(made.map((database) => database.end())))

  test.each<[string, string, string | undefined, unknown]>([
    ['over a public network', direct, undefined, 'require'],
    ['to an address of version 6', 'postgresql://p:p@[2600:1f18::1]:5432/postgres', undefined, 'require'],
    ['within one machine', 'postgresql://p:p@127.0.0.1:54322/postgres', undefined, false],
    ['within a network of containers', 'postgresql://p:p@db:5432/postgres', undefined, false],
    ['whose address decides', `${direct}?sslmode=verify-full`, undefined, 'verify-full'],
    ['whose authority is named', pooled, authority, { ca: authority }],
  ])('%s is encrypted as it should be', (_, url, certificateAuthority, ssl) => {
    expect(options(url, certificateAuthority).ssl).toEqual(ssl)
  })

  test('of an operator’s command is encrypted as those of the functions are', async () => {
    const [outside, inside] = [connectTo(direct), connectTo('postgresql://p:p@127.0.0.1:54322/postgres')]
    expect(outside.options.ssl).toBe('require')
    expect(inside.options.ssl).toBe(false)
    await Promise.all([outside.end(), inside.end()])
  })

  test('is one for a worker, prepares nothing, and is given back when idle', () => {
    expect(options(pooled)).toMatchObject({ max: 1, prepare: false, idle_timeout: 5 })
    expect(options(pooled, undefined, 2).max).toBe(2)
  })
})
