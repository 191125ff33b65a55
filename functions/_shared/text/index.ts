export { detectCrisis } from './crisis/detect.ts'
export type { Crisis, CrisisLevel } from './crisis/level.ts'
