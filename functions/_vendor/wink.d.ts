/** The part of wink-nlp and of its English model that the text analysis calls; see vendor/text.ts. */

/** Properties of a token, for `its`. */
export type TokenProperty = (...stored: never[]) => string

export interface ItemToken {
  out(property?: TokenProperty): string
}

export interface ItemSentence {
  out(): string
  tokens(): { each(visit: (token: ItemToken) => void): void }
}

export interface WinkDocument {
  sentences(): { each(visit: (sentence: ItemSentence) => void): void }
}

/** The English model: sentence boundaries (`sbd`) and parts of speech (`pos`). */
export const model: object

export function winkNLP(
  model: object,
  pipe: ('sbd' | 'pos')[],
): {
  readDoc(text: string): WinkDocument
  its: { precedingSpaces: TokenProperty; pos: TokenProperty }
}
