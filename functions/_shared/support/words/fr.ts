import { html } from 'hono/html'
import type { Words } from './en.ts'

/** The words of the pages in French. */
export const FR: Words = {
  language: 'Français',
  service: 'Student wellbeing',
  chooseLanguage: 'Langue',
  titles: {
    request: 'La demande d’un proche',
    verification: 'Être contact de soutien',
    settings: 'Fuseau horaire et langue',
    error: 'Impossible pour le moment',
  },
  help: {
    heading: 'Si quelqu’un est peut-être en danger',
    call: html`Si vous pensez qu’une vie est en danger maintenant, appelez d’abord les secours : le <a href="tel:112">112</a> en Europe et dans beaucoup d’autres pays, le <a href="tel:911">911</a> aux États-Unis et au Canada, le <a href="tel:999">999</a> au Royaume-Uni. Vous n’avez besoin de la permission de personne.`,
    emergencyServices: 'Services d’urgence',
    findHelpline: 'Une ligne d’écoute dans votre pays',
  },
  whatToSay: (student) => ({
    heading: 'Si vous ne savez pas quoi dire',
    advice: [
      ['Commencez simplement.', '« Bonjour, je pensais à toi. Comment vas-tu vraiment ? »'],
      [
        'Écoutez plus que vous ne parlez.',
        `Vous n’avez rien à résoudre. Laissez des silences et ne contestez pas ce que ressent ${student}.`,
      ],
      [
        'Posez la question si vous êtes inquiet.',
        '« Est-ce que tu penses au suicide ? » La question ne met cette idée dans la tête de personne ; souvent, elle soulage.',
      ],
      [
        'Ne promettez pas le secret.',
        'Dites : « Tu comptes trop pour que je garde cela pour moi. Cherchons quelqu’un qui peut aider. »',
      ],
      [
        `Si ${student} est peut-être en danger, restez,`,
        'au téléphone ou sur place, et appelez de l’aide ensemble.',
      ],
      [
        'Convenez du prochain contact,',
        'et prenez soin de vous aussi. Être là suffit ; vous n’êtes pas thérapeute.',
      ],
    ],
  }),
  request: {
    askedByStudent: (student, contact) => ({
      heading: `${student} vous demande de prendre contact`,
      sentences: [
        `Bonjour ${contact}. ${student} nous a demandé de vous dire qu’avoir de vos nouvelles aujourd’hui aiderait.`,
        'Un court appel ou un message suffit. Vous n’avez pas besoin d’avoir des réponses.',
      ],
    }),
    askedByAlert: (student, contact, days) => ({
      heading: `Prenez contact avec ${student}`,
      sentences: [
        `Bonjour ${contact}. Sur ${days === null ? 'plusieurs jours' : days === 1 ? 'une journée' : `${days} jours`}, nous avons remarqué des signes qui nous inquiètent. ${student} vous a choisi pour cela et sait que nous vous écrivons.`,
        `Appelez ou écrivez aujourd’hui, s’il vous plaît. Cette alerte est automatique et peut se tromper. Nous n’en disons pas plus : ${student} décide de ce que vous saurez.`,
      ],
      ifYouCannot:
        'Si ce n’est pas possible pour vous, dites-le ci-dessous ; d’autres pourront être sollicités plus tôt.',
    }),
    question: (student) => `Avez-vous été en contact avec ${student} ?`,
    answers: {
      called: 'J’ai appelé, ou nous nous sommes vus',
      messaged: 'J’ai envoyé un message',
      unavailable: 'Je ne peux pas en ce moment',
    },
    send: 'Envoyer ma réponse',
    seen: (student) => `${student} voit votre réponse. Vous pouvez répondre une fois.`,
    chooseOne: 'Choisissez l’une des trois réponses.',
    thanks: (contact) => `Merci, ${contact}`,
    told: (student) => ({
      called: `Vous nous avez dit avoir appelé ou vu ${student}. Vous pouvez fermer cette page.`,
      messaged: `Vous nous avez dit avoir écrit à ${student}. Vous pouvez fermer cette page.`,
      unavailable:
        'Vous nous avez dit que ce n’est pas possible en ce moment. C’est tout à fait normal, et bon à savoir. Vous pouvez fermer cette page.',
    }),
    allRight: (student) => ({
      heading: `${student} a dit que tout va bien`,
      sentences: ['Vous n’avez rien à faire maintenant. Merci de votre soutien.'],
    }),
    answeredByOther: (student) => ({
      heading: `Une autre personne a été en contact avec ${student}`,
      sentences: [
        'Vous n’avez plus besoin de répondre. Si vous voulez prendre contact aussi, n’hésitez pas.',
      ],
    }),
    ended: (student) => ({
      heading: 'Cette alerte est terminée',
      sentences: [`Avoir de vos nouvelles aide toujours : appelez ${student} ou écrivez, si vous le pouvez.`],
    }),
    withdrawn: {
      heading: 'Cette demande a été retirée',
      sentences: [
        'Elle n’est plus d’actualité. Vous n’avez rien à faire et ne recevrez plus de SMS à ce sujet.',
      ],
    },
    stoppedAlready: {
      heading: 'Vous n’êtes plus contact',
      sentences: ['Vous ne recevez plus de SMS à ce sujet.'],
    },
    expired: (student) => ({
      heading: 'Ce lien a expiré',
      sentences: [
        'Les liens de nos SMS ne sont valables que quelques jours.',
        `Si vous pensez à ${student}, prenez contact. Vous n’avez pas besoin de cette page pour cela.`,
        'Pour ne plus recevoir de SMS, répondez STOP à l’un d’eux.',
      ],
    }),
    unknown: {
      heading: 'Ce lien ne fonctionne pas',
      sentences: [
        'Il en manque peut-être une partie, ou il a été modifié en chemin. Ouvrez-le de nouveau depuis le SMS, en entier.',
        'Si vous vous inquiétez pour quelqu’un, prenez contact. Vous n’avez pas besoin de cette page pour cela.',
      ],
    },
    stop: (student) => ({
      summary: 'Ne plus être contact',
      confirm: `Oui, je ne veux plus être contact de ${student}`,
      button: 'Arrêter',
      note: `Vous ne recevrez alors plus de SMS au sujet de ${student}. Pour ne plus recevoir aucun SMS de Student wellbeing, qui que ce soit qui vous désigne, répondez STOP à l’un d’eux.`,
      problem: 'Cochez la case si vous voulez arrêter.',
    }),
    stopped: (student) => ({
      heading: 'Vous n’êtes plus contact',
      sentences: [
        `Vous ne recevrez plus de SMS au sujet de ${student}, qui voit que vous avez arrêté. Votre numéro et votre e-mail sont supprimés après 30 jours.`,
        'Merci d’avoir été là.',
      ],
    }),
  },
  verification: {
    heading: (student) => `Voulez-vous être contact de soutien de ${student} ?`,
    introduction: (student, contact) => [
      `Bonjour ${contact}. ${student} utilise Student wellbeing, un service de son université, et aimerait que vous soyez l’une des rares personnes à qui nous demandons de prendre contact.`,
      `C’est vous qui décidez. Quel que soit votre choix, ${student} ne voit que celui-ci, et une raison si vous en donnez une.`,
    ],
    part: (student) => ({
      heading: 'Ce que fait un contact',
      points: [
        `Vous recevez un SMS quand ${student} le demande, une fois par jour au plus.`,
        'Rarement, vous en recevez un quand des signes automatiques sur plusieurs jours indiquent qu’un mot amical aiderait.',
        'Vous appelez ou écrivez alors, à votre façon, et nous le dites d’une touche. Vous pouvez toujours répondre que ce n’est pas possible.',
        `Vous n’êtes pas d’astreinte ni responsable de l’état de ${student}. En cas d’urgence, appelez les secours.`,
      ],
    }),
    data: (student) => ({
      heading: 'Ce que nous conservons',
      points: [
        `Votre nom, votre numéro et votre e-mail, tels que ${student} les a saisis, et vos réponses. ${student} les voit.`,
        `Quand vous décidez : quoi, quand, depuis quelle adresse réseau et quel navigateur, comme preuve, tant que ${student} a un compte.`,
        `Tout cela ne sert qu’à ces messages. Nom, numéro et e-mail sont supprimés quand ${student} vous retire ou ferme son compte ; si vous refusez ou arrêtez, le numéro et l’e-mail sont supprimés après 30 jours.`,
      ],
    }),
    howToStop: {
      heading: 'Comment arrêter',
      sentence:
        'Répondez STOP à un SMS, ou utilisez « Ne plus être contact » sur toute page à laquelle mène un SMS. C’est immédiat.',
    },
    accept: (student) => ({
      heading: 'J’accepte',
      wording: `J’accepte d’être contact de soutien de ${student} et de recevoir à mon numéro des SMS automatiques de Student wellbeing au sujet de ${student}. La plupart des contacts n’en reçoivent aucun la plupart des semaines. Mon opérateur peut facturer messages et données. Je peux répondre STOP à tout moment pour arrêter, ou HELP pour obtenir de l’aide.`,
      next: `Nous envoyons ensuite un SMS au numéro que ${student} nous a donné ; il demande si ce numéro accepte aussi.`,
      button: 'J’accepte',
      tickTheBox: 'Cochez la case si vous acceptez.',
    }),
    decline: (student) => ({
      heading: 'Non, merci',
      why: 'Pourquoi ?',
      reasons: {
        unknown_person: 'Je ne connais pas cette personne',
        not_now: 'Je ne peux pas en ce moment',
        other: 'Une autre raison, ou je préfère ne pas la dire',
      },
      ownWords: 'Avec vos propres mots, si vous voulez',
      seen: `${student} le voit.`,
      button: 'Refuser',
      choose: 'Choisissez l’une des trois raisons.',
    }),
    thanks: (contact) => `Merci, ${contact}`,
    alreadyAgreed: 'Vous avez déjà accepté',
    agreed: (student) => `Vous êtes contact de soutien de ${student}.`,
    nothingToDo: (student) =>
      `Il n’y a rien à faire maintenant : si un mot de vous peut aider ${student}, vous recevez un SMS avec un lien.`,
    numberToAgree: 'Votre numéro doit encore accepter ; d’ici là, il ne reçoit aucun autre SMS.',
    toStop:
      'Pour arrêter, répondez STOP à un SMS, ou utilisez « Ne plus être contact » sur la page à laquelle il mène.',
    code: (student) => ({
      heading: 'Confirmez votre numéro',
      sentence: `Le numéro que ${student} nous a donné reçoit un SMS de nous, le jour sauf si vous avez autorisé la nuit. Répondez YES, ou tapez ici son code.`,
      label: 'Code du SMS',
      why: `Six chiffres. Un numéro reçoit un tel SMS une fois par mois au plus, qui que ce soit qui le donne, et un code précédent compte aussi. Pas de SMS ? Demandez à ${student} de vérifier votre numéro.`,
      button: 'Confirmer mon numéro',
      oneMoreStep: 'Encore une étape : votre numéro',
      wrong: 'Ce n’est pas le code du dernier SMS que nous avons envoyé. Vous avez cinq essais.',
    }),
    tooManyTries: {
      heading: 'Trop d’essais',
      sentences: [
        'Le code était faux cinq fois. Votre numéro ne reçoit pas de SMS tant qu’il n’accepte pas.',
        'Vous pouvez encore accepter depuis votre téléphone : répondez YES à notre SMS.',
      ],
    },
    declined: (student) => ({
      heading: 'Vous n’êtes pas contact',
      sentences: [
        `C’est tout à fait normal. Vous ne recevez pas de SMS au sujet de ${student}, qui voit que vous avez refusé.`,
        'Votre numéro et votre e-mail sont supprimés après 30 jours.',
      ],
    }),
    expired: (student) => ({
      heading: 'Ce lien a expiré',
      someDays: 'Les liens de ces e-mails ne sont valables que quelques jours.',
      agreed: `Vous avez accepté d’être contact de ${student}.`,
      numberMissing: `Vous avez accepté d’être contact de ${student}, mais pas encore votre numéro : d’ici là, il ne reçoit pas de SMS. Répondez YES au SMS que nous lui avons envoyé.`,
      nothingChanged: 'Rien n’a été changé, et vous ne recevez pas de SMS.',
      askAgain: `Si vous voulez être contact de ${student}, demandez un nouvel e-mail.`,
    }),
    unknown: {
      heading: 'Ce lien ne fonctionne pas',
      sentences: [
        'Il en manque peut-être une partie, un e-mail plus récent l’a remplacé, ou la demande a été retirée. Ouvrez le lien entier du dernier e-mail.',
        'Vous ne recevez pas de SMS si vous n’avez pas accepté.',
      ],
    },
    unknownAction: {
      heading: 'Ce lien ne fonctionne pas',
      sentences: [
        'Son adresse a été modifiée en chemin. Rien n’a été changé ici.',
        'Ouvrez le lien entier du dernier e-mail. Vous pourrez y accepter ou refuser.',
      ],
    },
  },
  settings: {
    link: 'Changer de fuseau horaire ou de langue',
    heading: 'Quand et comment nous vous écrivons',
    timeZone: 'Votre fuseau horaire',
    timeZoneWhy: 'Les SMS y arrivent le jour.',
    choose: 'Choisir…',
    common: 'Fréquents',
    ofYourNumber: 'Dans le pays de votre numéro',
    texts: 'Les SMS peuvent aussi arriver la nuit',
    language: 'Langue de nos messages et pages',
    save: 'Enregistrer',
    saved: 'Enregistré',
    savedNote: 'Cela vaut dès maintenant, aussi pour les SMS en attente.',
    chooseZone: 'Choisissez votre fuseau horaire.',
    chooseLanguage: 'Choisissez une langue.',
  },
  continents: {
    Africa: 'Afrique',
    America: 'Amérique',
    Antarctica: 'Antarctique',
    Arctic: 'Arctique',
    Asia: 'Asie',
    Atlantic: 'Atlantique',
    Australia: 'Australie',
    Europe: 'Europe',
    Indian: 'Océan Indien',
    Pacific: 'Pacifique',
  },
  problems: (count) => (count === 1 ? 'Il manque une chose :' : 'Il manque plusieurs choses :'),
  errors: {
    tooManyTries: (minutes) => ({
      heading: 'Trop d’essais',
      sentences: [
        `Trop de liens qui ne fonctionnent pas ont été ouverts d’ici. Réessayez dans ${minutes === 1 ? 'une minute' : `${minutes} minutes`}.`,
      ],
    }),
    notFound: {
      heading: 'Cette page n’existe pas',
      sentences: [
        'Il manque peut-être une partie du lien. Ouvrez-le de nouveau depuis le message, en entier.',
      ],
    },
    notAllowed: {
      heading: 'Cette page ne s’utilise pas ainsi',
      sentences: ['Ouvrez de nouveau le lien du message.'],
    },
    blocked: {
      heading: 'Cette page est fermée à votre réseau pour le moment',
      sentences: [
        'Trop de choses ont échoué depuis le réseau que vous utilisez, peut-être du fait de quelqu’un d’autre. Essayez-en un autre, comme les données mobiles, ou plus tard.',
        'Le lien d’un SMS qui vous demande de prendre contact avec quelqu’un fonctionne malgré tout.',
      ],
    },
    quarantined: {
      heading: 'Cette page est désactivée pour le moment',
      sentences: [
        'Réessayez plus tard.',
        'Si un SMS vous a demandé de prendre contact avec quelqu’un, appelez ou écrivez maintenant ; vous nous le direz plus tard.',
      ],
    },
    busy: (minutes) => ({
      heading: 'Trop à la fois',
      sentences: [`Réessayez dans ${minutes === 1 ? 'une minute' : `${minutes} minutes`}.`],
    }),
    wrongInput: {
      heading: 'Cela n’a pas fonctionné',
      sentences: ['Ce qui a été envoyé n’a pas pu être lu. Revenez en arrière et réessayez.'],
    },
    fault: {
      heading: 'Une erreur s’est produite chez nous',
      sentences: ['Rien n’a été perdu. Réessayez dans un instant.'],
    },
  },
}
