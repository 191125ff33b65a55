export type {
  CheckInMedia,
  CheckInOptions,
  CheckInQueue,
  CheckInStep,
  EndedCheckIn,
  QueuedCheckIn,
} from './check-in/types.ts'
export { createWellbeingClient, type WellbeingClient, type WellbeingOptions } from './client.ts'
export { type Connection, type Device, type DeviceFiles, type DeviceItems, memoryDevice } from './device.ts'
export { type ErrorCode, isWellbeingError, WellbeingError, type Words } from './errors.ts'
