import * as z from 'zod'
import { type CrisisResources, crisisResources } from '../crisis-resources.ts'
import { asJson, type Database } from '../database.ts'
import { currentTraceId } from '../log.ts'
import type { RiskLevel } from '../risk-level.ts'
import { MAX_CHARACTERS } from '../text/clean.ts'

/** What somebody said in a call that was refused. */
type RefusedWords = {
  account: string
  /** Whether the session had ended; then it counts only if that was a ban, as whoever signed out can sign in again. */
  ended: boolean
  /** What they said; `null` where the body holds no words. */
  text: string | null
  /** The check-in or the session that the call was about, as the caller names it. */
  checkIn?: unknown
  session?: unknown
  /** What the words show, as the call itself would find it; without, the crisis check alone. */
  levelOf?: (text: string) => RiskLevel
  /** What of it the student said; without, all of it. */
  saidIn?: (text: string) => string
}

/** The text in a member of a body that nobody has validated, as far as it is analysed; `null` if there is none. */
export function textIn(body: unknown, member: string): string | null {
  const text = z.record(z.string(), z.unknown()).safeParse(body).data?.[member]
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, MAX_CHARACTERS) : null
}

/** A member of a member of a body that nobody has validated. */
export function memberOf(body: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => z.record(z.string(), z.unknown()).safeParse(value).data?.[name],
    body,
  )
}

const helped = z.object({ heard: z.boolean(), resources: crisisResources })

/**
 * Acts on crisis language in a call that was refused, whatever refused it: opens the review, or joins the one that is open, and
 * returns where help is for `details` of the error. Without consent to the analysis of text, or over a limit of its own, what was
 * said is not looked at, and help is named all the same. `null` where nobody needs help. The words are kept until the sentence encoder has
 * read them, and nothing of them longer.
 */
export async function actOnRefusedWords(
  database: Database,
  { account, ended, text, checkIn, session, levelOf, saidIn }: RefusedWords,
): Promise<{ crisis_resources: CrisisResources } | null> {
  if (text === null) return null
  const [row] = await database`select * from private.hear_refused_words(${account}, ${ended})`
  if (!row) return null
  const { heard, resources } = helped.parse(row)
  if (heard) {
    // Loaded here, as few calls are refused and the words of fewer are heard.
    const level = levelOf?.(text) ?? (await import('../text/crisis/detect.ts')).detectCrisis(text).level
    const words = { transcript: (saidIn?.(text) ?? text).toWellFormed(), trace_id: currentTraceId() }
    await database`
      select private.act_on_refused_words(
        ${account}, ${level}::checkin.risk_level, ${idOf(checkIn)}::uuid, ${idOf(session)}::uuid,
        ${asJson(database, { words })}
      )`
    if (level === 'none') return null
  }
  return { crisis_resources: resources }
}

function idOf(given: unknown): string | null {
  return z.guid().safeParse(given).data ?? null
}
