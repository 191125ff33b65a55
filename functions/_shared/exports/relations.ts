import type { Database } from '../database.ts'
import type { FeatureDefinition } from '../features/definition.ts'
import { FEATURES } from '../features/features.ts'
import type { Volume } from './volume.ts'

/** A row as the database has it. */
export type Row = Readonly<Record<string, unknown>>

/** A column with what the inventory says of it. */
export type ExportedColumn = {
  schema_name: string
  relation_name: string
  column_name: string
  type: string
  /** The column's comment; null for the platform's own tables. */
  meaning: string | null
  whose: string
  purpose: string
  /** The rule after which it is deleted; null when it is kept as long as the account. */
  retention: string | null
}

/** A table of which an export has the person's rows. */
export type ExportedRelation = { schema: string; name: string; columns: ExportedColumn[] }

/** A line of the dictionary. */
export type DictionaryEntry = {
  table: string
  column: string
  type: string
  meaning: string
  unit: string
  least: number | null
  greatest: number | null
  method: string
  purpose: string
  kept: string
}

/** Every table of the inventory that has rows of people, in the order of its columns. */
export async function exportedRelations(database: Database): Promise<ExportedRelation[]> {
  const columns = await database<ExportedColumn[]>`
    select c.schema_name, c.relation_name, c.column_name, c.type, c.meaning, c.whose::text, c.purpose,
      (select r.kind || ': ' || r.keep::text from private.retention_rules r where r.kind = c.retention) as retention
    from private.exported_columns c
    order by c.schema_name, c.relation_name, c.place`
  const relations = new Map<string, ExportedRelation>()
  for (const column of columns) {
    const name = `${column.schema_name}.${column.relation_name}`
    const relation = relations.get(name) ?? {
      schema: column.schema_name,
      name: column.relation_name,
      columns: [],
    }
    relation.columns.push(column)
    relations.set(name, relation)
  }
  return [...relations.values()]
}

/** A person's rows of a table that belong into a volume, each as JSON text with every digit that the database has. */
export async function rowsOf(
  database: Database,
  { user_id, since, until }: Pick<Volume, 'user_id' | 'since' | 'until'>,
  { schema, name }: { schema: string; name: string },
): Promise<string[]> {
  const rows = await database<{ content: string }[]>`
    select content
    from private.exported_rows(${user_id}, ${schema}, ${name}, ${since}::timestamptz, ${until}::timestamptz) as content`
  return rows.map(({ content }) => content)
}

/** What each column means: its comment, and of a feature its unit, range and method. */
export function dictionaryOf(relations: readonly ExportedRelation[]): DictionaryEntry[] {
  return relations.flatMap(({ schema, name, columns }) =>
    columns.map((column) => {
      const feature = schema === 'checkin' ? meaningOfFeature(name, column.column_name) : undefined
      return {
        table: `${schema}.${name}`,
        column: column.column_name,
        type: column.type,
        meaning: column.meaning ?? '',
        unit: feature?.unit ?? '',
        least: feature?.least ?? null,
        greatest: feature?.greatest ?? null,
        method: feature?.method ?? '',
        purpose: column.purpose,
        kept: column.retention ?? 'as long as the account',
      }
    }),
  )
}

const MODALITY_OF_TABLE: Readonly<Record<string, keyof typeof FEATURES>> = {
  audio_analysis: 'audio',
  visual_analysis: 'visual',
  text_analysis: 'text',
}

function meaningOfFeature(table: string, column: string): FeatureDefinition | undefined {
  const modality = MODALITY_OF_TABLE[table]
  const features: Readonly<Record<string, FeatureDefinition>> = modality ? FEATURES[modality] : {}
  return Object.hasOwn(features, column) ? features[column] : undefined
}
