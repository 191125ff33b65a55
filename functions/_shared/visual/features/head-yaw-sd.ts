import type { VisualExtractor } from './frames.ts'

/** Standard deviation of the head's yaw, how much it turns from side to side between images; needs two. */
export const headYawSd: VisualExtractor<'head_yaw_sd_deg'> = {
  name: 'head_yaw_sd_deg',
  unit: 'degrees',
  range: [0, 90],
  extract: ({ posed }) => {
    if (posed.length < 2) return null
    const mean = posed.reduce((sum, { pose }) => sum + pose.yaw_deg, 0) / posed.length
    return Math.sqrt(posed.reduce((sum, { pose }) => sum + (pose.yaw_deg - mean) ** 2, 0) / posed.length)
  },
}
