import type { Sight } from './person.ts'

/** Who may see a canary: the victim alone, or whoever belongs to the victim's university. */
export type Kept = 'private' | Sight

let made = 0

/** A text that stands nowhere else; an answer that holds it shows what the victim stored. */
export function canary(kept: Kept): string {
  made += 1
  return `canary-${kept}-${made}-${crypto.randomUUID().slice(0, 8)}`
}

/** The canaries in an answer that somebody who sees this may not see. */
export function canariesIn(answer: string, sees: readonly Sight[]): string[] {
  const found = answer.match(/canary-(?:private|university)-\d+-[0-9a-f]{8}/gi) ?? []
  return found.filter((text) => !sees.some((sight) => text.toLowerCase().startsWith(`canary-${sight}`)))
}
