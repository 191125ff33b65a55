import { eyesAreShut } from './expression.ts'
import { fractionOf, type VisualExtractor } from './frames.ts'

/** Within this angle a gaze meets the camera: one image gives a direction to about 10°, checked on photographs. */
const ON_CAMERA_DEG = 20

/**
 * Share of the images in which open eyes look at the camera, by head pose and iris position (see `estimateGaze`). Images
 * with the head turned away count as not looking.
 */
export const gazeOnCameraFraction: VisualExtractor<'gaze_on_camera_fraction'> = {
  name: 'gaze_on_camera_fraction',
  unit: 'fraction',
  range: [0, 1],
  extract: ({ posed }) =>
    fractionOf(
      posed,
      (face) => !eyesAreShut(face) && Math.hypot(face.gaze.right_deg, face.gaze.up_deg) <= ON_CAMERA_DEG,
    ),
}

/** Lower than this a gaze misses the camera and whatever is beside it. */
const DOWN_DEG = -20

/** Share of the images in which the gaze, head and eyes together, is lowered, with eyes open or shut. */
export const gazeDownFraction: VisualExtractor<'gaze_down_fraction'> = {
  name: 'gaze_down_fraction',
  unit: 'fraction',
  range: [0, 1],
  extract: ({ posed }) => fractionOf(posed, ({ gaze }) => gaze.up_deg < DOWN_DEG),
}

/** Mean pitch of the head, positive with the chin raised, over images with a face that shows where it is turned. */
export const headPitchMean: VisualExtractor<'head_pitch_mean_deg'> = {
  name: 'head_pitch_mean_deg',
  unit: 'degrees',
  range: [-90, 90],
  extract: ({ posed }) =>
    posed.length > 0 ? posed.reduce((sum, { pose }) => sum + pose.pitch_deg, 0) / posed.length : null,
}

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
