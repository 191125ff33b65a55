import postgres from 'postgres'
import { expect, inject, test } from 'vitest'
import { connect, type Database } from '../../../functions/_shared/database.ts'
import { localOnly, localStack } from '../../../harness/stack/project.ts'

test(
  'a function that knows the next password goes on while it replaces the first',
  localOnly('makes a role'),
  async () => {
    const role = `rotated_${crypto.randomUUID().replaceAll('-', '')}`
    const admin = postgres(localStack().adminUrl, { max: 1, onnotice: () => {} })
    await admin.unsafe(`create role ${role} login password 'first'`)
    const url = inject('project').databaseUrl.replace('postgres:postgres@', `${role}:first@`)
    const signsIn = async (nextPassword?: string) => {
      const database: Database = connect({ url, certificateAuthority: undefined, nextPassword }, 'test')
      const [row] = await database`select current_user as name`.finally(() => database.end())
      return row?.name
    }
    try {
      expect(await signsIn('second')).toBe(role)
      await admin.unsafe(`alter role ${role} password 'second'`)
      expect(await signsIn('second')).toBe(role)
      await expect(signsIn()).rejects.toMatchObject({ code: '28P01' })
    } finally {
      await admin.unsafe(`drop role ${role}`)
      await admin.end()
    }
  },
)
