import type { Extractors } from '../../features/definition.ts'
import type { VisualFeatureName } from '../../features/visual.ts'
import { eyesAreShut } from './expression.ts'
import { type Frames, fractionOf } from './frames.ts'

/** Within this angle a gaze meets the camera: one image gives a direction to about 10°, checked on photographs. */
const ON_CAMERA_DEG = 20

/** Lower than this a gaze misses the camera and whatever is beside it. */
const DOWN_DEG = -20

/** Where eyes and head are turned, by `estimateGaze` and head pose; what each measures, and how: `VISUAL_DEFINITIONS`. */
export const GAZE_AND_POSE = {
  gaze_on_camera_fraction: ({ posed }) =>
    fractionOf(
      posed,
      (face) => !eyesAreShut(face) && Math.hypot(face.gaze.right_deg, face.gaze.up_deg) <= ON_CAMERA_DEG,
    ),

  gaze_down_fraction: ({ posed }) => fractionOf(posed, ({ gaze }) => gaze.up_deg < DOWN_DEG),

  head_pitch_mean_deg: ({ posed }) =>
    posed.length > 0 ? posed.reduce((sum, { pose }) => sum + pose.pitch_deg, 0) / posed.length : null,

  head_yaw_sd_deg: ({ posed }) => {
    if (posed.length < 2) return null
    const mean = posed.reduce((sum, { pose }) => sum + pose.yaw_deg, 0) / posed.length
    return Math.sqrt(posed.reduce((sum, { pose }) => sum + (pose.yaw_deg - mean) ** 2, 0) / posed.length)
  },
} satisfies Partial<Extractors<VisualFeatureName, Frames>>
