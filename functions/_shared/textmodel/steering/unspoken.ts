/** Writing that nobody speaks, such as encodings. On the text as it is, each match whole words. */
export const UNSPOKEN: readonly RegExp[] = [
  /[!-~]{40,}/g,
  /[A-Za-z0-9+/]{10,}={1,2}(?![!-~])/g,
  /(?<![!-~])[!-~]*(?:[a-z0-9+/][A-Z]|[A-Za-z][0-9])[A-Za-z0-9+/]{2,}(?:[a-z0-9][A-Z]|[A-Za-z][0-9])[A-Za-z0-9+/]{10,}={0,2}/g,
  /\b(?:0x)?(?:[0-9a-f]{2}[ :]?){12,}(?![a-z])/gi,
  /(?:[01]{7,8}[ ,]?){4,}/g,
  /(?<![!-~])[!-~]*(?:%[0-9a-f]{2}[!-~]*){2,}/gi,
  /(?:\\u[0-9a-f]{4}|\\x[0-9a-f]{2}){3,}/gi,
  /(?:&#x?[0-9a-f]{2,6};){3,}/gi,
  /(?:[.\u00b7-]{1,6}[ /|]+){10,}/g,
  /(?:\b\d{2,3}\b[ ,]+){12,}/g,
]
