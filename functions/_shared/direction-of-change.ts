/** Directions of a change against what was before, as `checkin.direction_of_change` has them. */
export const DIRECTIONS = ['better', 'same', 'worse'] as const

export type Direction = (typeof DIRECTIONS)[number]

/** How clearly a change stands out from the usual variation, as `checkin.significance` has it. */
export const SIGNIFICANCES = ['low', 'medium', 'high'] as const

export type Significance = (typeof SIGNIFICANCES)[number]
