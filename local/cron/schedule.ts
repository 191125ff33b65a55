import { Cron } from 'croner'

/** When a job is due, from the text that `cron.schedule` takes. */
export interface Schedule {
  /** The first due moment after `moment`, both in milliseconds since 1970; Infinity if there is none. */
  next(moment: number): number
}

/**
 * Reads five cron fields, in GMT, with `$` for the last day of the month, or `[1-59] seconds`, counted from the
 * last run, as pg_cron does.
 *
 * @throws Error when the text is neither
 */
export function parseSchedule(text: string): Schedule {
  const seconds = /^\s*([1-9]|[1-5]\d)\s+seconds?\s*$/i.exec(text)?.[1]
  if (seconds) return { next: (moment) => moment + Number(seconds) * 1_000 }
  const fields = text.trim().replace('$', 'L')
  if (!fields.startsWith('@') && fields.split(/\s+/).length !== 5)
    throw new Error(`invalid schedule: ${text}`)
  const cron = new Cron(fields, { timezone: 'UTC', paused: true })
  return { next: (moment) => cron.nextRun(new Date(moment))?.getTime() ?? Number.POSITIVE_INFINITY }
}
