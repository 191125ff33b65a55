import type { Stage } from '../stage/stage.ts'

/** Something that is wrong with a stage. */
export type Finding = {
  /** What kind of thing it is, for machines. */
  id: string
  /** Which one: a name of a secret, function, job … */
  about: string
  problem: string
  /** What to do about it; `--stage NAME` stands for what names the stage. */
  mend: string
  /** Set where a stage may stay like that: it does not fail. */
  isWarning?: boolean
}

/** One thing that is read of a stage. It throws where it cannot be read. */
export type Check = {
  name: string
  /** Whether it needs the platform, which a stack of this machine does not have. */
  needsPlatform: boolean
  read(stage: Stage): Promise<Finding[]>
}
