/**
 * Marks in a row that are kept, as in Unicode's Stream-Safe Text Format (UAX #15, section 13); no language needs a third.
 * Without a limit, putting n marks into their order takes time that grows with the square of n.
 */
const SURPLUS_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * The text in a normal form of Unicode, without the marks that follow 30 others; in time linear in the text. The one place
 * where text is normalised. (The halfwidth voicing marks are no marks, but become some in the compatibility forms.)
 */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(SURPLUS_MARKS, '$1').normalize(form)
}
