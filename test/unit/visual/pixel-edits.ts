import type { Pixels } from '../../../functions/_shared/visual/pixels.ts'

type Rgb = [number, number, number]

/** An image whose pixels a function paints, 0 to 255 each. */
export function paint(width: number, height: number, color: (x: number, y: number) => Rgb): Pixels {
  return draw(width, height, (x, y, { data }, at) => {
    const [red, green, blue] = color(x, y)
    data[at] = red
    data[at + 1] = green
    data[at + 2] = blue
  })
}

/** An opaque image whose pixels are drawn one after the other, each at its place in the data: without an array for each. */
function draw(
  width: number,
  height: number,
  pixel: (x: number, y: number, image: Pixels, at: number) => void,
): Pixels {
  const image = { width, height, data: new Uint8ClampedArray(width * height * 4).fill(255) }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixel(x, y, image, (y * width + x) * 4)
  }
  return image
}

/** Draws a pixel as it is between others, bilinearly; the edge is repeated outside. */
function drawSample({ width, height, data }: Pixels, x: number, y: number, image: Pixels, to: number): void {
  const clampedX = Math.max(0, Math.min(width - 1, x))
  const clampedY = Math.max(0, Math.min(height - 1, y))
  if (Number.isInteger(clampedX) && Number.isInteger(clampedY)) {
    const at = (clampedY * width + clampedX) * 4
    for (let channel = 0; channel < 3; channel++) image.data[to + channel] = data[at + channel] ?? 0
    return
  }
  const left = Math.min(width - 2, Math.floor(clampedX))
  const top = Math.min(height - 2, Math.floor(clampedY))
  const right = clampedX - left
  const below = clampedY - top
  const at = (top * width + left) * 4
  const next = at + width * 4
  for (let channel = 0; channel < 3; channel++) {
    image.data[to + channel] =
      ((data[at + channel] ?? 0) * (1 - right) + (data[at + 4 + channel] ?? 0) * right) * (1 - below) +
      ((data[next + channel] ?? 0) * (1 - right) + (data[next + 4 + channel] ?? 0) * right) * below
  }
}

export function crop(pixels: Pixels, left: number, top: number, width: number, height: number): Pixels {
  return draw(width, height, (x, y, image, at) => drawSample(pixels, left + x, top + y, image, at))
}

export function scale(pixels: Pixels, factor: number): Pixels {
  const [width, height] = [Math.round(pixels.width * factor), Math.round(pixels.height * factor)]
  return draw(width, height, (x, y, image, at) =>
    drawSample(pixels, (x + 0.5) / factor - 0.5, (y + 0.5) / factor - 0.5, image, at),
  )
}

export function mirror(pixels: Pixels): Pixels {
  return draw(pixels.width, pixels.height, (x, y, image, at) =>
    drawSample(pixels, pixels.width - 1 - x, y, image, at),
  )
}

/** Turns the picture clockwise about its middle. */
export function rotate(pixels: Pixels, degrees: number): Pixels {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const [middleX, middleY] = [(pixels.width - 1) / 2, (pixels.height - 1) / 2]
  return draw(pixels.width, pixels.height, (x, y, image, at) => {
    const dx = x - middleX
    const dy = y - middleY
    drawSample(pixels, middleX + dx * cos + dy * sin, middleY - dx * sin + dy * cos, image, at)
  })
}

export function brighten(pixels: Pixels, factor: number): Pixels {
  return draw(pixels.width, pixels.height, (_x, _y, image, at) => {
    for (let channel = at; channel < at + 3; channel++) {
      image.data[channel] = (pixels.data[channel] ?? 0) * factor
    }
  })
}

/** Mean over a square of `2 × radius + 1` pixels, twice. */
export function blur(pixels: Pixels, radius: number): Pixels {
  const along = ({ width, height, data }: Pixels, dx: number, dy: number) =>
    draw(width, height, (x, y, image, to) => {
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0
        for (let step = -radius; step <= radius; step++) {
          const column = Math.max(0, Math.min(width - 1, x + step * dx))
          const row = Math.max(0, Math.min(height - 1, y + step * dy))
          sum += (data[(row * width + column) * 4 + channel] ?? 0) / (2 * radius + 1)
        }
        image.data[to + channel] = sum
      }
    })
  const once = (image: Pixels) => along(along(image, 1, 0), 0, 1)
  return once(once(pixels))
}

/** Two images of the same height next to each other. */
export function beside(left: Pixels, right: Pixels): Pixels {
  return draw(left.width + right.width, left.height, (x, y, image, at) =>
    x < left.width ? drawSample(left, x, y, image, at) : drawSample(right, x - left.width, y, image, at),
  )
}

/** The pixels as a camera that was turned a quarter counter-clockwise stores them, for EXIF orientation 6. */
export function storedSideways(pixels: Pixels): Pixels {
  return draw(pixels.height, pixels.width, (x, y, image, at) =>
    drawSample(pixels, pixels.width - 1 - y, x, image, at),
  )
}
