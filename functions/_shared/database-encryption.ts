/** A container's name, or this machine: a network that nobody else reads. */
const PRIVATE_HOST = /^([a-z0-9_-]+|127\.\d+\.\d+\.\d+|\[::1\])$/i

/**
 * Options of `postgres` that encrypt a connection wherever others could listen, and verify the server where it is known against
 * what. `postgres` itself encrypts nothing unless it is told to.
 *
 * @param url Postgres URL; a `sslmode` in it decides, unless there is a certificate authority
 * @param certificateAuthority PEM that the server's certificate must come from; undefined for none
 */
export function databaseEncryption(
  url: string,
  certificateAuthority: string | undefined,
): { ssl?: 'require' | { ca: string } } {
  const { hostname, searchParams } = new URL(url)
  if (certificateAuthority) return { ssl: { ca: certificateAuthority } }
  return searchParams.has('sslmode') || PRIVATE_HOST.test(hostname) ? {} : { ssl: 'require' }
}
