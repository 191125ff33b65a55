import postgres from 'postgres'
import { daysUntil } from '../seed/calendar.ts'
import { generateStudents, generateUniversities } from '../seed/people.ts'
import { Streams } from '../seed/random.ts'
import { generatorsOf } from '../seed/seed.ts'
import { storeDays } from '../seed/store.ts'
import { lastDay } from '../seed/target.ts'

const DAYS = 31

/** Gives a student of Northfield a month of invented check-ins, up to yesterday, such as `npm run seed` makes. */
export async function addHistory(databaseUrl: string, studentId: string): Promise<void> {
  const random = new Streams('demonstration', 2)
  const universities = generateUniversities('demonstration', 1).map((university) => ({
    ...university,
    id: 'northfield',
    timeZone: 'America/New_York',
  }))
  const [generated] = generateStudents(random, { universities, count: 1, participation: 0.8 })
  if (!generated) throw new Error('No student was generated')
  // Near the usual level, where nothing calls for a counselor.
  const traits = { ...generated.traits, usual: 54, course: 'steady' as const }
  const students = [{ ...generated, id: studentId, camera: true, traits }]
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    const days = daysUntil(await lastDay(sql, null, universities), DAYS)
    await storeDays(
      sql,
      { students, staff: [], random, days, ...generatorsOf(random, students, 1, 0.2) },
      days,
    )
  } finally {
    await sql.end()
  }
}
