/** Why the model gave nothing that can be used; stands in the log. */
export type FailureCode =
  | 'timeout'
  | 'connection'
  | 'http_error'
  | 'answer_too_large'
  | 'no_answer'
  | 'refused'
  | 'filtered'
  | 'truncated'
  | 'empty'
  | 'invalid_json'
  | 'unusable'

/** The model failed. `summary` is one that it did supply in a part that can be read, else empty. */
export class ModelFailure extends Error {
  readonly code: FailureCode
  readonly summary: string
  /** HTTP status of the provider's answer, where there was one that said no. */
  readonly status: number | undefined

  constructor(code: FailureCode, { summary = '', status }: { summary?: string; status?: number } = {}) {
    super(`The language model failed: ${code}`)
    this.name = 'ModelFailure'
    this.code = code
    this.summary = summary
    this.status = status
  }
}
