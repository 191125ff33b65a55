export type LightHint = 'too_dark' | 'too_bright'

/** Fewest and most images of a check-in. */
const FEWEST = 8
const MOST = 12
/** Twice what is needed is kept, so that half of them can go when the time between two doubles. */
const KEPT = 2 * MOST
const FIRST_INTERVAL_S = 0.5
const JPEG_QUALITY = 0.85
/** Side of the square in which light is measured, px. */
const LIGHT_SIDE = 32
/** As the service: under this mean brightness a picture is called dark. */
const DARK_BELOW = 0.06
/** Share of white pixels from which nothing is left of a face. */
const WHITE_SHARE = 0.5
const WHITE = 250

/**
 * Images spread over a recording whose length nobody knows beforehand: often at first, then at twice the distance whenever twice
 * as many are there as are needed.
 */
export function createAlbum<Picture>() {
  let intervalS = FIRST_INTERVAL_S
  let taken: Picture[] = []
  let dueS = 0
  return {
    isDue: (atS: number) => atS >= dueS,
    add(picture: Picture, atS: number): void {
      taken.push(picture)
      if (taken.length === KEPT) {
        taken = taken.filter((_, index) => index % 2 === 0)
        intervalS *= 2
      }
      dueS = atS + intervalS
    },
    /** How many `chosen` would be. */
    count: () => Math.min(taken.length, MOST),
    /** At most 12, at even distances from the first to the last; none where fewer than 8 were taken. */
    chosen: () => (taken.length < FEWEST ? [] : spread(taken, MOST)),
  }
}

function spread<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items]
  const step = (items.length - 1) / (most - 1)
  const chosen = new Set(Array.from({ length: most }, (_, place) => Math.round(place * step)))
  return items.filter((_, index) => chosen.has(index))
}

/** What is wrong with the light, from the RGBA of a picture made small. */
export function lightHints(rgba: Uint8ClampedArray): LightHint[] {
  let luma = 0
  let white = 0
  for (let at = 0; at < rgba.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(at, at + 3)
    luma += 0.299 * red + 0.587 * green + 0.114 * blue
    if (Math.min(red, green, blue) >= WHITE) white++
  }
  const pixels = Math.max(1, rgba.length / 4)
  if (luma / pixels / 255 < DARK_BELOW) return ['too_dark']
  return white / pixels > WHITE_SHARE ? ['too_bright'] : []
}

/** Takes pictures of a camera's track, with `side` px at most on their longest side. */
export function openImages(track: MediaStreamTrack, side: number) {
  const video = document.createElement('video')
  // Without both, Safari on a phone plays no picture, or one that fills the screen.
  video.muted = true
  video.playsInline = true
  video.srcObject = new MediaStream([track])
  const play = () => video.play().catch(() => {})
  play()
  const canvas = document.createElement('canvas')
  const light = document.createElement('canvas')
  light.width = LIGHT_SIDE
  light.height = LIGHT_SIDE
  const lightContext = light.getContext('2d', { willReadFrequently: true })
  let lastFrame = -1
  let taking = false

  const hasPicture = () => track.readyState === 'live' && !track.muted && video.readyState >= 2
  return {
    hints(): LightHint[] {
      if (!hasPicture() || !lightContext) return []
      lightContext.drawImage(video, 0, 0, LIGHT_SIDE, LIGHT_SIDE)
      return lightHints(lightContext.getImageData(0, 0, LIGHT_SIDE, LIGHT_SIDE).data)
    },
    /** A JPEG of what the camera sees now; null where it has shown nothing new since the last one. */
    async take(): Promise<Blob | null> {
      if (taking || !hasPicture() || video.currentTime === lastFrame) return null
      taking = true
      lastFrame = video.currentTime
      const scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight))
      canvas.width = Math.round(video.videoWidth * scale)
      canvas.height = Math.round(video.videoHeight * scale)
      canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
      try {
        return await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY))
      } finally {
        taking = false
      }
    },
    /** Goes on after an interruption: Safari leaves a video paused that was hidden. */
    wake: play,
    close(): void {
      video.pause()
      video.srcObject = null
    },
  }
}
