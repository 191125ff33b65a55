/** Longest name, characters. */
const MAX_CHARACTERS = 1024

/** An object's name that could lead elsewhere. The message leaves it out, as it is somebody's. */
export class UnsafeObjectName extends Error {
  constructor() {
    super('The name of an object could lead elsewhere: nothing is asked for under it')
    this.name = 'UnsafeObjectName'
  }
}

/**
 * Whether an object may have this name: `private.is_object_name`, for names older than that rule, and those in files. The platform's
 * characters, and no level that is empty or has dots and spaces alone.
 */
export function isObjectName(name: string): boolean {
  return (
    name.length <= MAX_CHARACTERS &&
    /^[\w!.*'() &$@=;:+,?/-]+$/.test(name) &&
    !/(?:^|\/)[. ]*(?:\/|$)/.test(name)
  )
}

/**
 * A bucket, a name, or both with a slash between them, as part of an address: for storage-js too, which puts names into addresses as they
 * are. Throws `UnsafeObjectName`.
 */
export function objectPath(name: string): string {
  if (!isObjectName(name)) throw new UnsafeObjectName()
  return name.split('/').map(encodeURIComponent).join('/')
}

/** The address of an object's content below one of Storage's routes. Throws `UnsafeObjectName`. */
export function objectAddress(
  supabaseUrl: string,
  route: 'object' | 'object/authenticated' | 'object/sign',
  { bucket, name }: { bucket: string; name: string },
): string {
  const path = `/storage/v1/${route}/${objectPath(bucket)}/${objectPath(name)}`
  const address = new URL(supabaseUrl.replace(/\/$/, '') + path)
  if (!address.pathname.endsWith(path) || address.search !== '' || address.hash !== '') {
    throw new UnsafeObjectName()
  }
  return address.href
}
