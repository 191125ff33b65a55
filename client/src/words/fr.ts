import type { ClientErrorCode, Words } from '../errors.ts'

/** The client's own codes in French. */
export const WORDS: Record<ClientErrorCode, Words> = {
  offline: {
    title: 'Il n’y a pas de connexion pour le moment.',
    advice: 'Rien n’est perdu. Réessayez dès que vous serez de nouveau en ligne.',
  },
  service_unavailable: {
    title: 'Le service n’est pas joignable pour le moment.',
    advice: 'Réessayez dans quelques minutes.',
  },
  session_ended: {
    title: 'Votre session est terminée.',
    advice: 'Reconnectez-vous pour continuer. Rien n’est perdu.',
  },
  mail_code_invalid: {
    title: 'Ce code n’est pas le bon, ou n’est plus valable.',
    advice: 'Regardez le message le plus récent, ou demandez un autre code.',
  },
  aborted: { title: 'Cela a été interrompu.', advice: 'Vous pouvez recommencer quand vous voulez.' },
  device_storage_full: {
    title: 'Il n’y a plus de place sur cet appareil.',
    advice: 'Supprimez ce dont vous n’avez plus besoin, puis réessayez.',
  },
  device_storage_unavailable: {
    title: 'Rien ne peut être conservé ici sur cet appareil.',
    advice:
      'Ouvrez l’application dans une fenêtre normale, ou laissez-la ouverte jusqu’à l’envoi de votre bilan.',
  },
  recording_lost: {
    title: 'L’enregistrement n’est plus sur cet appareil.',
    advice: 'Refaites-le si vous le souhaitez.',
  },
  upload_rejected: {
    title: 'Un fichier n’a pas pu être accepté.',
    advice: 'Enregistrez-le de nouveau, ou envoyez le bilan sans lui.',
  },
  check_in_too_old: {
    title: 'Ce bilan a attendu trop longtemps et n’a pas été envoyé.',
    advice: 'Il a été supprimé de cet appareil. Faites-en un autre quand vous voulez.',
  },
  unknown: { title: 'Quelque chose n’a pas fonctionné.', advice: 'Réessayez dans quelques minutes.' },
}
