/**
 * The source of a regular expression, written over several lines: line breaks and the spaces around them are no part of it, backslashes
 * are as in a literal.
 *
 * @example
 * const CONTAINER = pattern`(?:bottle|packet|box)`
 * const TOOK = new RegExp(pattern`
 *   \b(?:took|swallowed) the ${CONTAINER}\b
 *   |\b${CONTAINER} is empty\b
 * `)
 */
export function pattern(texts: TemplateStringsArray, ...parts: readonly string[]): string {
  const lines = texts.raw.map((text) => text.replaceAll(/\s*\n\s*/g, ''))
  return lines.reduce((source, text, index) => source + (parts[index - 1] ?? '') + text)
}

/** A regular expression that finds every match, written as a `pattern`. */
export function everyMatch(texts: TemplateStringsArray, ...parts: readonly string[]): RegExp {
  return new RegExp(pattern(texts, ...parts), 'g')
}
