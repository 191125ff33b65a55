import { Loaded, Section } from '../../../ui/elements.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import type { University } from './chosen.tsx'
import { Figures, useFigures } from './figures.tsx'
import { type Range, useReviewTimes } from './readings.ts'

/** How soon somebody turns to a student at risk. */
export function ReviewTimes({ university, range }: { university: University; range: Range }) {
  const { t } = useTexts()
  const { minutes } = useFigures()
  const times = useReviewTimes({ university_id: university.id, date_range: range })
  return (
    <Section title="university.time-to-human">
      <P className="muted" id="university.time-to-human-note" />
      <Loaded query={times}>
        {(medians) =>
          medians === null ? (
            <P id="university.withheld-reviews" />
          ) : (
            <Figures
              label="university.time-to-human"
              fileName="time-to-human"
              rows={[
                { what: 'university.until-claim', median: medians.minutes_to_claim } as const,
                { what: 'university.until-response', median: medians.minutes_to_response } as const,
              ]}
              keyOf={({ what }) => what}
              empty="university.none-shown"
              columns={[
                {
                  label: 'university.time',
                  value: ({ what }) => t(what),
                  cell: ({ what }) => <T id={what} />,
                },
                {
                  label: 'university.median-minutes',
                  value: ({ median }) => median,
                  cell: ({ median }) => (median === null ? <T id="university.no-median" /> : minutes(median)),
                  isFigure: true,
                },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
