import { describe, expect, test } from 'vitest'
import { projectFromOutside } from '../../../harness/stack/project-from-outside.ts'

const settings = {
  SUPABASE_URL: 'http://127.0.0.1:54321/',
  SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_invented',
  SUPABASE_SECRET_KEY: 'sb_secret_invented',
  DATABASE_URL: 'postgresql://postgres:postgres@127.0.0.1:54322/postgres',
}

describe('the project that the tests run against', () => {
  test('is a stack of their own where the environment names none', () => {
    expect(projectFromOutside({ PATH: '/bin' })).toBeNull()
  })

  test('is the one that the environment names, with nothing that only a local stack has', () => {
    expect(projectFromOutside(settings)).toEqual({
      apiUrl: 'http://127.0.0.1:54321',
      databaseUrl: settings.DATABASE_URL,
      publishableKey: 'sb_publishable_invented',
      secretKey: 'sb_secret_invented',
      local: null,
    })
  })

  test.each(Object.keys(settings))('cannot be named without %s', (name) => {
    expect(() => projectFromOutside({ ...settings, [name]: '' })).toThrow(`${name} must be set too`)
  })

  test('has an address', () => {
    expect(() => projectFromOutside({ ...settings, SUPABASE_URL: 'localhost' })).toThrow('SUPABASE_URL')
    expect(() => projectFromOutside({ ...settings, DATABASE_URL: 'http://x' })).toThrow('DATABASE_URL')
  })
})
