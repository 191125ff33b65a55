import type { Calls } from '../calls.ts'
import type { Device } from '../device.ts'
import type { CheckIns } from './types.ts'

/** Check-ins that are kept on the device until they have ended. */
export function createCheckIns(calls: Calls, device: Device): CheckIns {
  const missing = async () => {
    throw new Error(`not there yet: ${typeof calls}, ${typeof device}`)
  }
  return {
    checkIn: missing,
    queue: {
      list: async () => [],
      resume: missing,
      retry: missing,
      remove: missing,
      subscribe: () => () => {},
      close() {},
    },
  }
}
