import { useQuery } from '@tanstack/react-query'
import type { Id } from '../../../ui/language.tsx'
import { done, type Service, useService } from '../../../ui/service.tsx'

export const RANGES = ['7d', '30d', '90d', '1y'] as const
export type Range = (typeof RANGES)[number]

export const RANGE_NAMES: Record<Range, Id> = {
  '7d': 'university.range-7d',
  '30d': 'university.range-30d',
  '90d': 'university.range-90d',
  '1y': 'university.range-1y',
}

export const DIMENSIONS = ['faculty', 'year', 'residence'] as const
export type Dimension = (typeof DIMENSIONS)[number]

/** Students of a faculty, year and residence; what is absent does not restrict them. */
export type Cohort = Partial<Record<Dimension, string>>

type Asked = { university_id: string; date_range: Range }

/** What a call returns; null where it would be figures of fewer than ten students. */
async function unlessWithheld<Data>(call: Promise<Data>): Promise<Data | null> {
  try {
    return await call
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'cohort_withheld')
      return null
    throw error
  }
}

const readDashboard = ({ api }: Service, { cohort, ...asked }: Asked & { cohort: Cohort }) =>
  unlessWithheld(
    done(
      api.GET('/api/analytics/dashboard', {
        params: {
          query: { ...asked, ...(Object.keys(cohort).length > 0 && { cohort_filters: cohort }) },
        },
      }),
    ),
  )

const readWellbeing = ({ api }: Service, query: Asked) =>
  unlessWithheld(done(api.GET('/api/analytics/wellbeing', { params: { query } })))

const readReviewTimes = ({ api }: Service, query: Asked) =>
  unlessWithheld(done(api.GET('/api/analytics/reviews', { params: { query } })))

export type Dashboard = NonNullable<Awaited<ReturnType<typeof readDashboard>>>
export type WellbeingOfAll = NonNullable<Awaited<ReturnType<typeof readWellbeing>>>
export type CohortFigures = WellbeingOfAll['university']
export type Finding = Dashboard['findings'][number]

/** Figures of a university or of a cohort. */
export function useDashboard(asked: Asked & { cohort: Cohort }) {
  const service = useService()
  return useQuery({ queryKey: ['dashboard', asked], queryFn: () => readDashboard(service, asked) })
}

/** Every faculty, year and residence in figures. */
export function useWellbeing(asked: Asked) {
  const service = useService()
  return useQuery({ queryKey: ['wellbeing', asked], queryFn: () => readWellbeing(service, asked) })
}

/** How soon reviews reach somebody. */
export function useReviewTimes(asked: Asked) {
  const service = useService()
  return useQuery({ queryKey: ['review-times', asked], queryFn: () => readReviewTimes(service, asked) })
}
