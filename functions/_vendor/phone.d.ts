/** The part of libphonenumber-js that is in use; see vendor/phone.ts. */

export interface MobileNumber {
  /** E.164. */
  number: string
  /** Undefined for what belongs to no country, such as satellite and toll-free numbers. */
  country?: string
  /** Whether the number follows the plan of its country for mobile phones, not only in length. */
  isValid(): boolean
}

/** Reads a number in international notation; undefined when it is none. */
export function parseMobileNumber(text: string): MobileNumber | undefined
