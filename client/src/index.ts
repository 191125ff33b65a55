export type { Account, NewAccount } from './account.ts'
export type { Buddies, CircleEvent, Contact, ContactDetails } from './buddies.ts'
export type { Unsubscribe } from './channels.ts'
export type {
  CheckInMedia,
  CheckInOptions,
  CheckInQueue,
  CheckInStep,
  Draft,
  EndedCheckIn,
  QueuedCheckIn,
} from './check-in/types.ts'
export {
  createWellbeingClient,
  type HistoryEntry,
  type WellbeingClient,
  type WellbeingOptions,
} from './client.ts'
export type { ConsentKind, Consents } from './consents.ts'
export { type Connection, type Device, type DeviceFiles, type DeviceItems, memoryDevice } from './device.ts'
export {
  type ErrorCode,
  isErrorCode,
  isWellbeingError,
  WellbeingError,
  type WellbeingErrorInit,
  type Words,
} from './errors.ts'
export type { Erasure, Export, ExportSummary, Exports } from './privacy.ts'
export type { Reminder, Reminders } from './reminders.ts'
export type { Session, SessionEvent, SessionOptions, SessionScore } from './session.ts'
export type { CrisisResource, OpenUniversity, Universities } from './university.ts'
export type { ServedLanguage } from './wording.ts'
