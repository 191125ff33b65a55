import { clamp } from '../functions/_shared/numbers.ts'
import type { Day } from './calendar.ts'
import type { Streams } from './random.ts'

/** Share of students whose wellbeing takes each course over the period; the others stay near their usual level. */
const COURSES = { declining: 0.03, recovering: 0.03, episode: 0.05 } as const

/** How much of a day's mood remains the next day, and the standard deviation of what each day adds, in points. */
const CARRY = 0.75
const DAILY_SD = 3.5
const NOISE_SD = 3

type Course = 'steady' | keyof typeof COURSES

/** What distinguishes one student from another; scores in points of 0 to 100. */
export type StudentTraits = {
  usual: number
  course: Course
  /** Start of the course and its length, as fractions of the period. */
  courseFrom: number
  courseLength: number
  courseDepth: number
  examDip: number
  weekendLift: number
  holidayLift: number
  /** Probability of a check-in on an ordinary day. */
  participation: number
}

/** @param participation share of days on which students check in, on average; 1 means every day of everybody */
export function studentTraits(random: Streams, student: number, participation: number): StudentTraits {
  const drawn = random.share(student)
  const { declining, recovering, episode } = COURSES
  const course =
    drawn < declining
      ? 'declining'
      : drawn < declining + recovering
        ? 'recovering'
        : drawn < declining + recovering + episode
          ? 'episode'
          : 'steady'
  return {
    usual: clamp(54 + 7 * random.normal(student), 30, 72),
    course,
    courseFrom: random.between(student, 0.1, 0.6),
    courseLength:
      course === 'episode' ? random.between(student, 0.06, 0.12) : random.between(student, 0.2, 0.4),
    courseDepth: random.between(student, 10, 26),
    examDip: random.between(student, 1, 9),
    weekendLift: 1.5 + 1.2 * random.normal(student),
    holidayLift: 2.5 + 2 * random.normal(student),
    participation: participation === 1 ? 1 : clamp(participation + 0.12 * random.normal(student), 0.05, 0.99),
  }
}

/**
 * How each student is, day by day: the usual level, raised and lowered by the calendar and the course, with a mood that
 * carries over from day to day (AR(1)) and noise that doesn't.
 */
export class Moods {
  readonly #mood: Float64Array
  readonly #random: Streams

  constructor(random: Streams, students: number) {
    this.#random = random
    this.#mood = new Float64Array(students)
  }

  /**
   * The score that a student would get on a day. Call once for every day, in order.
   * @param elapsed fraction of the whole period that is over, 0 to 1
   */
  next(student: number, traits: StudentTraits, day: Day, elapsed: number): number {
    const mood = CARRY * (this.#mood[student] ?? 0) + DAILY_SD * this.#random.normal(student)
    this.#mood[student] = mood
    return (
      traits.usual +
      mood +
      NOISE_SD * this.#random.normal(student) +
      (day.isWeekend ? traits.weekendLift : 0) +
      (day.isTerm ? 0 : traits.holidayLift) -
      day.exams * traits.examDip -
      traits.courseDepth * depthAt(traits, elapsed)
    )
  }
}

/** How far down the course is, 0 to 1. */
function depthAt({ course, courseFrom, courseLength }: StudentTraits, elapsed: number): number {
  const gone = clamp((elapsed - courseFrom) / courseLength, 0, 1)
  if (course === 'declining') return gone
  if (course === 'recovering') return 1 - gone
  return course === 'episode' ? Math.sin(Math.PI * gone) : 0
}

/** Probability that a student checks in on a day: lower at weekends, in holidays, and when the score is low. */
export function checkInProbability({ participation }: StudentTraits, day: Day, score: number): number {
  if (participation === 1) return 1
  return participation * (day.isWeekend ? 0.93 : 1.02) * (day.isTerm ? 1.03 : 0.94) * (score < 30 ? 0.85 : 1)
}
