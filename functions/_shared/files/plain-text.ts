const BLOCK_BYTES = 64 * 1024

/** Control characters that a text may have: tab, line feed, form feed, carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/

/** What a browser or a shell would run if it were told to, or guessed. */
const MARKUP =
  /^\ufeff?\s*(?:#!|<(?:!doctype|!--|\?|html|head|body|svg|script|style|iframe|img|meta|link|title|math|xml))/i

/** Whether bytes are UTF-8 text without control characters; reads a block at a time, keeping nothing. */
export function isPlainText(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
      const block = bytes.subarray(start, start + BLOCK_BYTES)
      if (CONTROL.test(decoder.decode(block, { stream: true }))) return false
    }
    decoder.decode()
    return true
  } catch {
    return false
  }
}

/** Whether a text begins as a page, a drawing or a script does. */
export function isMarkup(bytes: Uint8Array): boolean {
  return MARKUP.test(new TextDecoder().decode(bytes.subarray(0, BLOCK_BYTES)))
}
