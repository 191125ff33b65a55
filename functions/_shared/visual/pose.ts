import type { Point } from './crop.ts'
import { pointOf } from './landmarks.ts'
import { cross, degrees, subtract, unit } from './vectors.ts'

/**
 * How the head is turned, in degrees, all zero when it faces the camera upright: `pitch_deg` positive with the chin
 * raised, `yaw_deg` positive towards the person's left (right in the image), `roll_deg` positive when the head tilts
 * clockwise in the image. A mirrored image changes the signs of yaw and roll only.
 */
export interface HeadPose {
  pitch_deg: number
  yaw_deg: number
  roll_deg: number
}

const FOREHEAD = 10
const CHIN = 152
const RIGHT_CHEEK = 234
const LEFT_CHEEK = 454

/**
 * Angles of the plane that forehead, chin and cheeks of the mesh span. Roll is taken out first, so that pitch and yaw
 * are the head's own and stay the same when the camera is tilted.
 */
export function headPose(mesh: Point[]): HeadPose {
  const across = unit(subtract(pointOf(mesh, LEFT_CHEEK), pointOf(mesh, RIGHT_CHEEK)))
  const down = unit(subtract(pointOf(mesh, CHIN), pointOf(mesh, FOREHEAD)))
  const backwards = unit(cross(across, down))
  const roll = Math.atan2(across.y, across.x)
  const right = backwards.x * Math.cos(roll) + backwards.y * Math.sin(roll)
  const below = backwards.y * Math.cos(roll) - backwards.x * Math.sin(roll)
  return {
    pitch_deg: degrees(Math.asin(Math.max(-1, Math.min(1, below)))),
    yaw_deg: degrees(Math.atan2(-right, backwards.z)),
    roll_deg: degrees(roll),
  }
}
