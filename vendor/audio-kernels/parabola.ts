/** Where a parabola through values at -1, 0 and 1 has its top; 0 when it has none. */
export function vertex(before: f64, at: f64, after: f64): f64 {
  const curvature = 2 * at - before - after
  if (!(curvature > 0)) return 0
  return Math.max(-1, Math.min(1, (0.5 * (after - before)) / curvature))
}

/** How high a parabola through a local maximum and its neighbours has its top. */
export function vertexHeight(y: usize, i: i32): f64 {
  const before = <f64>load<f32>(y + 4 * (i - 1))
  const at = <f64>load<f32>(y + 4 * i)
  const after = <f64>load<f32>(y + 4 * (i + 1))
  const rise = after - before
  return at + (rise * rise) / (8 * (2 * at - before - after))
}
