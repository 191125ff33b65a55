/** Text as Postgres and a screen can hold it: one line, no controls, no half characters, at most `longest` long. */
export function plainText(text: string, longest: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\s\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
  return line.length <= longest
    ? line
    : line
        .slice(0, longest)
        .replace(/[\ud800-\udbff]$/, '')
        .trim()
}
