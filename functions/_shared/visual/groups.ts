/** How many images a check-in has. */
export const MIN_IMAGES = 8
export const MAX_IMAGES = 12

/** Images that one job analyses: about 0.25 s of CPU, and as much again in a new isolate, which is retired at 1 s. */
export const MAX_GROUP_SIZE = 4

/** Of images of more pixels than this, as cameras take them, a job has one fewer. */
const LARGE_PIXELS = 4 * 1024 * 1024

/**
 * Splits `count` images into as few groups as possible, of about equal size: of at most `MAX_GROUP_SIZE`, and one fewer where
 * the largest of them is large.
 */
export function planGroups(count: number, largestPixels = 0): number[][] {
  const groups = Math.ceil(count / (largestPixels > LARGE_PIXELS ? MAX_GROUP_SIZE - 1 : MAX_GROUP_SIZE))
  const boundary = (group: number) => Math.floor((group * count) / groups)
  return Array.from({ length: groups }, (_, group) =>
    Array.from({ length: boundary(group + 1) - boundary(group) }, (_, index) => boundary(group) + index),
  )
}
