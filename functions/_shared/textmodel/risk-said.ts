import { RISK_LEVELS, type RiskLevel } from '../risk-level.ts'
import { normalForm } from '../unicode.ts'

/** A text in small plain letters: no accents, no forms of another width, nothing that nobody sees. */
export function plainForm(text: string): string {
  return normalForm(text, 'NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
}

const LEVEL = new RegExp(String.raw`(?<!\b(?:no|not)\s)\b(?:${RISK_LEVELS.join('|')})\b`, 'g')

/** Names under which models give a level, letters only. */
const RISK_FIELDS: ReadonlySet<string> = new Set(['risk', 'risklevel', 'level', 'severity'])

/**
 * The risk level in a model's fields, whatever its case, its punctuation and the exact name of its field ("HIGH.", "**high**",
 * `riskLevel`); the highest where there are several, `none` where there is none.
 */
export function riskLevelIn(output: Record<string, unknown>): RiskLevel {
  const named = Object.entries(output)
    .filter(([field]) => RISK_FIELDS.has(plainForm(field).replace(/[^a-z]/g, '')))
    .flatMap(([, value]) => (isObject(value) ? Object.values(value) : [value]))
    .flatMap((value) => (typeof value === 'string' ? (plainForm(value).match(LEVEL) ?? []) : []))
  return RISK_LEVELS.findLast((level) => named.includes(level)) ?? 'none'
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

const HIGH_ALONE = /^[^a-z0-9]*high(?:[\s_-]risk)?[^a-z0-9]*$/
const HIGH_RISK = /(?<!\b(?:no|not|of|without)\s(?:an?\s)?)\bhigh[\s_-]risk\b/
/** "risk: high", `"riskLevel":"high"`, "the risk is high"; a level of something else, such as of stress, is none. */
const RISK_IS_HIGH =
  /(?:\b_?risk(?:[\s_-]?level)?|(?:^|[^\w\s])\s{0,4}(?:level|severity))\b[^\w.]{0,8}(?:is\s[^\w.]{0,4})?high\b/

/** Whether an answer that is not in the form that was asked for says that the risk is high. */
export function saysHighRisk(answer: string): boolean {
  const plain = plainForm(answer)
  return HIGH_ALONE.test(plain) || HIGH_RISK.test(plain) || RISK_IS_HIGH.test(plain)
}
