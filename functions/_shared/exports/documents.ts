import type { Database } from '../database.ts'
import { isObjectName } from '../platform/object-address.ts'
import { csv } from './csv.ts'
import { fhirBundle } from './fhir.ts'
import { EXPORT_FORMAT, type Manifest, type ManifestTable } from './manifest.ts'
import { documentsFolder, downloadName, ROOT_FOLDER } from './names.ts'
import { indexPage } from './page.ts'
import { dictionaryOf, exportedRelations, type Row, rowsOf } from './relations.ts'
import { countVolumes, type ListedOriginal, originalsOf, type Volume } from './volume.ts'
import type { ZipFile } from './zip.ts'

/** What the FHIR Bundle and the page are made from. */
const READ_AGAIN = [
  'auth.users',
  'public.profiles',
  'public.consents',
  'public.buddy_contacts',
  'public.assessment_sessions',
  'public.session_scores',
  'checkin.check_ins',
  'checkin.fusion_results',
  'checkin.audio_analysis',
  'checkin.visual_analysis',
  'checkin.text_analysis',
  'checkin.user_baselines',
  'private.check_in_inputs',
]

/** What the history has of each check-in and session, as `public.history_entry` names it. */
const HISTORY_COLUMNS = [
  'source',
  'id',
  'at',
  'local_date',
  'score',
  'score_low',
  'score_high',
  'calibrated',
  'uncertainty',
  'direction_of_change',
  'significance',
  'risk_level',
  'baseline_score',
  'compared_to_baseline',
  'algorithm_version',
]

/** The check-ins and sessions of a volume together, the newest first. */
async function historyOf(database: Database, { user_id, since, until }: Volume): Promise<Row[]> {
  const rows = await database<{ entry: Row }[]>`
    select to_jsonb(h) as entry
    from private.history_of(${user_id}, coalesce(${since}::timestamptz, '-infinity'), null, null, null) as h
    where (${since}::timestamptz is null or h.at > ${since}::timestamptz) and h.at <= ${until}::timestamptz`
  return rows.map(({ entry }) => entry)
}

/** The files of a volume of documents: one table after the other, then what is made from several. */
export async function* documentFiles(database: Database, volume: Volume): AsyncGenerator<ZipFile> {
  const lastModified = new Date(volume.created_at)
  const folder = `${ROOT_FOLDER}/${documentsFolder(volume.ordinal)}`
  const file = (name: string, input: string): ZipFile => ({ name: `${folder}${name}`, input, lastModified })

  const relations = await exportedRelations(database)
  const tables: ManifestTable[] = []
  const readAgain = new Map<string, Row[]>()
  for (const relation of relations) {
    const name = `${relation.schema}.${relation.name}`
    const lines = await rowsOf(database, volume, relation)
    if (lines.length === 0 && volume.ordinal > 1) continue
    const json = lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`
    const rows: Row[] = JSON.parse(json)
    if (READ_AGAIN.includes(name)) readAgain.set(name, rows)
    tables.push({
      schema: relation.schema,
      table: relation.name,
      file: `data/${name}.json`,
      rows: rows.length,
    })
    yield file(`data/${name}.json`, json)
    const columns = relation.columns.map(({ column_name }) => column_name)
    yield file(`csv/${name}.csv`, csv(columns, rows))
  }

  const dictionary = dictionaryOf(relations)
  if (volume.ordinal === 1) {
    yield file('dictionary.json', `${JSON.stringify(dictionary, null, 1)}\n`)
    yield file('dictionary.csv', csv(Object.keys(dictionary[0] ?? {}), dictionary))
  }
  yield file('history.csv', csv(HISTORY_COLUMNS, await historyOf(database, volume)))
  const person = await personOf(database, volume)
  const rowsNamed = (name: string) => readAgain.get(name) ?? []
  const bundle = fhirBundle(rowsNamed, {
    userId: volume.user_id,
    exportId: volume.export_id,
    createdAt: volume.created_at,
    name: volume.include_name ? person.name : null,
  })
  yield file('fhir-bundle.json', `${JSON.stringify(bundle)}\n`)

  const volumes = await countVolumes(database, volume.export_id)
  const all = await originalsOf(database, volume.export_id)
  const originals = all.filter(({ name }) => isObjectName(name))
  const manifest: Manifest = {
    format: EXPORT_FORMAT,
    export: volume.export_id,
    created_at: volume.created_at,
    volume: volume.ordinal,
    volumes: volumes.all,
    user_id: volume.user_id,
    tables,
    universities: person.universities,
    large_files: originals.flatMap((original) => largeFile(volume, original)),
    withheld: person.withheld,
  }
  yield file('manifest.json', `${JSON.stringify(manifest, null, 1)}\n`)
  yield file(
    'index.html',
    await indexPage({
      volume,
      volumes,
      rowsNamed,
      tables,
      relations,
      manifest,
      name: person.name,
      resources: person.resources,
      originals: originals.filter(({ alone }) => alone === null),
    }),
  )
}

function largeFile(
  { created_at }: Volume,
  original: ListedOriginal & { alone: number | null },
): Manifest['large_files'] {
  const { bucket, name, type, alone } = original
  if (alone === null) return []
  return [
    { file_name: downloadName(created_at, { number: alone, content: 'file', original }), bucket, name, type },
  ]
}

type Person = {
  name: { first: string; last: string }
  universities: Row[]
  withheld: Manifest['withheld']
  resources: { name: string; phone?: string | null; website?: string | null }[]
}

async function personOf(database: Database, { user_id }: Volume): Promise<Person> {
  const [person] = await database<[Person]>`
    select
      coalesce(
        (select jsonb_build_object('first', p.first_name, 'last', p.last_name) from public.profiles p where p.user_id = ${user_id}),
        '{"first": "", "last": ""}'
      ) as name,
      (
        select coalesce(jsonb_agg(to_jsonb(u) order by u.id), '[]')
        from public.universities u
        where u.id in (
          select p.university_id from public.profiles p where p.user_id = ${user_id}
          union
          select r.university_id from public.user_roles r where r.user_id = ${user_id}
          union
          select r.university_id from public.clinical_reviews r where r.user_id = ${user_id}
        )
      ) as universities,
      (
        select jsonb_agg(
          jsonb_build_object('table', p.schema_name || '.' || p.relation_name, 'column', c, 'reason', p.withheld)
          order by p.schema_name desc, p.relation_name, c
        )
        from private.personal_data p, unnest(p.columns) c
        where p.withheld is not null
      ) as withheld,
      private.crisis_resources(${user_id}) as resources`
  return person
}
