import type { Device } from '../device.ts'

/**
 * A browser's device: IndexedDB, encrypted with a key that scripts can't read out (AES-GCM), locks and messages between tabs.
 *
 * @throws {WellbeingError} `device_storage_unavailable` at the first use where the browser has none, as in some private windows
 */
export function browserDevice(options: { name?: string } = {}): Device {
  throw new Error(`not there yet: ${options.name}`)
}
