import { pattern } from '../../pattern.ts'
import { isHigher, type RiskLevel } from '../../risk-level.ts'
import { readText } from './reading.ts'

/** `rule` is the id of the rule that decided, never a part of the text. */
export type Crisis = { level: RiskLevel; rule: string | null }

/** `explicit`: `high`, and said outright, with nothing around it that lowers it, so that it is acted on at once and by itself. */
export type DetectedCrisis = Crisis & { explicit: boolean }

/** Intent, plan and act, and violence by others, said outright: of these rules few harmless texts have words (docs/accuracy.md). */
const OUTRIGHT = new RegExp(pattern`
  ^(?:
    intent\.(?:try_kill_self|kill_self|end_life|want_to_die|want_to_be_dead|am_suicidal|let_me_die|not_safe)
    |passive\.not_want_to_live|self_harm\.i_cut|harmed\.(?:unsafe_home|rape|choked|touched)
    |means\.(?:took_all|many_pills|pills_taken|pills_ready|pills_saved|in_front_of|know_how)
  )$
`)

/**
 * What the rules of fixed wording find in a text, with the rule that decided. Deterministic, in time linear in the text, for any string. English only, and
 * only what is said in so many words: `decideCrisis` has what the sentences mean too. Words are taken to be about the speaker, now, unless their
 * context says otherwise. The text is neither kept nor logged.
 */
export function detectCrisis(text: string): DetectedCrisis {
  let crisis: DetectedCrisis = { level: 'none', rule: null, explicit: false }
  for (const { rule, level, lowered, confirmed } of readText(text).found) {
    const explicit = level === 'high' && (confirmed || (!lowered && OUTRIGHT.test(rule)))
    if (isHigher(level, crisis.level) || (explicit && !crisis.explicit)) crisis = { level, rule, explicit }
  }
  return crisis
}
