import { useState } from 'react'
import type { Database } from '../../../../types/database.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { Loaded, Problem, Section } from '../../../ui/elements.tsx'
import { type Id, P, T, useTexts } from '../../../ui/language.tsx'
import { done, useChange, useRead, useService } from '../../../ui/service.tsx'
import { Download, Facts, When } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { type University, UniversityScreen } from './chosen.tsx'
import { csvOf } from './csv.ts'
import { useFigures } from './figures.tsx'
import './university.css'

type Import = Database['public']['Functions']['import_enrolments']['Returns']
type Row = Import['rows']['new'][number]

/** A file with what it would change. */
type Preview = { name: string; csv: string; import: Import }

const HEADS = ['email', 'student_number', 'faculty', 'year', 'residence'] as const

/** The register of a university's students: a file, what it would change, and then the change. */
export default function Register() {
  return (
    <UniversityScreen title="university.register">
      {(university) => <Enrolments university={university} />}
    </UniversityScreen>
  )
}

function Enrolments({ university }: { university: University }) {
  const register = useRead(['register', university.id], (client) =>
    done(client.rpc('read_register', { university_id: university.id })),
  )
  const { count } = useFigures()
  return (
    <>
      <P className="muted" id="university.register-note" />
      <Loaded query={register}>
        {(known) =>
          known === null ? (
            <P id="university.no-register" />
          ) : (
            <Facts
              of={[
                ['university.register-students', count(known.students)],
                ['university.imported-at', <When key="at" at={known.imported_at} />],
                ['university.kept-until', <When key="until" at={known.kept_until} />],
              ]}
            />
          )
        }
      </Loaded>
      <Upload university={university} />
    </>
  )
}

function Upload({ university }: { university: University }) {
  const { client } = useService()
  const [preview, setPreview] = useState<Preview | null>(null)
  const reading = useChange(async (file: File) => {
    setPreview(null)
    const csv = await textOf(file)
    const compared = await done(client.rpc('import_enrolments', { university_id: university.id, csv }))
    setPreview({ name: file.name, csv, import: compared })
  })
  return (
    <Section title="university.import">
      <P id="university.import-note" />
      <Download
        label="university.import-example"
        fileName="enrolments.csv"
        type="text/csv"
        read={() => csvOf(HEADS, [[`ada@${university.domain}`, 'N-1042', 'Sciences', '2', 'hall']])}
      />
      <label className="field">
        <span>
          <T id="university.file" />
        </span>
        <input
          type="file"
          accept=".csv,text/csv"
          onChange={({ target }) => {
            const file = target.files?.[0]
            if (file) reading.mutate(file)
            // So that the same file can be chosen again once it is corrected.
            target.value = ''
          }}
        />
      </label>
      <div role="status">{reading.isPending && <T id="university.comparing" />}</div>
      {reading.error && <Problem error={reading.error} />}
      {preview && <Compared preview={preview} university={university} done={() => setPreview(null)} />}
    </Section>
  )
}

/** Spreadsheets save as UTF-8 or, where nobody asked for that, as windows-1252. */
async function textOf(file: File): Promise<string> {
  const bytes = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\0', ' ')
  } catch {
    // Another kind of file is read as well, so that it is refused for what it lacks: JSON for Postgres has no null character.
    return new TextDecoder('windows-1252').decode(bytes).replaceAll('\0', ' ')
  }
}

const CHANGES = ['new', 'changed', 'missing', 'invalid'] as const
const CHANGE_NAMES: Record<(typeof CHANGES)[number], { label: Id; title: Id }> = {
  new: { label: 'university.rows-new', title: 'university.rows-new-title' },
  changed: { label: 'university.rows-changed', title: 'university.rows-changed-title' },
  missing: { label: 'university.rows-missing', title: 'university.rows-missing-title' },
  invalid: { label: 'university.rows-invalid', title: 'university.rows-invalid-title' },
}

type ComparedProps = { preview: Preview; university: University; done: () => void }

function Compared({ preview, university, done: leave }: ComparedProps) {
  const { name, csv, import: compared } = preview
  const { count } = useFigures()
  const tell = useToast()
  const changes = compared.new + compared.changed + compared.missing
  const values = {
    added: compared.new,
    changed: compared.changed,
    removed: compared.missing,
  }
  return (
    <>
      <h3 dir="auto">{name}</h3>
      <Facts
        of={[
          ...CHANGES.map((kind) => [CHANGE_NAMES[kind].label, count(compared[kind])] as const),
          ['university.rows-unchanged', count(compared.unchanged)],
        ]}
      />
      {CHANGES.filter((kind) => compared[kind] > 0).map((kind) => (
        <div key={kind} className="list">
          <h3>
            <T id={CHANGE_NAMES[kind].title} total={compared[kind]} />
          </h3>
          <Examples kind={kind} rows={compared.rows[kind]} />
          {compared[kind] > compared.rows[kind].length && (
            <P className="muted" id="university.first-rows" rows={compared.rows[kind].length} />
          )}
        </div>
      ))}
      {compared.invalid > 0 ? (
        <div className="notice">
          <P id="university.correct-first" />
        </div>
      ) : (
        <Confirm
          label="university.apply"
          kind={compared.missing > 0 ? 'danger' : 'primary'}
          isDisabled={changes + compared.unchanged === 0}
          values={values}
          title="university.apply-title"
          question="university.apply-question"
          target={name}
          run={async (_, client) => {
            await done(client.rpc('import_enrolments', { university_id: university.id, csv, apply: true }))
            tell({ message: 'university.applied', values })
            leave()
          }}
        />
      )}
    </>
  )
}

const FIELDS = [
  ['university.student-number', 'student_number'],
  ['university.faculty', 'faculty'],
  ['university.year', 'year'],
  ['university.residence', 'residence'],
] as const

function Examples({ kind, rows }: { kind: (typeof CHANGES)[number]; rows: readonly Row[] }) {
  const { t, known } = useTexts()
  const keyOf = ({ row, email }: Row) => `${row} ${email}`
  const number = {
    label: 'university.row',
    cell: ({ row }: Row) => row ?? t('university.unknown'),
    isFigure: true,
  } as const
  if (kind === 'invalid')
    return (
      <DataTable
        label="university.rows-invalid"
        rows={rows}
        keyOf={keyOf}
        empty="university.none-shown"
        columns={[
          number,
          {
            label: 'university.problem',
            cell: ({ code, problem }) => {
              const words = known(`university.row.${code}`)
              return words ? t(words) : problem
            },
          },
        ]}
      />
    )
  return (
    <DataTable
      label={CHANGE_NAMES[kind].label}
      rows={rows}
      keyOf={keyOf}
      empty="university.none-shown"
      columns={[
        number,
        { label: 'field.email', cell: ({ email }) => <bdi>{email}</bdi> },
        ...FIELDS.map(([label, field]) => ({
          label,
          cell: (row: Row) => (
            <Value now={row[field] ?? null} {...(row.before && { before: row.before[field] })} />
          ),
        })),
      ]}
    />
  )
}

/** A value, and the one before where it was another. */
function Value({ now, before }: { now: string | null; before?: string | null }) {
  const { t } = useTexts()
  const shown = (value: string | null) => <bdi>{value ?? t('university.unknown')}</bdi>
  if (before === undefined || before === now) return shown(now)
  return (
    <>
      <del>{shown(before)}</del> <ins>{shown(now)}</ins>
    </>
  )
}
