import { type OutDirs, writeBundle } from './bundle.ts'

/** Reads numbers with the metadata of mobile ones: 16 kB more than the smallest, which tells a landline from none. */
const ENTRY = `
import parsePhoneNumber from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/mobile/metadata'

/** The number that a text writes in international notation; undefined when it is none. */
export const parseMobileNumber = (text) => parsePhoneNumber(text, metadata)
`

/** Builds the part of libphonenumber-js that knows which numbers are mobile ones: `phone.js`. */
export async function buildPhoneNumbers({ bundles }: OutDirs): Promise<void> {
  await writeBundle(bundles, {
    name: 'phone',
    entry: ENTRY,
    options: { mainFields: ['module', 'main'] },
  })
}
