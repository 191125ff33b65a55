/** An operator of PostgREST and its operand. */
export type PatternCondition = { operator: string; operand: string }

/**
 * A LIKE pattern as PostgREST takes it: `%` any text, `_` any character, `\` before a character that stands for itself.
 *
 * PostgREST reads `*` as `%` and knows no escape for it, so a pattern with `*` becomes the regular expression that
 * means the same.
 */
export function patternCondition(operator: 'like' | 'ilike', pattern: string): PatternCondition {
  if (!pattern.includes('*')) return { operator, operand: pattern }
  return { operator: operator === 'like' ? 'match' : 'imatch', operand: `^${asRegularExpression(pattern)}$` }
}

function asRegularExpression(pattern: string): string {
  return pattern.replace(/\\(.)|./gsu, (part, escaped: string | undefined) => {
    if (escaped !== undefined) return literally(escaped)
    if (part === '%') return '.*'
    if (part === '_') return '.'
    return literally(part)
  })
}

/** A regular expression of Postgres that matches a text and nothing else. */
export function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
