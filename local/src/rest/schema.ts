import type { IntrospectResult } from '@supabase/lite'
import type postgres from 'postgres'

/** Foreign keys whose two tables lie in different schemas, which lite does not tell apart, as `schema.name`. */
export async function readForeignKeysAcrossSchemas(sql: postgres.Sql): Promise<Set<string>> {
  const rows = await sql<{ key: string }[]>`
    select referring.relnamespace::regnamespace::text || '.' || conname as key
    from pg_constraint
    join pg_class referring on referring.oid = conrelid
    join pg_class referred on referred.oid = confrelid
    where contype = 'f' and referring.relnamespace <> referred.relnamespace`
  return new Set(rows.map(({ key }) => key))
}

/**
 * One schema of what is known of the database. lite finds tables, columns and relationships by their bare names, and so
 * took those of another schema's table; PostgREST looks for what is embedded in the schema of the request.
 *
 * Source: `findRel` in src/PostgREST/Plan.hs, which looks relationships up by the request's schema.
 */
export function schemaOf(
  database: IntrospectResult,
  schema: string,
  acrossSchemas: ReadonlySet<string>,
): IntrospectResult {
  const inSchema = <T extends { schema: string }>(items: T[]) =>
    items.filter((item) => item.schema === schema)
  return {
    ...database,
    default_schema: schema,
    tables: inSchema(database.tables),
    views: inSchema(database.views),
    columns: inSchema(database.columns),
    indexes: inSchema(database.indexes),
    primary_keys: inSchema(database.primary_keys),
    unique_constraints: inSchema(database.unique_constraints),
    check_constraints: inSchema(database.check_constraints),
    functions: inSchema(database.functions ?? []),
    foreign_keys: inSchema(database.foreign_keys).filter(
      ({ foreign_key_name }) => !acrossSchemas.has(`${schema}.${foreign_key_name}`),
    ),
  }
}
