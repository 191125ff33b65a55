import type { Draft } from './draft.ts'
import type { Family } from './values/value.ts'

/** One change of a request. */
export type Tampering = { family: Family; apply(draft: Draft): void }

/** All that is tried in one place of one call, such as a field of its body. */
export type Lane = {
  /** `POST /checkins/start body.type` */
  name: string
  tamperings: readonly Tampering[]
  /** What is tried in every run, before the rest. */
  first?: Family
}
