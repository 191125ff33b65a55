import { ask, jsonOf, type Probe, Report, served, type Target } from '../target.ts'

/** What the Data API exposes on purpose. */
const EXPOSED = ['public', 'checkin']

/** Schemas with what no client may see whatever its role. */
const CRITICAL = ['private', 'staff', 'auth', 'vault']

/** What may be called without signing in: the function that PostgREST calls itself. */
const OPEN_PATHS = ['/', '/rpc/check_request']

/** Schemas, tables and functions that are not meant for the Data API, GraphQL, and the platform's own tools. */
export const hiddenSchemas: Probe = async (target) => {
  const report = new Report(target)
  await askForSchemas(target, report)
  await askAsNobody(target, report)
  await askTools(target, report)
  return report
}

async function askForSchemas(target: Target, report: Report): Promise<void> {
  const schemas = await target.database<{ name: string }[]>`
    select nspname as name from pg_namespace where nspname !~ '^pg_(toast|temp)' order by 1`
  for (const { name } of schemas.filter(({ name }) => !EXPOSED.includes(name))) {
    const answer = await ask(target, 'GET', '/rest/v1/probe_nothing?limit=0', {
      token: target.attacker.token,
      headers: { 'accept-profile': name },
    })
    // 404 would mean that the schema is served, and only the table is not there.
    report.attack(
      answer.status !== 406,
      {
        fault: `schema:${name.toLowerCase()}`,
        severity: CRITICAL.includes(name) ? 'critical' : 'high',
        title: `The Data API serves the schema ${name}`,
      },
      answer,
    )
  }
}

async function askAsNobody(target: Target, report: Report): Promise<void> {
  const relations = await target.database<{ schema: string; name: string }[]>`
    select n.nspname as schema, c.relname as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any (${EXPOSED}) and c.relkind in ('r', 'p', 'v', 'm')
    order by 1, 2`
  for (const { schema, name } of relations) {
    const answer = await ask(target, 'GET', `/rest/v1/${name}?limit=0`, {
      headers: { 'accept-profile': schema },
    })
    report.attack(
      served(answer),
      {
        fault: `anon:${schema}.${name}`,
        severity: 'high',
        title: `Whoever is not signed in may read ${schema}.${name}`,
      },
      answer,
    )
  }
  const description = await ask(target, 'GET', '/rest/v1/')
  const open = pathsOf(served(description) ? jsonOf(description) : null).filter(
    (path) => !OPEN_PATHS.includes(path),
  )
  report.attack(
    open.length > 0,
    {
      fault: 'anon:description',
      severity: 'medium',
      title: 'The Data API describes what whoever is not signed in may call',
    },
    { paths: open.join(' ') },
  )
}

async function askTools(target: Target, report: Report): Promise<void> {
  const { token } = target.attacker
  const graphql = await ask(target, 'POST', '/graphql/v1', {
    token,
    body: { query: '{ __schema { queryType { fields { name } } } }' },
  })
  report.attack(
    served(graphql) && /Collection"/.test(graphql.text),
    { fault: 'graphql', severity: 'medium', title: 'GraphQL serves tables, which this project does not use' },
    graphql,
  )
  for (const path of ['/pg/schemas', '/pg/tables', '/rest-admin/v1/ready']) {
    const answer = await ask(target, 'GET', path, { token })
    report.attack(
      served(answer),
      {
        fault: `tool:${path.slice(1)}`,
        severity: 'high',
        title: `A tool of operators is open: ${path}`,
      },
      answer,
    )
  }
}

function pathsOf(description: unknown): string[] {
  if (typeof description !== 'object' || description === null || !('paths' in description)) return []
  const { paths } = description
  return typeof paths === 'object' && paths !== null ? Object.keys(paths) : []
}
