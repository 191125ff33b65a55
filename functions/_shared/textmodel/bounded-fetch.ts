/** The provider's answer was longer than any that is meant. */
export class AnswerTooLarge extends Error {}

/**
 * A `fetch` that resolves when the body is there in full, so that its caller's time limit covers the body too, and that
 * rejects with `AnswerTooLarge` when it is over `maxBytes`. Redirects fail: the words go to nobody but the provider.
 */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' })
    const chunks: Uint8Array<ArrayBuffer>[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      if (size > maxBytes) throw new AnswerTooLarge('The answer is too large')
      chunks.push(chunk)
    }
    const { status, headers } = response
    return new Response(size > 0 ? new Blob(chunks) : null, { status, headers })
  }
}
