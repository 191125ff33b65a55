import type { ClientErrorCode, Words } from '../errors.ts'

/** The client's own codes in Spanish. */
export const WORDS: Record<ClientErrorCode, Words> = {
  offline: {
    title: 'Ahora mismo no hay conexión.',
    advice: 'No se pierde nada. Vuelve a intentarlo cuando tengas conexión.',
  },
  service_unavailable: {
    title: 'En este momento no se puede acceder al servicio.',
    advice: 'Vuelve a intentarlo dentro de unos minutos.',
  },
  session_ended: {
    title: 'Tu sesión se ha cerrado.',
    advice: 'Inicia sesión de nuevo para continuar. No se pierde nada.',
  },
  mail_code_invalid: {
    title: 'Este código no es correcto o ya no es válido.',
    advice: 'Mira el correo más reciente o pide otro código.',
  },
  aborted: { title: 'Esto se ha interrumpido.', advice: 'Puedes volver a empezar cuando quieras.' },
  device_storage_full: {
    title: 'No queda espacio en este dispositivo.',
    advice: 'Borra algo que ya no necesites y vuelve a intentarlo.',
  },
  device_storage_unavailable: {
    title: 'Aquí no se puede guardar nada en este dispositivo.',
    advice:
      'Abre la aplicación en una ventana normal o déjala abierta hasta que se haya enviado tu registro.',
  },
  recording_lost: {
    title: 'La grabación ya no está en este dispositivo.',
    advice: 'Grábala de nuevo si quieres.',
  },
  upload_rejected: {
    title: 'No se ha podido aceptar un archivo.',
    advice: 'Grábalo de nuevo o envía el registro sin él.',
  },
  check_in_too_old: {
    title: 'Este registro ha esperado demasiado y no se ha enviado.',
    advice: 'Se ha borrado de este dispositivo. Graba otro cuando quieras.',
  },
  unknown: { title: 'Algo no ha funcionado.', advice: 'Vuelve a intentarlo dentro de unos minutos.' },
}
