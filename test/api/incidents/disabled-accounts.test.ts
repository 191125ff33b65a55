import { expect, inject, test } from 'vitest'
import { newStudent } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'
import { connect, Racer } from '../../../harness/stack/racer.ts'

const project = inject('project')

test('whoever enables an account in the grid does not end who enables it in Auth at the same moment', async () => {
  const { id } = await newStudent(project)
  const auth = await connect(project.databaseUrl)
  const grid = await connect(project.databaseUrl)
  await withDatabase(project, async (sql) => {
    await sql`insert into private.disabled_accounts (account, reason) values (${id}, 'As somebody typed')`
    // As Auth does, whose change of the account has begun.
    await auth.sql`begin`
    await auth.sql`select from auth.users where id = ${id} for no key update`
    const racer = new Racer(
      sql,
      grid,
      'the grid',
      () => grid.sql`delete from private.disabled_accounts where account = ${id}`,
    )
    await racer.open()
    racer.go()
    await racer.isBlockedOrDone()
    await auth.sql`update auth.users set banned_until = null where id = ${id}`
    await auth.sql`commit`
    // Refused at once, to be tried again.
    expect(await racer.ended).toBe('55P03')
    expect([
      ...(await sql`
        select u.banned_until, d.account
        from auth.users u
        left join private.disabled_accounts d on d.account = u.id
        where u.id = ${id}`),
    ]).toEqual([{ banned_until: null, account: null }])
  }).finally(() => Promise.all([auth.sql.end(), grid.sql.end()]))
})
