import type { ProjectClient } from '../http/project-client.ts'
import { type StudentRecord, studentRecord } from './student.ts'

const SCORES = 50

/** What a student knows of themself, read under their own rules; `null` where the caller is no student. */
export async function ownRecord(supabase: ProjectClient, userId: string): Promise<StudentRecord | null> {
  const [profile, enrolment, results] = await Promise.all([
    supabase.from('profiles').select('first_name, last_name').eq('user_id', userId).maybeSingle(),
    supabase
      .from('students')
      .select(
        'user_id, university_id, counselor_access, faculty, year_of_study, residence, check_ins, last_check_in_at, last_score, last_uncertainty, last_direction_of_change, risk_level',
      )
      .eq('user_id', userId)
      .maybeSingle(),
    supabase
      .schema('checkin')
      .from('fusion_results')
      .select('check_in_id, created_at, score, uncertainty, direction_of_change, significance, risk_level')
      .eq('user_id', userId)
      .order('created_at', { ascending: false })
      .limit(SCORES),
  ])
  const error = profile.error ?? enrolment.error ?? results.error
  if (error) throw error
  if (!profile.data || !enrolment.data) return null
  return studentRecord.parse({ ...profile.data, ...enrolment.data, scores: results.data })
}
