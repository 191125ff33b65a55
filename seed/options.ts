import { parseArgs } from 'node:util'
import type { SeedPlan } from './seed.ts'

type SeedOptions = SeedPlan & {
  /** When `null`, the stack that runs with the data folder. */
  databaseUrl: string | null
  dataDir: string
  /** Seed a database that is not on this machine. */
  yes: boolean
  help: boolean
}

export const SEED_HELP = `Seeds a database with demonstration data: fictional universities, students, staff, check-ins, sessions and clinical reviews.

Usage: npm run seed -- [options]

  --students N        students, across all universities (200)
  --days D            days of history (90)
  --universities U    universities (2)
  --participation P   share of days with a check-in, above 0 and up to 1 (0.8); 1 is every student on every day
  --until DATE        last day, YYYY-MM-DD, UTC (yesterday)
  --seed S            another seed generates other people, at universities of their own (1)
  --data DIR          data folder of the running stack to seed (.stack)
  --database-url URL  seed this database instead, as the role postgres
  --yes               seed a database that is not on this machine
  --help              this text

Every account's password is invented-password-1. The same options give the same people and figures.`

/** Reads the command line of `npm run seed`. Throws an error that says which option is wrong. */
export function readSeedOptions(args: string[]): SeedOptions {
  const { values } = parseArgs({
    args,
    options: {
      students: { type: 'string', default: '200' },
      days: { type: 'string', default: '90' },
      universities: { type: 'string', default: '2' },
      participation: { type: 'string', default: '0.8' },
      until: { type: 'string' },
      seed: { type: 'string', default: '1' },
      data: { type: 'string', default: '.stack' },
      'database-url': { type: 'string' },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    students: readCount('--students', values.students, 1_000_000),
    days: readCount('--days', values.days, 3_660),
    universities: readCount('--universities', values.universities, 80),
    participation: readShare('--participation', values.participation),
    until: values.until === undefined ? null : readDate('--until', values.until),
    seed: readSeed(values.seed),
    databaseUrl: values['database-url'] ?? null,
    dataDir: values.data,
    yes: values.yes,
    help: values.help,
  }
}

function readCount(option: string, text: string, most: number): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= most) return count
  throw new Error(`${option} takes a number from 1 to ${most}, not "${text}"`)
}

function readShare(option: string, text: string): number {
  const share = Number(text)
  if (share > 0 && share <= 1) return share
  throw new Error(`${option} takes a share above 0 and up to 1, not "${text}"`)
}

function readDate(option: string, text: string): string {
  const date = new Date(`${text}T00:00:00Z`)
  if (!Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text) return text
  throw new Error(`${option} takes a date such as 2026-11-20, not "${text}"`)
}

function readSeed(text: string): string {
  if (/^[a-z0-9]{1,20}$/.test(text)) return text
  throw new Error(`--seed takes up to 20 lower-case letters and digits, not "${text}"`)
}
