import { isAway, isDatabaseError } from '../postgres/errors.ts'

/** An error of the storage API, whose body names the status that it means. */
export class StorageError extends Error {
  readonly statusCode: number
  readonly code: string
  readonly error: string
  constructor(statusCode: number, code: string, message: string, error = code) {
    super(message)
    this.statusCode = statusCode
    this.code = code
    this.error = error
  }
}

export const errors = {
  accessDenied: (message: string) => new StorageError(403, 'AccessDenied', message, 'Unauthorized'),
  alreadyExists: () => new StorageError(409, 'KeyAlreadyExists', 'The resource already exists', 'Duplicate'),
  bucketNotEmpty: () =>
    new StorageError(409, 'ResourceNotEmpty', 'The bucket you tried to delete is not empty'),
  bucketNotFound: () => new StorageError(404, 'NoSuchBucket', 'Bucket not found', 'Bucket not found'),
  invalidBody: (message: string) => new StorageError(400, 'InvalidRequest', message),
  invalidBucketMimeType: (type: string) =>
    new StorageError(400, 'InvalidMimeType', `mime type ${type} is not supported`, 'invalid_mime_type'),
  invalidFileSizeLimit: () =>
    new StorageError(400, 'InvalidRequest', 'Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B'),
  invalidBucketName: () => new StorageError(400, 'InvalidBucketName', 'Bucket name invalid', 'Invalid Input'),
  invalidJwt: (message: string) => new StorageError(400, 'InvalidJWT', message),
  invalidKey: (key: string) => new StorageError(400, 'InvalidKey', `Invalid key: ${key}`),
  invalidRange: () => new StorageError(416, 'InvalidRange', 'invalid range provided', 'invalid_range'),
  invalidMimeType: (type: string) =>
    new StorageError(415, 'InvalidMimeType', `mime type ${type} is not supported`, 'invalid_mime_type'),
  databaseTimeout: () => new StorageError(544, 'DatabaseTimeout', 'The connection to the database timed out'),
  noContent: () => new StorageError(400, 'InvalidRequest', 'No content provided'),
  notFound: () => new StorageError(404, 'NoSuchKey', 'Object not found', 'not_found'),
  invalidSignature: (message = 'Invalid signature') => new StorageError(400, 'InvalidSignature', message),
  tooLarge: () =>
    new StorageError(
      413,
      'EntityTooLarge',
      'The object exceeded the maximum allowed size',
      'Payload too large',
    ),
}

/** The storage API's code for an error of Postgres, such as a policy that does not allow it. */
export function fromDatabase(error: unknown): unknown {
  if (isAway(error)) return errors.databaseTimeout()
  if (!isDatabaseError(error)) return error
  if (error.code === '42501') return errors.accessDenied(error.message.replace(/ for table .*$/, ''))
  if (error.code === '23505') return errors.alreadyExists()
  if (error.code === '23503')
    return new StorageError(404, 'InvalidRequest', 'The related resource does not exist')
  // A name that no text of Postgres can hold.
  if (error.code === '22021') return errors.invalidKey('it has a character that no name can have')
  if (error.code === '57014') return errors.databaseTimeout()
  return error
}

/**
 * As on the platform, the HTTP status is 400 whatever the body's `statusCode` says, but for 416, 500 and 544.
 *
 * Source: `userStatusCode` in src/internal/errors and src/http/error-handler.ts of supabase/storage.
 */
export function storageErrorResponse(error: StorageError): Response {
  const { statusCode, code, message } = error
  const body = { statusCode: String(statusCode), code, error: error.error, message }
  const status = [416, 500, 544].includes(statusCode) ? statusCode : 400
  return Response.json(body, { status })
}
