/**
 * Why a file cannot be analysed as a still image:
 * - `image_empty`: no bytes;
 * - `image_unreadable`: neither JPEG nor PNG, or damaged beyond decoding;
 * - `image_unsupported`: an image of another format (WebP, HEIC, AVIF, GIF, BMP, TIFF);
 * - `image_truncated`: the file ends before the picture does;
 * - `image_too_small`, `image_too_large`: outside `MIN_SIDE` and `MAX_PIXELS`.
 */
export type ImageErrorCode =
  | 'image_empty'
  | 'image_unreadable'
  | 'image_unsupported'
  | 'image_truncated'
  | 'image_too_small'
  | 'image_too_large'

/** An image that is refused; `message` says what to send instead and is fit to be shown. */
export class ImageError extends Error {
  readonly code: ImageErrorCode

  constructor(code: ImageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ImageError'
    this.code = code
  }
}
