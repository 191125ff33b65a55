import type { ClientErrorCode, Words } from '../errors.ts'

/** The client's own codes in German. */
export const WORDS: Record<ClientErrorCode, Words> = {
  offline: {
    title: 'Gerade besteht keine Verbindung.',
    advice: 'Es geht nichts verloren. Versuche es noch einmal, sobald du wieder verbunden bist.',
  },
  service_unavailable: {
    title: 'Der Dienst ist im Moment nicht erreichbar.',
    advice: 'Versuche es in ein paar Minuten noch einmal.',
  },
  session_ended: {
    title: 'Du bist abgemeldet.',
    advice: 'Melde dich wieder an, um weiterzumachen. Es geht nichts verloren.',
  },
  mail_code_invalid: {
    title: 'Dieser Code stimmt nicht oder gilt nicht mehr.',
    advice: 'Sieh in der neuesten Mail nach oder fordere einen neuen Code an.',
  },
  aborted: { title: 'Das wurde abgebrochen.', advice: 'Du kannst jederzeit neu beginnen.' },
  device_storage_full: {
    title: 'Auf diesem Gerät ist kein Platz mehr.',
    advice: 'Lösche etwas, das du nicht mehr brauchst, und versuche es dann noch einmal.',
  },
  device_storage_unavailable: {
    title: 'Auf diesem Gerät kann hier nichts gespeichert werden.',
    advice: 'Öffne die App in einem normalen Fenster oder lass sie offen, bis dein Check-in gesendet ist.',
  },
  recording_lost: {
    title: 'Die Aufnahme ist nicht mehr auf diesem Gerät.',
    advice: 'Nimm sie noch einmal auf, wenn du möchtest.',
  },
  upload_rejected: {
    title: 'Eine Datei konnte nicht angenommen werden.',
    advice: 'Nimm sie noch einmal auf oder sende den Check-in ohne sie.',
  },
  check_in_too_old: {
    title: 'Dieser Check-in hat zu lange gewartet und wurde nicht gesendet.',
    advice: 'Er ist von diesem Gerät gelöscht. Nimm einen neuen auf, wann immer du möchtest.',
  },
  unknown: { title: 'Etwas hat nicht geklappt.', advice: 'Versuche es in ein paar Minuten noch einmal.' },
}
