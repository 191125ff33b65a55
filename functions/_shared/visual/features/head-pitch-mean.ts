import type { VisualExtractor } from './frames.ts'

/** Mean pitch of the head, positive with the chin raised, over images with a face that shows where it is turned. */
export const headPitchMean: VisualExtractor<'head_pitch_mean_deg'> = {
  name: 'head_pitch_mean_deg',
  unit: 'degrees',
  range: [-90, 90],
  extract: ({ posed }) =>
    posed.length > 0 ? posed.reduce((sum, { pose }) => sum + pose.pitch_deg, 0) / posed.length : null,
}
