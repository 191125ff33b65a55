import { z } from 'zod'
import { asCaller, type Operation, type Sql } from './database.ts'

const columns = ['name', 'updated_at', 'created_at', 'last_accessed_at'] as const

export const listBody = z.object({
  prefix: z.string().default(''),
  limit: z.number().int().min(1).max(1000).default(100),
  offset: z.number().int().min(0).default(0),
  search: z.string().nullish(),
  sortBy: z
    .object({ column: z.enum(columns).default('name'), order: z.enum(['asc', 'desc']).default('asc') })
    .default({ column: 'name', order: 'asc' }),
})

/** The folders and then the files directly under a prefix that the caller may see. A folder has no id. */
export function listObjects(sql: Sql, operation: Operation, bucket: string, body: z.infer<typeof listBody>) {
  const prefix = body.prefix === '' || body.prefix.endsWith('/') ? body.prefix : `${body.prefix}/`
  const search = `${(body.search ?? '').replace(/[\\%_]/g, '\\$&')}%`
  const direction = body.sortBy.order
  return asCaller(sql, operation, async (transaction) => {
    const order = transaction.unsafe(`${body.sortBy.column} ${direction}`)
    const rows = await transaction`
      with visible as (
        select id, updated_at, created_at, last_accessed_at, metadata, substr(name, ${prefix.length + 1}) as rest
        from storage.objects where bucket_id = ${bucket} and starts_with(name, ${prefix})
      ),
      entries as (
        select split_part(rest, '/', 1) as name, null::uuid as id, null::timestamptz as updated_at,
          null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
        from visible where strpos(rest, '/') > 0 group by 1
        union all
        select rest, id, updated_at, created_at, last_accessed_at, metadata from visible where strpos(rest, '/') = 0
      )
      select * from entries where name ilike ${search}
      order by id is not null, ${order}, name ${transaction.unsafe(direction)}
      limit ${body.limit} offset ${body.offset}`
    return [...rows]
  })
}
