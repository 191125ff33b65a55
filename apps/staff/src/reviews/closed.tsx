import { useState } from 'react'
import { ButtonLink, Loaded, Screen } from '../../../ui/elements.tsx'
import { P, T } from '../../../ui/language.tsx'
import { When } from '../../../ui/shown.tsx'
import { type Column, DataTable, Pager } from '../../../ui/table.tsx'
import { nameOf } from '../people.ts'
import { Name, Risk } from './person-shown.tsx'
import { CLOSED_PAGE, type ClosedReview, useClosedReviews } from './reads.ts'

const COLUMNS: Column<ClosedReview>[] = [
  { label: 'reviews.student', cell: (review) => <Name of={nameOf(review) ?? review.email} /> },
  { label: 'reviews.risk-label', cell: ({ risk_level }) => <Risk level={risk_level} /> },
  { label: 'reviews.outcome', cell: ({ outcome }) => <T id="reviews.outcome-is" outcome={outcome} /> },
  { label: 'reviews.closed-at', cell: ({ closed_at }) => closed_at && <When at={closed_at} /> },
  {
    label: 'reviews.closed-by',
    cell: ({ closed_by_name }) => <Name of={closed_by_name} unknown="reviews.a-colleague" />,
  },
]

/** Reviews closed in the last 90 days, the latest first. */
export default function Closed() {
  const [page, setPage] = useState(0)
  const reviews = useClosedReviews(page)
  return (
    <Screen title="reviews.closed-ones">
      <P className="muted" id="reviews.closed-explained" />
      <Loaded query={reviews}>
        {(reviews) => (
          <>
            <DataTable
              label="reviews.closed-ones"
              rows={reviews.slice(0, CLOSED_PAGE)}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              to={({ id }) => `/reviews/${id}`}
              empty="reviews.none-closed"
            />
            <Pager page={page} hasNext={reviews.length > CLOSED_PAGE} onChange={setPage} />
          </>
        )}
      </Loaded>
      <ButtonLink to="/reviews" label="reviews.back" />
    </Screen>
  )
}
