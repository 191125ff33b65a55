import type { EvidenceKind } from './evidence.ts'
import type { Streams } from './random.ts'
import { type StudentTraits, studentTraits } from './wellbeing.ts'

/** Names from many places. */
const FIRST_NAMES = `
  Amara Bilal Chiara Dmitri Elif Farid Greta Hiro Imani Jonas Keiko Luca Maya Noor Omar Priya Quinn
  Rosa Samir Tomas Uma Vera Wren Ximena Yara Zane Aisha Bruno Carmen Dinah Emil Fatou Goran Hana
  Idris Jia Kofi Leila Mateo Nadia
`
  .trim()
  .split(/\s+/)

const LAST_NAMES = `
  Abara Becker Castillo Dang Eriksen Farouk Gruber Hoang Ivanova Jansen Kaya Lindqvist Mbeki Novak
  Okafor Pereira Qureshi Rossi Sato Tanaka Ulrich Vargas Weiss Xu Yilmaz Zhang Almeida Bianchi Costa
  Dubois Engel Flores Gonzalez Haddad Iyer Joshi Kowalski Lopez Moreau Nakamura O'Rourke Petrov
  Reyes Silva
`
  .trim()
  .split(/\s+/)

/** A fictional university. */
export type University = {
  id: string
  name: string
  shortName: string
  domain: string
  number: number
  /** IANA name. */
  timeZone: string
  /** BCP 47 tags, the default first. */
  languages: readonly string[]
}

const UNIVERSITY_NAMES = [
  'Westhaven',
  'Marlow Bay',
  'Granite Hill',
  'Silverlake',
  'Oakmere',
  'Fairwater',
  'Redcliffe Vale',
  'Stonebridge Park',
] as const

/** Of the universities in turn. */
const TIME_ZONES = ['America/Los_Angeles', 'America/New_York', 'America/Denver', 'America/Chicago'] as const

/** The fictional universities of a seed, the same each time. */
export function generateUniversities(seed: string, count: number): University[] {
  return Array.from({ length: count }, (_, number) => {
    const round = Math.floor(number / UNIVERSITY_NAMES.length)
    const shortName = [
      UNIVERSITY_NAMES[number % UNIVERSITY_NAMES.length],
      ...(round > 0 ? [round + 1] : []),
    ].join(' ')
    const slug = shortName.toLowerCase().replaceAll(' ', '-')
    const id = seed === '1' ? slug : `${slug}-${seed}`
    return {
      id,
      name: `${shortName} University (invented${seed === '1' ? '' : `, seed ${seed}`})`,
      shortName,
      domain: `${id}.example.edu`,
      number,
      timeZone: TIME_ZONES[number % TIME_ZONES.length] ?? 'UTC',
      languages: ['en', 'es'],
    }
  })
}

/** A fictional account. */
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
  traits: StudentTraits
}

type StaffRole = 'counselor' | 'university_admin' | 'security_admin'
export type Staff = Person & { role: StaffRole }

/** Faculties, years and residences; the frequent ones are listed more than once. */
const FACULTIES = [
  ...['Engineering', 'Engineering', 'Business', 'Business', 'Arts and Humanities', 'Natural Sciences'],
  ...['Natural Sciences', 'Medicine and Health', 'Law', 'Social Sciences', 'Social Sciences', 'Education'],
]
const YEARS = ['1', '1', '1', '2', '2', '3', '3', '4', 'postgraduate', 'postgraduate']
const RESIDENCES = ['on_campus', 'on_campus', 'off_campus', 'off_campus', 'with_family']

const STUDENTS_PER_COUNSELOR = 2_000

/** Students, spread evenly over the universities. The number of a student's random stream is the student's index. */
export function generateStudents(
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
      traits: studentTraits(random, student, participation),
    }
  })
}

/** Counselors and an administrator for each university, and one security administrator. */
export function generateStaff(
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

/** What kind of evidence a check-in rests on: a few low scores come with crisis language. */
export function evidenceKind(random: Streams, student: number, camera: boolean, score: number): EvidenceKind {
  if (random.chance(student, score < 35 ? 1 / 300 : 1 / 20_000)) return 'crisis'
  return camera ? 'whole' : 'without_camera'
}
