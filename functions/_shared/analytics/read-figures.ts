import type * as z from 'zod'
import type { ProjectClient } from '../http/project-client.ts'
import type { Cohort, DateRange } from './cohort.ts'
import {
  type DashboardFigures,
  dashboardFigures,
  type TrendPoints,
  trendPoints,
  type Wellbeing,
  wellbeing,
} from './figures.ts'

type Range = { university_id: string; date_range: DateRange }

/** Figures of a dashboard as the caller may see them; null where they are withheld. */
export async function readDashboard(
  supabase: ProjectClient,
  { university_id, date_range, cohort }: Range & { cohort: Cohort },
): Promise<DashboardFigures | null> {
  const { data, error } = await supabase.rpc('analytics_dashboard', {
    university_id,
    date_range,
    ...columnsOf(cohort),
  })
  if (error) throw error
  return parsed(dashboardFigures, data)
}

/** Figures of every cohort as the caller may see them; null where they are withheld. */
export async function readWellbeing(
  supabase: ProjectClient,
  { university_id, date_range }: Range,
): Promise<Wellbeing | null> {
  const { data, error } = await supabase.rpc('analytics_wellbeing', { university_id, date_range })
  if (error) throw error
  return parsed(wellbeing, data)
}

/** Figures by day, week or month as the caller may see them; null where they are withheld. */
export async function readTrends(
  supabase: ProjectClient,
  { university_id, date_range, step, cohort }: Range & { step: string; cohort: Cohort },
): Promise<TrendPoints | null> {
  const { data, error } = await supabase.rpc('analytics_trends', {
    university_id,
    date_range,
    step,
    ...columnsOf(cohort),
  })
  if (error) throw error
  return parsed(trendPoints, data)
}

function columnsOf({ faculty, year, residence }: Cohort) {
  return { faculty, year_of_study: year, residence }
}

function parsed<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> | null {
  return data === null ? null : schema.parse(data)
}
