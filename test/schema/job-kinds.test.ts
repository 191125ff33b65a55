import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { JOB_KINDS } from '../../functions/_shared/pipeline/job-kinds.ts'
import { withDatabase } from '../../harness/stack/project.ts'
import { ROOT } from '../../scripts/root.ts'

const declared = Object.entries(JOB_KINDS).map(([kind, { worker }]) => ({ kind, worker }))

test('the workers and the database know the same kinds of jobs, and who runs each', async () => {
  await withDatabase(inject('project'), async (sql) => {
    const known = await sql<{ kind: string; worker: string }[]>`
      select kind::text as kind, worker from private.job_kinds order by job_kinds.kind`
    expect([...known]).toEqual(declared)
    const [{ every }] = await sql<[{ every: string[] }]>`
      select enum_range(null::private.job_kind)::text[] as every`
    expect(every).toEqual(Object.keys(JOB_KINDS))
  })
})

test.each(declared)('$worker, which runs $kind, is a function', ({ worker }) => {
  expect(existsSync(join(ROOT, 'functions', worker, 'index.ts'))).toBe(true)
})
