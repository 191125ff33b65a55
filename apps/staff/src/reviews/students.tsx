import { useState } from 'react'
import { Loaded, Screen } from '../../../ui/elements.tsx'
import { Filters, Search, Select } from '../../../ui/filters.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { Ago } from '../../../ui/shown.tsx'
import { type Column, DataTable, Pager } from '../../../ui/table.tsx'
import { nameOf, useUniversityNames } from '../people.ts'
import { useUniversitiesOf } from '../person.tsx'
import { Name, Risk } from './person-shown.tsx'
import { type ListedStudent, useStudents } from './reads.ts'

const ago = (at: string | null) => (at ? <Ago at={at} /> : <T id="reviews.never" />)

const COLUMNS: Column<ListedStudent>[] = [
  { label: 'reviews.student', cell: (student) => <Name of={nameOf(student)} /> },
  { label: 'reviews.risk-label', cell: ({ latest_risk_level }) => <Risk level={latest_risk_level} /> },
  { label: 'reviews.last-check-in', cell: ({ signs_of_life: { last_check_in_at: at } }) => ago(at) },
  { label: 'reviews.last-upload', cell: ({ signs_of_life: { last_upload_at: at } }) => ago(at) },
  { label: 'reviews.last-contact', cell: ({ signs_of_life: { last_contact_at: at } }) => ago(at) },
]

const SORTS = ['risk', 'last_check_in', 'score', 'name'] as const
/** In which order each begins: what is most urgent first. */
const IS_DESCENDING = { risk: true, last_check_in: false, score: false, name: false } as const
const PAGE = 50

/** The students of a university who agreed that counselors see them. */
export default function Students() {
  const { t } = useTexts()
  const universities = useUniversitiesOf('counselor')
  const nameOfUniversity = useUniversityNames()
  const [university = '', setUniversity] = useState(universities[0])
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState<(typeof SORTS)[number]>('risk')
  const [page, setPage] = useState(0)
  const students = useStudents({
    university_id: university,
    ...(search !== '' && { search }),
    sort,
    descending: IS_DESCENDING[sort],
    page_limit: PAGE,
    page_offset: page * PAGE,
  })
  /** What narrows the list down begins at its first page. */
  function from<Value>(set: (value: Value) => void) {
    return (value: Value) => {
      set(value)
      setPage(0)
    }
  }
  return (
    <Screen title="reviews.students">
      <P className="muted" id="reviews.students-explained" />
      <Filters>
        <Search label="reviews.search" onChange={from(setSearch)} />
        <Select label="reviews.sort" options={SORTS} value={sort} onChange={from(setSort)}>
          {(sort) => t('reviews.sort-by', { sort })}
        </Select>
        {universities.length > 1 && (
          <Select
            label="reviews.university"
            options={universities}
            value={university}
            onChange={from(setUniversity)}
          >
            {nameOfUniversity}
          </Select>
        )}
      </Filters>
      <Loaded query={students}>
        {({ students, total }) => (
          <>
            <DataTable
              label="reviews.students"
              rows={students}
              columns={COLUMNS}
              keyOf={({ user_id }) => user_id}
              to={({ user_id }) => `/students/${user_id}`}
              empty={search === '' ? 'reviews.no-students' : 'reviews.none-found'}
            />
            <Pager page={page} hasNext={(page + 1) * PAGE < total} total={total} onChange={setPage} />
          </>
        )}
      </Loaded>
    </Screen>
  )
}
