import type { Bytes } from './bytes.ts'

/** A part of a multipart form. */
export type Part = { headers: readonly Bytes[]; content: Bytes }

/** What stands between the parts. */
export const BOUNDARY = 'hostile-boundary'

/** A multipart form and its content type. */
export function multipart(parts: readonly Part[]): { type: string; body: Bytes } {
  const pieces = parts.map(
    ({ headers, content }) => `--${BOUNDARY}\r\n${headers.join('\r\n')}\r\n\r\n${content}\r\n`,
  )
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, body: `${pieces.join('')}--${BOUNDARY}--\r\n` }
}
