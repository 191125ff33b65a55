import type { AnyAST } from '@supabase/lite'

/**
 * With `Prefer: missing=default` a column that a row leaves out gets its default, and is answered as it is stored. lite
 * answers null for it, by the length of the list of columns; it reads the list only as something to go through.
 */
export function answerDefaults({ $meta: preferences }: AnyAST): void {
  if (preferences?.missing !== 'default' || !preferences.columns) return
  Object.assign(preferences, { columns: new Set(preferences.columns) })
}
