import { eyesAreShut } from './eye-closure-fraction.ts'
import { fractionOf, type VisualExtractor } from './frames.ts'

/** Within this angle a gaze meets the camera: one image gives a direction to about 10°, checked on photographs. */
const ON_CAMERA_DEG = 20

/**
 * Share of the images in which open eyes look at the camera, by head pose and iris position (see gaze.ts). Images
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
