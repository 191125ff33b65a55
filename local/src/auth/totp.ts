import { Secret, TOTP } from 'otpauth'
import encodeQR from 'qr'
import { errors } from './errors.ts'

/** A new TOTP key, as `POST /factors` returns it. */
export interface TotpKey {
  /** SVG of the URI as a QR code. */
  qr_code: string
  /** 160 bits, base32. */
  secret: string
  /** `otpauth://totp/…`, for authenticator apps. */
  uri: string
}

/** What every authenticator app takes for granted, and GoTrue's settings. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 }

/**
 * Makes a key for an account.
 *
 * @param issuer who the code is for, as the app shows it
 * @throws AuthError `validation_failed` when the issuer is too long for a QR code
 */
export function createTotpKey(issuer: string, account: string): TotpKey {
  const secret = new Secret({ size: 20 })
  // A lone half of a surrogate pair has no place in a URI.
  const totp = new TOTP({ ...parameters, issuer: issuer.toWellFormed(), label: account, secret })
  const uri = totp.toString()
  return { qr_code: qrCodeOf(uri), secret: secret.base32, uri }
}

/** On white, so that it can be scanned from a dark page too. */
function qrCodeOf(uri: string): string {
  try {
    const svg = encodeQR(uri, 'svg', { ecc: 'high' })
    return svg.replace('<path', '<path fill="white" d="M0 0h999v999H0z"/><path')
  } catch {
    throw errors.validation('Issuer is too long for a QR code')
  }
}

/** Whether a code is that of now, or of the 30 seconds before or after. */
export function isTotpCode(secret: string, code: string): boolean {
  const token = code.trim()
  // otpauth throws at characters of several bytes.
  if (!/^[0-9]{6}$/.test(token)) return false
  return (
    new TOTP({ ...parameters, secret: Secret.fromBase32(secret) }).validate({ token, window: 1 }) !== null
  )
}
