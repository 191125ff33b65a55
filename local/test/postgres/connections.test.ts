import postgres from 'postgres'
import { expect, test } from 'vitest'
import { listen } from '../../src/postgres/connections.ts'
import { startTestCluster } from './cluster.ts'

test('a listener is told that it has connected before the first notification, however soon that comes', async () => {
  const cluster = await startTestCluster()
  const { adminUrl } = cluster.server
  const sql = postgres(adminUrl, { max: 2, onnotice: () => {} })
  const heard: (string | undefined)[] = []
  try {
    await sql`create table enough ()`
    const speech = sql
      .unsafe(`
        do $$ begin
          loop
            perform pg_notify('spoken', '');
            commit;
            exit when exists (select from enough);
          end loop;
        end $$`)
      .execute()
    const listener = listen(adminUrl, 'spoken', (payload) => heard.push(payload))
    while (heard.length < 2) {
      // A process that has other work to do reads the reply to `listen` together with what follows it.
      const ends = performance.now() + 30
      while (performance.now() < ends);
      await new Promise((resolve) => setImmediate(resolve))
    }
    await sql`insert into enough default values`
    await speech
    await listener.stop()
    expect(heard[0]).toBeUndefined()
    expect(heard.filter((payload) => payload === undefined)).toHaveLength(1)
  } finally {
    await sql.end({ timeout: 1 })
    await cluster.stop()
  }
})
