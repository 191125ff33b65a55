import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPlatformDatabase, withScratchServer } from 'local-supabase'
import postgres from 'postgres'
import { generatePrivacyPage } from './privacy.ts'
import { ROOT } from './root.ts'
import { declaredFiles, pushMigrations } from './schema.ts'

const ROLES = ['anon', 'authenticated', 'service_role']
const ACTIONS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const

type Catalog = Awaited<ReturnType<typeof readCatalog>>
type Relation = Catalog['relations'][number]
type Declared = { file: string; kind: string; name: string }

/** Markdown of docs/data-model.md: what the catalog of a migrated database says, in the order of the files of `sql/`. */
export async function generateDataModel(databaseUrl: string): Promise<string> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    // With no search path, the catalog qualifies every name.
    await sql`select set_config('search_path', '', false)`
    return pageOf(await readCatalog(sql), declaredObjects())
  } finally {
    await sql.end()
  }
}

function pageOf(catalog: Catalog, declared: Declared[]): string {
  const subjectOf = ({ file }: Declared) => file.split('/')[1] ?? ''
  const sections = [...Map.groupBy(declared, subjectOf)].flatMap(([subject, objects]) =>
    subjectSection(subject, catalog, objects),
  )
  const lines = [
    '# Data model',
    '',
    'Made by `npm run data-model` from the catalog of a migrated database: change `sql/` and `policies/`, not this page.',
    '',
    'The diagrams show only keys. Each table is followed by who may do what: the policies, with the columns where a grant is',
    'limited to some. `authenticated` is anybody signed in; `service_role` is the secret key, which no policy restricts. What',
    'is not mentioned is denied. Edge functions connect as the database owner and call the functions of the schema `private`.',
    '',
    '## Schemas',
    '',
    ...table(
      ['Schema', 'Contents'],
      catalog.schemas.map(({ name, comment }) => [code(name), comment]),
    ),
    ...sections,
    '## Storage and Realtime',
    '',
    'Policies on tables of the platform.',
    '',
    ...table(
      ['Table', 'Action', 'Role', 'Policy'],
      catalog.policies
        .filter(({ schema }) => schema === 'storage' || schema === 'realtime')
        .map(({ relation, action, roles, name }) => [
          code(relation),
          action.toLowerCase(),
          roles.join(', '),
          name,
        ]),
    ),
    '## Cron jobs',
    '',
    ...table(
      ['Job', 'Schedule', 'Statement'],
      catalog.jobs.map(({ name, schedule, command }) => [code(name), code(schedule), code(command.trim())]),
    ),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function subjectSection(subject: string, catalog: Catalog, declared: Declared[]): string[] {
  const title = subject.charAt(0).toUpperCase() + subject.slice(1).replaceAll('-', ' ')
  const types = declared.flatMap(({ name }) => catalog.enums.filter((type) => type.name === name))
  const relations = declared.flatMap(({ file, name }) =>
    catalog.relations.filter((relation) => relation.name === name).map((relation) => ({ file, relation })),
  )
  const functions = declared.flatMap(({ kind, file, name }) =>
    catalog.functions
      .filter((item) => kind === 'function' && item.name === name)
      .map((item) => ({ file, ...item })),
  )
  return [
    `## ${title}`,
    '',
    ...diagram(
      catalog,
      relations.map(({ relation }) => relation),
    ),
    ...relations.flatMap(({ file, relation }) => relationSection(catalog, file, relation)),
    ...titledTable(
      '### Types',
      ['Type', 'Values', 'Description'],
      types.map(({ name, labels, comment }) => [code(name), labels.map(code).join(', '), comment]),
    ),
    ...titledTable(
      '### Functions',
      ['Function', 'Executed by', 'Description'],
      functions.map(({ name, args, result, roles, comment }) => [
        code(`${name}(${args})${result === 'trigger' ? '' : ` → ${result}`}`),
        result === 'trigger' ? 'trigger' : ['owner', ...roles].join(', '),
        comment,
      ]),
    ),
  ]
}

function relationSection(catalog: Catalog, file: string, relation: Relation): string[] {
  const columns = catalog.columns.filter(({ relation: name }) => name === relation.name)
  const isView = relation.kind === 'v'
  return [
    `### ${relation.name}`,
    '',
    `${relation.comment} ${isView ? 'A view of' : 'In'} \`${file}\`.`,
    '',
    ...table(
      isView ? ['Column', 'Type'] : ['Column', 'Type', 'Null', 'Description'],
      columns.map(({ name, type, nullable, comment, target }) =>
        isView
          ? [code(name), type]
          : [code(name), type, nullable ? 'yes' : 'no', target ? `${comment} → ${code(target)}` : comment],
      ),
    ),
    ...accessTable(catalog, relation),
  ]
}

/** Who may do what with the rows of a table or view. */
function accessTable(catalog: Catalog, relation: Relation): string[] {
  const rows = ROLES.map((role) => [
    code(role),
    ...ACTIONS.map((action) => {
      const grant = catalog.grants.find(
        (item) => item.relation === relation.name && item.role === role && item.action === action,
      )
      if (!grant) return ''
      const policies = catalog.policies.filter(
        (policy) =>
          policy.relation === relation.name && policy.action === action && policy.roles.includes(role),
      )
      const rows = rowsReached(role, relation, policies)
      return grant.columns ? `${rows} (${grant.columns.map(code).join(', ')})` : rows
    }),
  ]).filter(([, ...cells]) => cells.some((cell) => cell !== ''))
  if (rows.length === 0) return ['Only the owner reads and writes it.', '']
  return table(['Role', 'Select', 'Insert', 'Update', 'Delete'], rows)
}

function rowsReached(role: string, relation: Relation, policies: { name: string }[]): string {
  if (role === 'service_role') return 'all rows'
  if (relation.kind === 'v') return 'as in its tables'
  return policies.map(({ name }) => name).join('; ') || 'no rows'
}

function diagram(catalog: Catalog, relations: Relation[]): string[] {
  const tables = relations.filter(({ kind }) => kind !== 'v')
  if (tables.length === 0) return []
  const entity = (name: string) => `"${name}"`
  const keys = tables.map(({ name }) => {
    const columns = catalog.columns
      .filter((column) => column.relation === name && (column.primary || column.target))
      .map((column) => {
        const marks = [...(column.primary ? ['PK'] : []), ...(column.target ? ['FK'] : [])]
        return `    ${column.type.replaceAll(/[^a-z0-9_]+/gi, '_')} ${column.name} ${marks.join(', ')}`
      })
    return [`  ${entity(name)} {`, ...columns, '  }']
  })
  const names = new Set(tables.map(({ name }) => name))
  const references = catalog.references
    .filter(({ relation }) => names.has(relation))
    .map(
      ({ relation, target, columns, nullable, single }) =>
        `  ${entity(target)} ${nullable ? '|o' : '||'}--${single ? 'o|' : 'o{'} ${entity(relation)} : ${columns.join('_')}`,
    )
  return ['```mermaid', 'erDiagram', ...references, ...keys.flat(), '```', '']
}

function titledTable(title: string, head: string[], rows: string[][]): string[] {
  return rows.length === 0 ? [] : [title, '', ...table(head, rows)]
}

function table(head: string[], rows: string[][]): string[] {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line), '']
}

const code = (text: string) => `\`${text}\``

/** What the files of `sql/` create, in their order. */
function declaredObjects(): Declared[] {
  return declaredFiles().flatMap((file) =>
    [
      ...readFileSync(join(ROOT, file), 'utf8').matchAll(
        /^create (table|view|type|function) ([a-z_]+\.[a-z_0-9]+)/gm,
      ),
    ].map(([, kind = '', name = '']) => ({ file, kind, name })),
  )
}

async function readCatalog(sql: postgres.Sql) {
  const schemas = await sql<{ name: string; comment: string }[]>`
    select nspname as name, coalesce(obj_description(oid, 'pg_namespace'), '') as comment
    from pg_namespace
    where nspname in ('public', 'checkin', 'private')
    order by array_position(array['public', 'checkin', 'private'], nspname::text)`
  const relations = await sql<{ name: string; kind: string; comment: string }[]>`
    select c.oid::regclass::text as name, c.relkind as kind, obj_description(c.oid, 'pg_class') as comment
    from pg_class c
    where c.relnamespace in ('public'::regnamespace, 'checkin'::regnamespace, 'private'::regnamespace)
      and c.relkind in ('r', 'v')`
  const columns = await sql<
    {
      relation: string
      name: string
      type: string
      nullable: boolean
      comment: string
      primary: boolean
      target: string | null
    }[]
  >`
    select
      c.oid::regclass::text as relation,
      a.attname as name,
      format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull as nullable,
      coalesce(col_description(c.oid, a.attnum), '') as comment,
      exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p' and a.attnum = any (k.conkey)) as primary,
      (
        select k.confrelid::regclass || '.' || t.attname
        from pg_constraint k
        join pg_attribute t on t.attrelid = k.confrelid and t.attnum = k.confkey[array_position(k.conkey, a.attnum)]
        where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey)
        order by k.conname
        limit 1
      ) as target
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    where c.relnamespace in ('public'::regnamespace, 'checkin'::regnamespace, 'private'::regnamespace)
      and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped
    order by c.oid, a.attnum`
  const references = await sql<
    { relation: string; target: string; columns: string[]; nullable: boolean; single: boolean }[]
  >`
    select
      k.conrelid::regclass::text as relation,
      k.confrelid::regclass::text as target,
      array(
        select a.attname::text from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any (k.conkey) order by a.attnum
      ) as columns,
      exists (
        select from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any (k.conkey) and not a.attnotnull
      ) as nullable,
      exists (
        select from pg_constraint u where u.conrelid = k.conrelid and u.contype in ('p', 'u') and u.conkey <@ k.conkey
      ) as single
    from pg_constraint k
    where k.contype = 'f'
      and k.connamespace in ('public'::regnamespace, 'checkin'::regnamespace, 'private'::regnamespace)
    order by 1, k.conname`
  const enums = await sql<{ name: string; labels: string[]; comment: string }[]>`
    select
      t.oid::regtype::text as name,
      array(select e.enumlabel::text from pg_enum e where e.enumtypid = t.oid order by e.enumsortorder) as labels,
      coalesce(obj_description(t.oid, 'pg_type'), '') as comment
    from pg_type t
    where t.typtype = 'e'
      and t.typnamespace in ('public'::regnamespace, 'checkin'::regnamespace, 'private'::regnamespace)`
  const functions = await sql<
    { name: string; args: string; result: string; roles: string[]; comment: string }[]
  >`
    select
      p.pronamespace::regnamespace || '.' || p.proname as name,
      pg_get_function_identity_arguments(p.oid) as args,
      pg_get_function_result(p.oid) as result,
      array(select r from unnest(${ROLES}::text[]) r where has_function_privilege(r, p.oid, 'execute')) as roles,
      coalesce(obj_description(p.oid, 'pg_proc'), '') as comment
    from pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'checkin'::regnamespace, 'private'::regnamespace)`
  const policies = await sql<
    { schema: string; relation: string; action: string; roles: string[]; name: string }[]
  >`
    select
      schemaname as schema, schemaname || '.' || tablename as relation, cmd as action, roles::text[] as roles, policyname as name
    from pg_policies
    where schemaname in ('public', 'checkin', 'private', 'storage', 'realtime')
    order by 1, 2, 3, 5`
  const grants = await sql<{ relation: string; role: string; action: string; columns: string[] | null }[]>`
    select
      c.oid::regclass::text as relation,
      role,
      action,
      case when not has_table_privilege(role, c.oid, action) then array(
        select a.attname::text
        from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and has_column_privilege(role, c.oid, a.attnum, action)
        order by a.attnum
      ) end as columns
    from pg_class c, unnest(${ROLES}::text[]) role, unnest(${[...ACTIONS]}::text[]) action
    where c.relnamespace in ('public'::regnamespace, 'checkin'::regnamespace, 'private'::regnamespace)
      and c.relkind in ('r', 'v')
      and case
        when action = 'DELETE' then has_table_privilege(role, c.oid, action)
        else has_any_column_privilege(role, c.oid, action)
      end`
  const jobs = await sql<{ name: string; schedule: string; command: string }[]>`
    select jobname as name, schedule, command from cron.job order by jobname`
  return { schemas, relations, columns, references, enums, functions, policies, grants, jobs }
}

/** `npm run data-model`: writes docs/data-model.md and docs/privacy.md. */
if (import.meta.main) {
  await withScratchServer(async (adminUrl) => {
    const migrated = await buildPlatformDatabase(adminUrl, 'migrated')
    await pushMigrations(migrated)
    writeFileSync(join(ROOT, 'docs', 'data-model.md'), await generateDataModel(migrated.url))
    writeFileSync(join(ROOT, 'docs', 'privacy.md'), await generatePrivacyPage(migrated.url))
  })
}
