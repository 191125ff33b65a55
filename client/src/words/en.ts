import type { ClientErrorCode, Words } from '../errors.ts'

/** The client's own codes in English. */
export const WORDS: Record<ClientErrorCode, Words> = {
  offline: {
    title: 'There is no connection right now.',
    advice: 'Nothing is lost. Try again once you are connected.',
  },
  service_unavailable: {
    title: 'The service cannot be reached at the moment.',
    advice: 'Try again in a few minutes.',
  },
  session_ended: { title: 'You are signed out.', advice: 'Sign in again to go on. Nothing is lost.' },
  mail_code_invalid: {
    title: 'This code is not right, or no longer valid.',
    advice: 'Check the newest mail, or ask for another code.',
  },
  aborted: { title: 'This was stopped.', advice: 'You can start it again whenever you like.' },
  device_storage_full: {
    title: 'There is no room left on this device.',
    advice: 'Delete something you no longer need, then try again.',
  },
  device_storage_unavailable: {
    title: 'This device keeps nothing for you here.',
    advice: 'Open the app in a normal window, or keep it open until your check-in has been sent.',
  },
  recording_lost: {
    title: 'The recording is no longer on this device.',
    advice: 'Record it again if you like.',
  },
  upload_rejected: {
    title: 'A file could not be accepted.',
    advice: 'Record it again, or send the check-in without it.',
  },
  check_in_too_old: {
    title: 'This check-in waited too long and was not sent.',
    advice: 'It has been deleted from this device. Record another one whenever you like.',
  },
  unknown: { title: 'Something did not work.', advice: 'Try again in a few minutes.' },
}
