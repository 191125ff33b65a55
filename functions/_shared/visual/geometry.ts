/** A point in pixels of the upright image: x to the right, y downwards, z away from the camera. */
export interface Point {
  x: number
  y: number
  z: number
}

/** Point number `index`; throws when the model gave none of that number. */
export function pointOf(points: Point[], index: number): Point {
  const point = points[index]
  if (!point) throw new RangeError(`there is no landmark ${index}`)
  return point
}

export function subtract(to: Point, from: Point): Point {
  return { x: to.x - from.x, y: to.y - from.y, z: to.z - from.z }
}

export function cross(first: Point, second: Point): Point {
  return {
    x: first.y * second.z - first.z * second.y,
    y: first.z * second.x - first.x * second.z,
    z: first.x * second.y - first.y * second.x,
  }
}

export function dot(first: Point, second: Point): number {
  return first.x * second.x + first.y * second.y + first.z * second.z
}

export function length(vector: Point): number {
  return Math.hypot(vector.x, vector.y, vector.z)
}

export function unit(vector: Point): Point {
  const size = length(vector) || 1
  return { x: vector.x / size, y: vector.y / size, z: vector.z / size }
}

export function middle(...points: Point[]): Point {
  const mean = (axis: keyof Point) => points.reduce((sum, point) => sum + point[axis], 0) / points.length
  return { x: mean('x'), y: mean('y'), z: mean('z') }
}

/** Distance in the image plane, where landmarks are most exact: depth is the model's guess. */
export function distance(first: Point, second: Point): number {
  return Math.hypot(first.x - second.x, first.y - second.y)
}

export const degrees = (radians: number) => (radians * 180) / Math.PI
