import { errors } from './errors.ts'

/** @throws StorageError unless the key has only the characters that the platform allows */
export function assertKey(key: string): void {
  if (key.length === 0 || key.length > 1024 || !/^[\w/!\-.*'() &$@=;:+,?]*$/.test(key))
    throw errors.invalidKey(key)
}

/** @throws StorageError */
export function assertBucketName(name: string): void {
  if (name.length === 0 || name.length >= 64 || !/^[\w!\-.*'() &$@=;:+,?]*$/.test(name)) {
    throw errors.invalidBucketName()
  }
}
