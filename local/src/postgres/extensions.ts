import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'

const platformExtensions = path.join(import.meta.dirname, '..', 'platform', 'extensions')

/**
 * Makes `create extension` know the extensions whose servers this stack plays: pg_cron, pg_net,
 * supabase_vault. Their SQL interface is that of the real ones.
 */
export function installPlatformExtensions(extensionDir: string): void {
  for (const name of readdirSync(platformExtensions)) {
    install(extensionDir, name, readFileSync(path.join(platformExtensions, name)))
  }
}

/**
 * Makes `create extension pgtap` work, from the files that ship inside `@electric-sql/pglite`.
 *
 * @throws Error when no installed copy of that package carries pgTAP
 */
export function installPgTap(extensionDir: string): void {
  if (existsSync(path.join(extensionDir, 'pgtap.control'))) return
  const archive = pgTapArchive()
  const files = untar(gunzipSync(readFileSync(archive)))
  const wanted = [...files].filter(([name]) =>
    /^pgtap(--\d+\.\d+\.\d+\.sql|\.control)$/.test(path.basename(name)),
  )
  // The control file comes last: its presence says that the installation is complete.
  wanted.sort(([a], [b]) => Number(a.endsWith('.control')) - Number(b.endsWith('.control')))
  for (const [name, content] of wanted) install(extensionDir, path.basename(name), content)
}

/** pglite 0.4 carries pgTAP, 0.5 no longer does; `@supabase/lite` brings the former. */
function pgTapArchive(): string {
  const folders = createRequire(import.meta.url).resolve.paths('@electric-sql/pglite') ?? []
  const archives = folders
    .flatMap((folder) => [path.join(folder, '@supabase', 'lite', 'node_modules'), folder])
    .map((folder) => path.join(folder, '@electric-sql', 'pglite', 'dist', 'pgtap.tar.gz'))
  const archive = archives.find((file) => existsSync(file))
  if (!archive) throw new Error('No installed @electric-sql/pglite carries pgtap.tar.gz. Run `npm ci`.')
  return archive
}

/** Replaces a file in one step, because other stacks may be reading the same folder. */
function install(folder: string, name: string, content: Buffer): void {
  const target = path.join(folder, name)
  if (existsSync(target) && readFileSync(target).equals(content)) return
  const partial = `${target}.${process.pid}`
  writeFileSync(partial, content, { mode: 0o644 })
  renameSync(partial, target)
}

/** Regular files of a tar archive, by name (POSIX.1-1988 ustar headers in blocks of 512 bytes). */
function untar(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const text = (from: number, length: number) =>
    archive.toString('latin1', from, from + length).split('\0', 1)[0] ?? ''
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8)
    const type = text(at + 156, 1)
    if (type === '' || type === '0') files.set(text(at, 100), archive.subarray(at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
  return files
}
