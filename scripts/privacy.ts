import postgres from 'postgres'

type Entry = {
  store: 'relation' | 'bucket' | 'queue'
  name: string
  columns: string[]
  whose: string
  content: string | null
  purpose: string
  erasure: 'delete' | 'anonymize' | 'keep' | null
  reason: string | null
  retention: string | null
  withheld: string | null
}
type Rule = { kind: string; keep: string; shortest: string; starts: string }

const CONTENTS: Readonly<Record<string, string>> = {
  identity: 'Who somebody is',
  contact_details: 'How to reach somebody',
  credentials: 'How somebody signs in',
  choices: 'What somebody chose',
  voice_and_image: 'Recordings and pictures',
  words: 'What somebody said or wrote',
  health: 'Features, scores and risk',
  activity: 'What somebody did, and when',
}

const ERASURES = { delete: 'deleted', anonymize: 'set to null', keep: 'kept' } as const

/** Markdown of docs/privacy.md: the inventory of personal data and the terms, as a migrated database has them. */
export async function generatePrivacyPage(databaseUrl: string): Promise<string> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    const entries = await sql<Entry[]>`
      select store, case store when 'bucket' then relation_name else schema_name || '.' || relation_name end as name, columns,
        whose, content, purpose, erasure, reason, retention, withheld
      from private.personal_data
      order by store, schema_name in ('public', 'checkin', 'private') desc, schema_name, relation_name collate "C", columns`
    const rules = await sql<Rule[]>`
      select r.kind, r.keep::text as keep, r.shortest::text as shortest, r.starts from private.retention_rules r order by r.keep, r.kind collate "C"`
    return pageOf(entries, rules)
  } finally {
    await sql.end()
  }
}

function pageOf(entries: Entry[], rules: Rule[]): string {
  const personal = entries.filter(({ whose }) => whose !== 'nobody')
  const kept = personal.filter(({ erasure }) => erasure === 'keep')
  const lines = [
    '# Privacy',
    '',
    'Made by `npm run data-model` from the inventory in the database, `private.personal_data`: change what the files of `sql/` declare',
    'beside each table, not this page. A test walks the catalog and fails on every column, table, bucket and queue that the inventory does not classify;',
    '`select * from private.personal_data_gaps()` does the same on any project.',
    '',
    '## How long it is kept',
    '',
    'Security administrators change a term with `set_retention`; every change is in the audit log. Everybody who is signed in sees',
    'the terms with `retention_terms`. A term that is shorter than the shortest, on which promises and other parts of the service rely,',
    'is refused. What no term is given for is kept as long as the account.',
    '',
    ...table(
      ['Rule', 'Kept', 'At the shortest', 'From when'],
      rules.map(({ kind, keep, shortest, starts }) => [code(kind), keep, shortest, starts]),
    ),
    ...Object.entries(CONTENTS).flatMap(([content, title]) => section(title, personal, content)),
    '## What erasure keeps',
    '',
    ...table(
      ['Where', 'Why'],
      kept.map(({ name, columns, reason }) => [where(name, columns), reason ?? '']),
    ),
    '## What exports leave out',
    '',
    ...table(
      ['Where', 'Why'],
      entries
        .filter(({ withheld }) => withheld)
        .map(({ name, columns, withheld }) => [where(name, columns), withheld ?? '']),
    ),
    '## Without personal data',
    '',
    ...table(
      ['Where', 'What it is for'],
      entries
        .filter(({ whose }) => whose === 'nobody')
        .map(({ name, columns, purpose }) => [where(name, columns), purpose]),
    ),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function section(title: string, entries: Entry[], content: string): string[] {
  return [
    `## ${title}`,
    '',
    ...table(
      ['Where', 'Whose', 'What for', 'Erasure', 'Retention'],
      entries
        .filter((entry) => entry.content === content)
        .map(({ store, name, columns, whose, purpose, erasure, retention }) => [
          `${where(name, columns)}${store === 'relation' ? '' : `, a ${store}`}`,
          whose.replace('_', ' '),
          purpose,
          erasure ? ERASURES[erasure] : '',
          retention ? code(retention) : '',
        ]),
    ),
  ]
}

function where(name: string, columns: string[]): string {
  return columns.includes('*') ? code(name) : `${code(name)}: ${columns.join(', ')}`
}

function table(head: string[], rows: string[][]): string[] {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line), '']
}

const code = (text: string) => `\`${text}\``
