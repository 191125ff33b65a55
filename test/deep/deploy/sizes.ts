import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { ROOT } from '../../../scripts/root.ts'
import type { Bundle } from './bundle.ts'
import type { Upload } from './management-api.ts'

/** An installed package, and every file of it, its own dependencies left out. */
export type PackedPackage = { name: string; version: string; files: string[]; bytes: number }

/**
 * What a packer that embeds whole packages takes: all files of each package, and of all that they depend on. This is
 * what Supabase's Edge Runtime does (`build_npm_vfs` in its `deno_facade` adds each resolved package's folder).
 *
 * Throws when an installed package is not the version that the import map names: the deployed code would differ
 * from the tested code.
 */
export async function packWhole(wanted: { name: string; version: string }[]): Promise<PackedPackage[]> {
  const packed = new Map<string, PackedPackage>()

  async function add(name: string, from: string, optional: boolean): Promise<PackedPackage | undefined> {
    const folder = await findPackage(name, from)
    if (!folder) {
      if (optional) return undefined
      throw new Error(`${name}, needed in ${from}, is not installed`)
    }
    const known = packed.get(folder)
    if (known) return known
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    const files = await filesOf(folder)
    let bytes = 0
    for (const file of files) bytes += (await stat(file)).size
    const found = { name, version: String(manifest.version), files, bytes }
    packed.set(folder, found)
    for (const each of Object.keys(manifest.dependencies ?? {})) await add(each, folder, false)
    for (const each of Object.keys(manifest.optionalDependencies ?? {})) await add(each, folder, true)
    for (const each of Object.keys(manifest.peerDependencies ?? {})) {
      if (!manifest.peerDependenciesMeta?.[each]?.optional) await add(each, folder, false)
    }
    return found
  }

  for (const { name, version } of wanted) {
    const found = await add(name, ROOT, false)
    if (found?.version !== version) {
      throw new Error(`functions/deno.json names ${name} ${version}; ${found?.version} is installed`)
    }
  }
  return [...packed.values()].sort((a, b) => b.bytes - a.bytes)
}

async function findPackage(name: string, from: string): Promise<string | undefined> {
  for (let folder = resolve(from); folder.startsWith(resolve(ROOT)); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (await stat(join(candidate, 'package.json')).catch(() => undefined)) return candidate
  }
  return undefined
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const inside = (parent: string) => !parent.slice(folder.length).split('/').includes('node_modules')
  return entries
    .filter((entry) => entry.isFile() && inside(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
}

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
