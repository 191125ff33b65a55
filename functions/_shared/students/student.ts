import * as z from 'zod'
import { DIRECTIONS, SIGNIFICANCES } from '../direction-of-change.ts'
import type { ProjectClient } from '../platform/clients.ts'
import { RISK_LEVELS } from '../risk-level.ts'
import { historyEntries, historyEntry } from './history.ts'

/** Most scores that a student's own record has. */
const MAX_SCORES = 50

const directionOfChange = z.enum(DIRECTIONS)
const riskLevel = z.enum(RISK_LEVELS)
const score = z.number().describe('Wellbeing score, 0 to 100.')
const uncertainty = z.number().describe('Uncertainty of the score, 0 to 1.')

/** When a student was last heard of, in three ways that are kept apart; each null where never. */
export const signsOfLife = z
  .strictObject({
    last_check_in_at: z.iso
      .datetime({ offset: true })
      .nullable()
      .describe('When they last submitted a check-in.'),
    last_upload_at: z.iso
      .datetime({ offset: true })
      .nullable()
      .describe('When the last file of a check-in was uploaded.'),
    last_contact_at: z.iso
      .datetime({ offset: true })
      .nullable()
      .describe(
        'When their app last called, or renewed its sign-in, which is due every hour while it is open.',
      ),
  })
  .describe('When the student was last heard of, in three ways.')

const person = {
  user_id: z.guid().describe('Account of the student.'),
  first_name: z.string().describe('First name.'),
  last_name: z.string().describe('Last name.'),
  university_id: z.string().nullable().describe('Their university.'),
}

const recent = {
  faculty: z.string().nullable().describe('Faculty.'),
  year_of_study: z.string().nullable().describe('Year of study.'),
  residence: z.string().nullable().describe('Where the student lives, such as on_campus.'),
  from_register: z
    .array(z.enum(['faculty', 'year_of_study', 'residence']))
    .describe('Which of these the register of the university says; the student typed the others.'),
  check_ins: z.int().describe('Check-ins that were completed.'),
  last_check_in_at: z.iso
    .datetime({ offset: true })
    .nullable()
    .describe('When the last check-in ended, complete or failed.'),
  last_score: score.nullable().describe('Score of the last check-in that was completed, 0 to 100.'),
  last_uncertainty: uncertainty.nullable().describe('Its uncertainty, 0 to 1.'),
  last_direction_of_change: directionOfChange.nullable().describe('Its change against the own baseline.'),
  risk_level: riskLevel.describe('Risk level of the last check-in that ended.'),
  latest_risk_level: riskLevel.describe(
    'Risk level of the last check-in or assessment session, whichever was later.',
  ),
  latest_risk_source: z
    .enum(['check_in', 'session'])
    .nullable()
    .describe('Of which of the two; null before the first.'),
}

/** A student in a list. */
const listedStudent = z.object({ ...person, ...recent, signs_of_life: signsOfLife })

/** A page of students, as `public.list_students` returns it. */
export const studentPage = z.object({
  students: z.array(listedStudent).describe('Students of this page.'),
  total: z.int().describe('Number of students on all pages.'),
})

/** One result of a student. */
const studentScore = z.object({
  check_in_id: z.guid().describe('The check-in.'),
  created_at: z.iso.datetime({ offset: true }).describe('When it was scored.'),
  score,
  uncertainty,
  direction_of_change: directionOfChange.describe('Change against the own baseline.'),
  significance: z.enum(SIGNIFICANCES).describe('How clearly the change stands out.'),
  risk_level: riskLevel.describe('Risk level.'),
})

/** A student with the last scores; of those who did not agree to counselor_access, staff see the name alone. */
export const studentRecord = z.object({
  ...person,
  counselor_access: z.boolean().describe('Whether the student agreed that counselors see scores and risk.'),
  ...z.object(recent).partial().shape,
  signs_of_life: signsOfLife.optional(),
  scores: z.array(studentScore).optional().describe('Of the check-ins, the newest first, at most 50.'),
  history: z
    .array(historyEntry)
    .optional()
    .describe(
      'Check-ins and assessment sessions, the newest first, at most 50. Only for counselors: a student reads `/api/history`.',
    ),
})

type StudentRecord = z.output<typeof studentRecord>

/** The record of a student that a counselor reads, from what `public.read_student` returns. */
export function counseledRecord(data: unknown): StudentRecord {
  const { history, ...record } = z.looseObject({ history: z.unknown().optional() }).parse(data)
  return studentRecord.parse({
    ...record,
    ...(history !== undefined && { history: historyEntries(history) }),
  })
}

/** A student's own record, read with their own permissions; null if the caller is not a student. */
export async function ownRecord(supabase: ProjectClient, userId: string): Promise<StudentRecord | null> {
  const [profile, student, results] = await Promise.all([
    supabase.from('profiles').select('first_name, last_name').eq('user_id', userId).maybeSingle(),
    supabase
      .from('students')
      .select(
        'user_id, university_id, counselor_access, faculty, year_of_study, residence, from_register, check_ins, last_check_in_at, last_score, last_uncertainty, last_direction_of_change, risk_level, latest_risk_level, latest_risk_source',
      )
      .eq('user_id', userId)
      .maybeSingle(),
    supabase
      .schema('checkin')
      .from('fusion_results')
      .select('check_in_id, created_at, score, uncertainty, direction_of_change, significance, risk_level')
      .eq('user_id', userId)
      .order('created_at', { ascending: false })
      .limit(MAX_SCORES),
  ])
  const error = profile.error ?? student.error ?? results.error
  if (error) throw error
  if (!profile.data || !student.data) return null
  return studentRecord.parse({ ...profile.data, ...student.data, scores: results.data })
}
