import type { Streams } from '../random.ts'
import { type Temperament, temperament } from '../wellbeing/course.ts'
import type { EvidenceKind } from '../wellbeing/evidence.ts'
import { FIRST_NAMES, LAST_NAMES } from './names.ts'
import type { University } from './universities.ts'

/** An invented account. */
export type Person = {
  id: string
  email: string
  firstName: string
  lastName: string
  university: University
}

export type Student = Person & {
  faculty: string
  yearOfStudy: string
  residence: string
  counselorAccess: boolean
  camera: boolean
  traits: Temperament
}

export type StaffRole = 'counselor' | 'university_admin' | 'security_admin'
export type Staff = Person & { role: StaffRole }

/** Faculties, years and residences, the frequent ones named more often. */
const FACULTIES = [
  ...['Engineering', 'Engineering', 'Business', 'Business', 'Arts and Humanities', 'Natural Sciences'],
  ...['Natural Sciences', 'Medicine and Health', 'Law', 'Social Sciences', 'Social Sciences', 'Education'],
]
const YEARS = ['1', '1', '1', '2', '2', '3', '3', '4', 'postgraduate', 'postgraduate']
const RESIDENCES = ['on_campus', 'on_campus', 'off_campus', 'off_campus', 'with_family']

const STUDENTS_PER_COUNSELOR = 2_000

/** Students, spread evenly over the universities. A student's stream of random numbers has the student's place. */
export function inventStudents(
  random: Streams,
  {
    universities,
    count,
    participation,
  }: { universities: readonly University[]; count: number; participation: number },
): Student[] {
  return Array.from({ length: count }, (_, student) => {
    const university = universities[student % universities.length]
    if (!university) throw new RangeError('There is no university')
    return {
      id: random.uuid(student),
      email: `student-${String(student + 1).padStart(6, '0')}@${university.domain}`,
      firstName: random.pick(student, FIRST_NAMES),
      lastName: random.pick(student, LAST_NAMES),
      university,
      faculty: random.pick(student, FACULTIES),
      yearOfStudy: random.pick(student, YEARS),
      residence: random.pick(student, RESIDENCES),
      counselorAccess: random.chance(student, 0.7),
      camera: random.chance(student, 0.85),
      traits: temperament(random, student, participation),
    }
  })
}

/** Counselors and an administrator of each university, and one security administrator. */
export function inventStaff(
  random: Streams,
  stream: number,
  { universities, students }: { universities: readonly University[]; students: number },
): Staff[] {
  const person = (university: University, name: string, role: StaffRole): Staff => ({
    id: random.uuid(stream),
    email: `${name}@${university.domain}`,
    firstName: random.pick(stream, FIRST_NAMES),
    lastName: random.pick(stream, LAST_NAMES),
    university,
    role,
  })
  const counselors = Math.max(2, Math.ceil(students / universities.length / STUDENTS_PER_COUNSELOR))
  return universities.flatMap((university) => [
    ...Array.from({ length: counselors }, (_, number) =>
      person(university, `counselor-${number + 1}`, 'counselor'),
    ),
    person(university, 'admin', 'university_admin'),
    ...(university.number === 0 ? [person(university, 'security', 'security_admin')] : []),
  ])
}

export function evidenceKind(random: Streams, student: number, camera: boolean, score: number): EvidenceKind {
  if (random.chance(student, score < 35 ? 1 / 300 : 1 / 20_000)) return 'crisis'
  return camera ? 'whole' : 'without_camera'
}
