import { parseMobileNumber } from '../../_vendor/phone.js'

/**
 * Whether a text is the number, E.164, of a mobile phone in some country, so that it can be sent text messages. By the
 * numbering plans of libphonenumber, which know no number that is kept for films and examples in Britain (+44 7700 900…).
 */
export function isMobileNumber(text: string): boolean {
  const parsed = parseMobileNumber(text)
  return parsed !== undefined && parsed.number === text && parsed.country !== undefined && parsed.isValid()
}
