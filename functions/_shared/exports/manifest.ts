import type { Row } from './relations.ts'

/** Version of the layout of an export, which `npm run import` checks. */
export const EXPORT_FORMAT = 1

/** A table as the manifest names it. */
export type ManifestTable = { schema: string; table: string; file: string; rows: number }

/** What `manifest.json` says: what an import needs to know, and what a reader may. */
export type Manifest = {
  format: typeof EXPORT_FORMAT
  export: string
  created_at: string
  volume: number
  volumes: number
  user_id: string
  tables: ManifestTable[]
  /** Universities that rows name. */
  universities: Row[]
  /** Originals that are files of their own, because they are too large for a zip. */
  large_files: { file_name: string; bucket: string; name: string; type: string | null }[]
  /** Columns about the person that are left out, and why. */
  withheld: { table: string; column: string; reason: string }[]
}
