/**
 * A batch holds four complex sequences side by side, one in each lane of a vector, and so eight real frames: those in slots 0 to 3
 * are the real parts, those in slots 4 to 7 the imaginary parts. One element takes so many bytes.
 */
export const ELEMENT: i32 = 32

export const SLOTS: i32 = 8

/** Points of the largest Fourier transform. */
export const LARGEST: i32 = 2048

/** The batch that is worked on. */
export const batch: usize = memory.data(ELEMENT * LARGEST, 16)

/** Another one, for what the kernels keep while they work. */
export const scratch: usize = memory.data(ELEMENT * LARGEST, 16)

/** Of each slot: the address of its frame's first sample (32 bits), and the mean that is taken off (32-bit float). */
export const frames: usize = memory.data(8 * SLOTS, 16)

/** Floats in the row of a slot. */
export const ROW: i32 = 1536

/** A row of results for each slot, one after another. */
export const rows: usize = memory.data(4 * SLOTS * ROW, 16)

/** What a kernel that returns several numbers leaves: three 64-bit floats. */
export const result: usize = memory.data(24, 16)

/** Pitch candidates of a frame at most: Praat's number, the unvoiced one left out. */
export const CANDIDATES: i32 = 14

/** From here on, memory is free for the caller's use. */
export const free: usize = __heap_base
