import { createHmac } from 'node:crypto'
import type { Client } from '../stack/project.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code that an authenticator app shows now (RFC 6238: SHA-1, six digits, 30 s). */
export function codeOf(secret: string): string {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Adds an authenticator app to an account, and gives its code: the client's session is at `aal2` then. */
export async function addAuthenticator({
  auth,
}: Client): Promise<{ token: string; factorId: string; secret: string }> {
  const added = await auth.mfa.enroll({ factorType: 'totp', friendlyName: crypto.randomUUID() })
  if (added.error) throw added.error
  const { id: factorId, totp } = added.data
  const given = await auth.mfa.challengeAndVerify({ factorId, code: codeOf(totp.secret) })
  if (given.error) throw given.error
  return { token: given.data.access_token, factorId, secret: totp.secret }
}
