/** Which files a worker gives to the domains: those from number `from` up to and without `to`. */
export interface Batch {
  kind: 'audio' | 'images'
  seed: number
  from: number
  to: number
  /** After how many files the memory at rest is read, besides at the end. */
  restAfter: number[]
  /** Of each slice that is analysed, the most, in seconds; all of it without. */
  mostSliceS?: number
}

/** What a worker prints: each request when it begins and ends, and its memory at rest. */
export type Line =
  | { begin: string; number: number }
  | { end: string; outcome: string; cpuS: number; takenMb: number }
  | { settledMb: number; done?: true }
