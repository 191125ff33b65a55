import { cross, degrees, distance, middle, type Point, pointOf, subtract, unit } from './geometry.ts'
import type { EyePoints, Landmarks } from './landmarks.ts'
import type { Gaze, HeadPose } from './outcome.ts'

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

const OUTER_CORNER = 0
const INNER_CORNER = 8

/** Width of the eye's opening over the eyeball's radius, about 30 mm over 12 mm in adults. */
const WIDTH_OVER_RADIUS = 2.5

/**
 * Head pose plus the turn of the eyeballs, which follows from how far each iris lies from the middle of its eye
 * (the geometric eye model of Ishikawa et al. 2004, "Passive driver gaze tracking", simplified to one image).
 */
export function estimateGaze({ rightEye, leftEye }: Landmarks, pose: HeadPose): Gaze {
  const right = eyeTurn(rightEye, OUTER_CORNER, INNER_CORNER)
  const left = eyeTurn(leftEye, INNER_CORNER, OUTER_CORNER)
  return {
    right_deg: pose.yaw_deg + (right.right_deg + left.right_deg) / 2,
    up_deg: pose.pitch_deg + (right.up_deg + left.up_deg) / 2,
  }
}

function eyeTurn({ contour, iris }: EyePoints, startCorner: number, endCorner: number): Gaze {
  const start = pointOf(contour, startCorner)
  const end = pointOf(contour, endCorner)
  const center = middle(start, end)
  const width = distance(start, end)
  const alongX = (end.x - start.x) / width
  const alongY = (end.y - start.y) / width
  const right = ((iris.x - center.x) * alongX + (iris.y - center.y) * alongY) / width
  const down = ((iris.y - center.y) * alongX - (iris.x - center.x) * alongY) / width
  const turn = (offset: number) => degrees(Math.asin(Math.max(-1, Math.min(1, offset * WIDTH_OVER_RADIUS))))
  return { right_deg: turn(right), up_deg: turn(-down) }
}
