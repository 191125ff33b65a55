/** Images that one request analyses: 4 take about 1 s of CPU with a cold start, of the 2 s that it may use. */
export const MAX_GROUP_SIZE = 4

/** Splits `count` images into as few groups of at most `MAX_GROUP_SIZE` as possible, of about equal size. */
export function planGroups(count: number): number[][] {
  const groups = Math.ceil(count / MAX_GROUP_SIZE)
  const boundary = (group: number) => Math.floor((group * count) / groups)
  return Array.from({ length: groups }, (_, group) =>
    Array.from({ length: boundary(group + 1) - boundary(group) }, (_, index) => boundary(group) + index),
  )
}
