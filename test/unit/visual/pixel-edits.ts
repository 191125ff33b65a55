import type { Pixels } from '../../../functions/_shared/visual/pixels.ts'

type Rgb = [number, number, number]

/** An image whose pixels a function paints, 0 to 255 each. */
export function paint(width: number, height: number, color: (x: number, y: number) => Rgb): Pixels {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4
      const [red, green, blue] = color(x, y)
      data[at] = red
      data[at + 1] = green
      data[at + 2] = blue
      data[at + 3] = 255
    }
  }
  return { width, height, data }
}

/** A pixel between others, bilinearly; the edge is repeated outside. */
function sample({ width, height, data }: Pixels, x: number, y: number): Rgb {
  const clampedX = Math.max(0, Math.min(width - 1, x))
  const clampedY = Math.max(0, Math.min(height - 1, y))
  if (Number.isInteger(clampedX) && Number.isInteger(clampedY)) {
    const at = (clampedY * width + clampedX) * 4
    return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]
  }
  const left = Math.min(width - 2, Math.floor(clampedX))
  const top = Math.min(height - 2, Math.floor(clampedY))
  const [right, below] = [clampedX - left, clampedY - top]
  const channel = (index: number) => {
    const at = (dx: number, dy: number) => data[((top + dy) * width + left + dx) * 4 + index] ?? 0
    return (
      (at(0, 0) * (1 - right) + at(1, 0) * right) * (1 - below) +
      (at(0, 1) * (1 - right) + at(1, 1) * right) * below
    )
  }
  return [channel(0), channel(1), channel(2)]
}

export function crop(pixels: Pixels, left: number, top: number, width: number, height: number): Pixels {
  return paint(width, height, (x, y) => sample(pixels, left + x, top + y))
}

export function scale(pixels: Pixels, factor: number): Pixels {
  return paint(Math.round(pixels.width * factor), Math.round(pixels.height * factor), (x, y) =>
    sample(pixels, (x + 0.5) / factor - 0.5, (y + 0.5) / factor - 0.5),
  )
}

export function mirror(pixels: Pixels): Pixels {
  return paint(pixels.width, pixels.height, (x, y) => sample(pixels, pixels.width - 1 - x, y))
}

/** Turns the picture clockwise about its middle. */
export function rotate(pixels: Pixels, degrees: number): Pixels {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const [middleX, middleY] = [(pixels.width - 1) / 2, (pixels.height - 1) / 2]
  return paint(pixels.width, pixels.height, (x, y) => {
    const [dx, dy] = [x - middleX, y - middleY]
    return sample(pixels, middleX + dx * cos + dy * sin, middleY - dx * sin + dy * cos)
  })
}

export function brighten(pixels: Pixels, factor: number): Pixels {
  return paint(pixels.width, pixels.height, (x, y) => {
    const [red, green, blue] = sample(pixels, x, y)
    return [red * factor, green * factor, blue * factor]
  })
}

/** Mean over a square of `2 × radius + 1` pixels, twice. */
export function blur(pixels: Pixels, radius: number): Pixels {
  const along = (image: Pixels, dx: number, dy: number) =>
    paint(image.width, image.height, (x, y) => {
      const sum: Rgb = [0, 0, 0]
      for (let step = -radius; step <= radius; step++) {
        const [red, green, blue] = sample(image, x + step * dx, y + step * dy)
        sum[0] += red / (2 * radius + 1)
        sum[1] += green / (2 * radius + 1)
        sum[2] += blue / (2 * radius + 1)
      }
      return sum
    })
  const once = (image: Pixels) => along(along(image, 1, 0), 0, 1)
  return once(once(pixels))
}

/** Two images of the same height next to each other. */
export function beside(left: Pixels, right: Pixels): Pixels {
  return paint(left.width + right.width, left.height, (x, y) =>
    x < left.width ? sample(left, x, y) : sample(right, x - left.width, y),
  )
}

/** The pixels as a camera that was turned a quarter counter-clockwise stores them, for EXIF orientation 6. */
export function storedSideways(pixels: Pixels): Pixels {
  return paint(pixels.height, pixels.width, (x, y) => sample(pixels, pixels.width - 1 - y, x))
}
