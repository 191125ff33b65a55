import type { Management } from '../stage/management.ts'
import type { Stage } from '../stage/stage.ts'

/** A hosted stage. */
export type HostedStage = Stage & {
  management: Management
  /** Names of the functions' secrets that are to be removed. */
  unset: readonly string[]
}

/** One step of a deployment, which can be repeated. */
export type Step = {
  name: string
  about: string
  /** What it would change, a line each, as far as the stage tells before the steps before it; none when nothing is left to do. */
  pending(stage: HostedStage): Promise<string[]>
  apply(stage: HostedStage, print: (text: string) => void): Promise<void>
  /** What to do when it fails. */
  help: string
}
