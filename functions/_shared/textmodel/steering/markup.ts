/** Tags whose content speaks for the machine, in any of the usual brackets. */
const SPEAKING =
  /^(?:system|sys|inst|instructions?|prompt|developer|admin|assistant|im_start|im_sep|tool|override|rules?|command)\b/
const CLOSING: Readonly<Record<string, string>> = { im_start: 'im_end' }

const TAG = /<{1,2}\|?\s*(\/?)\s*([A-Za-z_]{2,20})[^<>\n]{0,80}>{1,2}|\[(\/?)(INST|SYS|SYSTEM)\]/gi
/** Code fences; `clean` has made quotes of backticks. */
const FENCE = /```|'''|~~~/
const BRACED = /\{[^{}]*\}/g
const DEEPEST = 6

/** A text without code, JSON and markup, and without what stands between tags that speak for the machine. */
export function withoutMarkup(text: string): string {
  const parts = text.split(FENCE)
  let plain = parts.filter((_, index) => index % 2 === 0 || index === parts.length - 1).join(' ')
  for (let depth = 0; depth < DEEPEST && plain.includes('{'); depth++) plain = plain.replace(BRACED, ' ')
  return withoutTags(plain)
}

function withoutTags(text: string): string {
  const tags = Array.from(text.matchAll(TAG), (match) => ({
    from: match.index,
    to: match.index + match[0].length,
    closes: (match[1] ?? match[3]) === '/',
    name: (match[2] ?? match[4] ?? '').toLowerCase(),
  }))
  const kept: string[] = []
  let at = 0
  tags.forEach((tag, index) => {
    if (tag.from < at) return
    kept.push(text.slice(at, tag.from))
    at = tag.to
    if (tag.closes || !SPEAKING.test(tag.name)) return
    const end = tags
      .slice(index + 1, index + 50)
      .find(({ name, closes }) => (closes && name === tag.name) || name === CLOSING[tag.name])
    // What no tag closes ends with its line.
    at = end?.to ?? lineEnd(text, tag.to)
  })
  kept.push(text.slice(at))
  return kept.join(' ')
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}
