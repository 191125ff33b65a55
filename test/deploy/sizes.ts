import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Bundle } from './bundle.ts'
import type { Upload } from './management-api.ts'
import type { PackedPackage } from './packages.ts'

const compress = promisify(brotliCompress)

/** How large a function is, in bytes. */
export type Sizes = {
  slug: string
  files: number
  uploaded: number
  bundled: number
  /** The uploaded files and all files of all packages. */
  whole: number
  /** `whole`, compressed as the CLI compresses a bundle that it makes itself. */
  compressed: number
  largest: string
}

export async function sizesOf(upload: Upload, bundled: Bundle, packages: PackedPackage[]): Promise<Sizes> {
  const uploaded = upload.files.reduce((sum, file) => sum + file.bytes.byteLength, 0)
  const installed = await Promise.all(packages.flatMap(({ files }) => files.map((file) => readFile(file))))
  const everything = Buffer.concat([...upload.files.map(({ bytes }) => bytes), ...installed])
  const packed = await compress(everything, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
  return {
    slug: upload.slug,
    files: upload.files.length,
    uploaded,
    bundled: bundled.bytes,
    whole: everything.byteLength,
    compressed: packed.byteLength,
    largest: largest(packages),
  }
}

/** Names the three largest, for a message. */
export function largest(parts: { name: string; bytes: number }[]): string {
  return parts
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 3)
    .map(({ name, bytes }) => `${name} ${inMegabytes(bytes)} MB`)
    .join(', ')
}

/** Prints the table that says how near each function is to the limits. */
export function printSizes(sizes: Sizes[]): void {
  console.table(
    Object.fromEntries(
      sizes.map(({ slug, files, uploaded, bundled, whole, compressed, largest: packages }) => [
        slug,
        {
          files,
          'uploaded MB': inMegabytes(uploaded),
          'bundled MB': inMegabytes(bundled),
          'whole packages MB': inMegabytes(whole),
          'compressed MB': inMegabytes(compressed),
          'largest packages': packages,
        },
      ]),
    ),
  )
}

function inMegabytes(bytes: number): number {
  return Number((bytes / 1e6).toFixed(2))
}
