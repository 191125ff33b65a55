import type { Language } from '../../functions/_shared/languages.ts'

/** What a mail of Auth says. `{old}` and `{new}` stand for addresses. */
export type MailWords = {
  subject: string
  heading: string
  /** Why it came. */
  reason: string
  /** Label of the button, where there is one. */
  button?: string
  /** Label of the code, where there is one. */
  code?: string
  /** What to do when it was somebody else. */
  otherwise: string
}

/** Every mail that Auth sends here, by the names of config.toml, and where its link leads to. */
export const MAILS = {
  confirmation: { section: 'template', type: 'signup' },
  invite: { section: 'template', type: 'invite' },
  recovery: { section: 'template', type: 'recovery' },
  magic_link: { section: 'template', type: 'magiclink' },
  email_change: { section: 'template', type: 'email_change' },
  reauthentication: { section: 'template', type: null },
  password_changed: { section: 'notification', type: null },
  email_changed: { section: 'notification', type: null },
  mfa_factor_enrolled: { section: 'notification', type: null },
  mfa_factor_unenrolled: { section: 'notification', type: null },
} as const

export type MailName = keyof typeof MAILS

type Words = {
  /** What stands above an address for whoever cannot press the button. */
  copy: string
  /** How long button and code work: `otp_expiry`. */
  lasts: string
  footer: string
  mails: Record<MailName, MailWords>
}

/** English, which everybody gets who says nothing else, and the other languages that are served. */
export const WORDS: Record<Language, Words> = {
  en: {
    copy: 'If the button does not work, open this address:',
    lasts: 'Button and code work once, within an hour.',
    footer: 'Student wellbeing. Nobody reads replies to this mail.',
    mails: {
      confirmation: {
        subject: 'Confirm your email address',
        heading: 'Confirm your email address',
        reason: 'Somebody, we hope you, has just signed up to Student wellbeing with this address.',
        button: 'Confirm address',
        code: 'Or type this code in the app:',
        otherwise:
          'If you have not just signed up, ignore this mail: nothing happens then. Once you confirm, you can choose a new password, which ends every other one.',
      },
      invite: {
        subject: 'You are invited to Student wellbeing',
        heading: 'You are invited',
        reason: 'You are invited to use Student wellbeing with this address.',
        button: 'Accept the invitation',
        code: 'Or type this code in the app:',
        otherwise: 'If you do not expect an invitation, ignore this mail.',
      },
      recovery: {
        subject: 'Choose a new password',
        heading: 'Choose a new password',
        reason: 'Somebody, we hope you, has asked for a new password for your account.',
        button: 'Choose a new password',
        code: 'Or type this code in the app:',
        otherwise: 'If it was not you, ignore this mail: your password stays as it is.',
      },
      magic_link: {
        subject: 'Sign in to Student wellbeing',
        heading: 'Sign in',
        reason: 'Somebody, we hope you, wants to sign in with this address.',
        button: 'Sign in',
        code: 'Or type this code in the app:',
        otherwise: 'If it was not you, ignore this mail: nobody is signed in without it.',
      },
      email_change: {
        subject: 'Confirm the change of your email address',
        heading: 'Confirm the change of address',
        reason:
          'The address of your account is to change from {old} to {new}. Both get this mail, and both have to confirm.',
        button: 'Confirm the change',
        code: 'Or type this code in the app:',
        otherwise: 'If you have not asked for this, ignore this mail, and choose a new password in the app.',
      },
      reauthentication: {
        subject: 'Your code for a new password',
        heading: 'Is it you?',
        reason: 'Your password is to be changed.',
        code: 'Type this code in the app:',
        otherwise:
          'If it was not you, somebody is signed in to your account: sign out everywhere in the app, and choose a new password.',
      },
      password_changed: {
        subject: 'Your password was changed',
        heading: 'Your password was changed',
        reason: 'The password of your account has just been changed. Other devices are signed out.',
        otherwise:
          'If it was not you, ask for a new password in the app at once, and tell the support office of your university.',
      },
      email_changed: {
        subject: 'The email address of your account was changed',
        heading: 'Your address was changed',
        reason: 'The address of your account has changed from {old} to {new}.',
        otherwise: 'If it was not you, tell the support office of your university at once.',
      },
      mfa_factor_enrolled: {
        subject: 'An authenticator app was added to your account',
        heading: 'An authenticator app was added',
        reason: 'From now on signing in to your account takes a code of this app.',
        otherwise:
          'If it was not you, choose a new password in the app at once, and tell the support office of your university.',
      },
      mfa_factor_unenrolled: {
        subject: 'An authenticator app was removed from your account',
        heading: 'An authenticator app was removed',
        reason: 'Signing in to your account takes no code of this app.',
        otherwise:
          'If it was not you, choose a new password in the app at once, and tell the support office of your university.',
      },
    },
  },
  de: {
    copy: 'Wenn die Schaltfläche nicht funktioniert, öffne diese Adresse:',
    lasts: 'Schaltfläche und Code gelten einmal und eine Stunde lang.',
    footer: 'Student wellbeing. Antworten auf diese Mail liest niemand.',
    mails: {
      confirmation: {
        subject: 'Bestätige deine E-Mail-Adresse',
        heading: 'Bestätige deine E-Mail-Adresse',
        reason:
          'Jemand, hoffentlich du, hat sich gerade mit dieser Adresse bei Student wellbeing angemeldet.',
        button: 'Adresse bestätigen',
        code: 'Oder gib diesen Code in der App ein:',
        otherwise:
          'Wenn du dich nicht gerade angemeldet hast, beachte diese Mail nicht: dann geschieht nichts. Nach dem Bestätigen kannst du ein neues Passwort wählen; jedes andere gilt dann nicht mehr.',
      },
      invite: {
        subject: 'Einladung zu Student wellbeing',
        heading: 'Du bist eingeladen',
        reason: 'Du bist eingeladen, Student wellbeing mit dieser Adresse zu nutzen.',
        button: 'Einladung annehmen',
        code: 'Oder gib diesen Code in der App ein:',
        otherwise: 'Wenn du keine Einladung erwartest, beachte diese Mail nicht.',
      },
      recovery: {
        subject: 'Wähle ein neues Passwort',
        heading: 'Wähle ein neues Passwort',
        reason: 'Jemand, hoffentlich du, hat ein neues Passwort für dein Konto angefordert.',
        button: 'Neues Passwort wählen',
        code: 'Oder gib diesen Code in der App ein:',
        otherwise: 'Wenn du das nicht warst, beachte diese Mail nicht: dein Passwort bleibt, wie es ist.',
      },
      magic_link: {
        subject: 'Anmelden bei Student wellbeing',
        heading: 'Anmelden',
        reason: 'Jemand, hoffentlich du, möchte sich mit dieser Adresse anmelden.',
        button: 'Anmelden',
        code: 'Oder gib diesen Code in der App ein:',
        otherwise: 'Wenn du das nicht warst, beachte diese Mail nicht: ohne sie meldet sich niemand an.',
      },
      email_change: {
        subject: 'Bestätige die Änderung deiner E-Mail-Adresse',
        heading: 'Bestätige die neue Adresse',
        reason:
          'Die Adresse deines Kontos soll von {old} in {new} geändert werden. Beide bekommen diese Mail, und beide müssen bestätigen.',
        button: 'Änderung bestätigen',
        code: 'Oder gib diesen Code in der App ein:',
        otherwise:
          'Wenn du das nicht wolltest, beachte diese Mail nicht und wähle in der App ein neues Passwort.',
      },
      reauthentication: {
        subject: 'Dein Code für ein neues Passwort',
        heading: 'Bist du es?',
        reason: 'Dein Passwort soll geändert werden.',
        code: 'Gib diesen Code in der App ein:',
        otherwise:
          'Wenn du das nicht warst, ist jemand in deinem Konto angemeldet: melde dich in der App überall ab und wähle ein neues Passwort.',
      },
      password_changed: {
        subject: 'Dein Passwort wurde geändert',
        heading: 'Dein Passwort wurde geändert',
        reason: 'Das Passwort deines Kontos wurde gerade geändert. Andere Geräte sind abgemeldet.',
        otherwise:
          'Wenn du das nicht warst, fordere in der App sofort ein neues Passwort an und wende dich an die Beratung deiner Hochschule.',
      },
      email_changed: {
        subject: 'Die E-Mail-Adresse deines Kontos wurde geändert',
        heading: 'Deine Adresse wurde geändert',
        reason: 'Die Adresse deines Kontos wurde von {old} in {new} geändert.',
        otherwise: 'Wenn du das nicht warst, wende dich sofort an die Beratung deiner Hochschule.',
      },
      mfa_factor_enrolled: {
        subject: 'Eine Authenticator-App wurde hinzugefügt',
        heading: 'Eine Authenticator-App wurde hinzugefügt',
        reason: 'Die Anmeldung in deinem Konto verlangt ab jetzt einen Code dieser App.',
        otherwise:
          'Wenn du das nicht warst, wähle in der App sofort ein neues Passwort und wende dich an die Beratung deiner Hochschule.',
      },
      mfa_factor_unenrolled: {
        subject: 'Eine Authenticator-App wurde entfernt',
        heading: 'Eine Authenticator-App wurde entfernt',
        reason: 'Die Anmeldung in deinem Konto verlangt keinen Code dieser App.',
        otherwise:
          'Wenn du das nicht warst, wähle in der App sofort ein neues Passwort und wende dich an die Beratung deiner Hochschule.',
      },
    },
  },
  es: {
    copy: 'Si el botón no funciona, abre esta dirección:',
    lasts: 'El botón y el código sirven una vez, durante una hora.',
    footer: 'Student wellbeing. Nadie lee las respuestas a este correo.',
    mails: {
      confirmation: {
        subject: 'Confirma tu dirección de correo',
        heading: 'Confirma tu dirección de correo',
        reason: 'Alguien, esperamos que tú, acaba de registrarse en Student wellbeing con esta dirección.',
        button: 'Confirmar dirección',
        code: 'O escribe este código en la aplicación:',
        otherwise:
          'Si no acabas de registrarte, ignora este correo: no pasará nada. Tras confirmar puedes elegir una contraseña nueva, que anula cualquier otra.',
      },
      invite: {
        subject: 'Te invitan a Student wellbeing',
        heading: 'Tienes una invitación',
        reason: 'Te invitan a usar Student wellbeing con esta dirección.',
        button: 'Aceptar la invitación',
        code: 'O escribe este código en la aplicación:',
        otherwise: 'Si no esperas una invitación, ignora este correo.',
      },
      recovery: {
        subject: 'Elige una contraseña nueva',
        heading: 'Elige una contraseña nueva',
        reason: 'Alguien, esperamos que tú, ha pedido una contraseña nueva para tu cuenta.',
        button: 'Elegir contraseña nueva',
        code: 'O escribe este código en la aplicación:',
        otherwise: 'Si no fuiste tú, ignora este correo: tu contraseña sigue siendo la misma.',
      },
      magic_link: {
        subject: 'Entra en Student wellbeing',
        heading: 'Iniciar sesión',
        reason: 'Alguien, esperamos que tú, quiere iniciar sesión con esta dirección.',
        button: 'Iniciar sesión',
        code: 'O escribe este código en la aplicación:',
        otherwise: 'Si no fuiste tú, ignora este correo: sin él nadie inicia sesión.',
      },
      email_change: {
        subject: 'Confirma el cambio de tu dirección de correo',
        heading: 'Confirma el cambio de dirección',
        reason:
          'La dirección de tu cuenta cambiará de {old} a {new}. Ambas reciben este correo y ambas deben confirmar.',
        button: 'Confirmar el cambio',
        code: 'O escribe este código en la aplicación:',
        otherwise: 'Si no lo has pedido, ignora este correo y elige una contraseña nueva en la aplicación.',
      },
      reauthentication: {
        subject: 'Tu código para una contraseña nueva',
        heading: '¿Eres tú?',
        reason: 'Se va a cambiar tu contraseña.',
        code: 'Escribe este código en la aplicación:',
        otherwise:
          'Si no fuiste tú, alguien ha entrado en tu cuenta: cierra todas las sesiones en la aplicación y elige una contraseña nueva.',
      },
      password_changed: {
        subject: 'Tu contraseña ha cambiado',
        heading: 'Tu contraseña ha cambiado',
        reason: 'Se acaba de cambiar la contraseña de tu cuenta. Los demás dispositivos ya no tienen sesión.',
        otherwise:
          'Si no fuiste tú, pide enseguida una contraseña nueva en la aplicación y avisa a la oficina de apoyo de tu universidad.',
      },
      email_changed: {
        subject: 'La dirección de tu cuenta ha cambiado',
        heading: 'Tu dirección ha cambiado',
        reason: 'La dirección de tu cuenta ha cambiado de {old} a {new}.',
        otherwise: 'Si no fuiste tú, avisa enseguida a la oficina de apoyo de tu universidad.',
      },
      mfa_factor_enrolled: {
        subject: 'Se ha añadido una aplicación de autenticación',
        heading: 'Se ha añadido una aplicación de autenticación',
        reason: 'Desde ahora, para entrar en tu cuenta hace falta un código de esta aplicación.',
        otherwise:
          'Si no fuiste tú, elige enseguida una contraseña nueva y avisa a la oficina de apoyo de tu universidad.',
      },
      mfa_factor_unenrolled: {
        subject: 'Se ha quitado una aplicación de autenticación',
        heading: 'Se ha quitado una aplicación de autenticación',
        reason: 'Para entrar en tu cuenta no hace falta un código de esta aplicación.',
        otherwise:
          'Si no fuiste tú, elige enseguida una contraseña nueva y avisa a la oficina de apoyo de tu universidad.',
      },
    },
  },
  fr: {
    copy: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
    lasts: 'Le bouton et le code servent une fois, pendant une heure.',
    footer: 'Student wellbeing. Personne ne lit les réponses à ce message.',
    mails: {
      confirmation: {
        subject: 'Confirmez votre adresse e-mail',
        heading: 'Confirmez votre adresse e-mail',
        reason: 'Quelqu’un, vous espérons-nous, vient de s’inscrire à Student wellbeing avec cette adresse.',
        button: 'Confirmer l’adresse',
        code: 'Ou saisissez ce code dans l’application :',
        otherwise:
          'Si vous ne venez pas de vous inscrire, ignorez ce message : il ne se passera rien. Après la confirmation vous pouvez choisir un nouveau mot de passe, qui remplace tout autre.',
      },
      invite: {
        subject: 'Invitation à Student wellbeing',
        heading: 'Vous êtes invité',
        reason: 'Vous êtes invité à utiliser Student wellbeing avec cette adresse.',
        button: 'Accepter l’invitation',
        code: 'Ou saisissez ce code dans l’application :',
        otherwise: 'Si vous n’attendez pas d’invitation, ignorez ce message.',
      },
      recovery: {
        subject: 'Choisissez un nouveau mot de passe',
        heading: 'Choisissez un nouveau mot de passe',
        reason: 'Quelqu’un, vous espérons-nous, a demandé un nouveau mot de passe pour votre compte.',
        button: 'Choisir un mot de passe',
        code: 'Ou saisissez ce code dans l’application :',
        otherwise: 'Si ce n’était pas vous, ignorez ce message : votre mot de passe reste le même.',
      },
      magic_link: {
        subject: 'Connexion à Student wellbeing',
        heading: 'Connexion',
        reason: 'Quelqu’un, vous espérons-nous, veut se connecter avec cette adresse.',
        button: 'Se connecter',
        code: 'Ou saisissez ce code dans l’application :',
        otherwise: 'Si ce n’était pas vous, ignorez ce message : personne ne se connecte sans lui.',
      },
      email_change: {
        subject: 'Confirmez le changement de votre adresse e-mail',
        heading: 'Confirmez le changement d’adresse',
        reason:
          'L’adresse de votre compte doit passer de {old} à {new}. Les deux reçoivent ce message et les deux doivent confirmer.',
        button: 'Confirmer le changement',
        code: 'Ou saisissez ce code dans l’application :',
        otherwise:
          'Si vous ne l’avez pas demandé, ignorez ce message et choisissez un nouveau mot de passe dans l’application.',
      },
      reauthentication: {
        subject: 'Votre code pour un nouveau mot de passe',
        heading: 'Est-ce bien vous ?',
        reason: 'Votre mot de passe va être changé.',
        code: 'Saisissez ce code dans l’application :',
        otherwise:
          'Si ce n’était pas vous, quelqu’un est connecté à votre compte : déconnectez-vous partout dans l’application et choisissez un nouveau mot de passe.',
      },
      password_changed: {
        subject: 'Votre mot de passe a été changé',
        heading: 'Votre mot de passe a été changé',
        reason: 'Le mot de passe de votre compte vient d’être changé. Les autres appareils sont déconnectés.',
        otherwise:
          'Si ce n’était pas vous, demandez tout de suite un nouveau mot de passe dans l’application et prévenez le service d’aide de votre université.',
      },
      email_changed: {
        subject: 'L’adresse de votre compte a été changée',
        heading: 'Votre adresse a été changée',
        reason: 'L’adresse de votre compte est passée de {old} à {new}.',
        otherwise: 'Si ce n’était pas vous, prévenez tout de suite le service d’aide de votre université.',
      },
      mfa_factor_enrolled: {
        subject: 'Une application d’authentification a été ajoutée',
        heading: 'Une application d’authentification a été ajoutée',
        reason: 'Désormais, la connexion à votre compte demande un code de cette application.',
        otherwise:
          'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe et prévenez le service d’aide de votre université.',
      },
      mfa_factor_unenrolled: {
        subject: 'Une application d’authentification a été retirée',
        heading: 'Une application d’authentification a été retirée',
        reason: 'La connexion à votre compte ne demande pas de code de cette application.',
        otherwise:
          'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe et prévenez le service d’aide de votre université.',
      },
    },
  },
  ar: {
    copy: 'إذا لم يعمل الزر، افتح هذا العنوان:',
    lasts: 'يصلح الزر والرمز مرة واحدة خلال ساعة.',
    footer: 'Student wellbeing. لا أحد يقرأ الردود على هذه الرسالة.',
    mails: {
      confirmation: {
        subject: 'أكّد عنوان بريدك الإلكتروني',
        heading: 'أكّد عنوان بريدك الإلكتروني',
        reason: 'سجّل أحدهم للتو، ونرجو أن يكون أنت، في Student wellbeing بهذا العنوان.',
        button: 'تأكيد العنوان',
        code: 'أو اكتب هذا الرمز في التطبيق:',
        otherwise:
          'إذا لم تسجّل للتو فتجاهل هذه الرسالة ولن يحدث شيء. بعد التأكيد يمكنك اختيار كلمة مرور جديدة تلغي كل ما قبلها.',
      },
      invite: {
        subject: 'دعوة إلى Student wellbeing',
        heading: 'لديك دعوة',
        reason: 'أنت مدعو إلى استخدام Student wellbeing بهذا العنوان.',
        button: 'قبول الدعوة',
        code: 'أو اكتب هذا الرمز في التطبيق:',
        otherwise: 'إذا كنت لا تنتظر دعوة فتجاهل هذه الرسالة.',
      },
      recovery: {
        subject: 'اختر كلمة مرور جديدة',
        heading: 'اختر كلمة مرور جديدة',
        reason: 'طلب أحدهم، ونرجو أن يكون أنت، كلمة مرور جديدة لحسابك.',
        button: 'اختيار كلمة مرور جديدة',
        code: 'أو اكتب هذا الرمز في التطبيق:',
        otherwise: 'إذا لم تكن أنت فتجاهل هذه الرسالة، وتبقى كلمة مرورك كما هي.',
      },
      magic_link: {
        subject: 'تسجيل الدخول إلى Student wellbeing',
        heading: 'تسجيل الدخول',
        reason: 'يريد أحدهم، ونرجو أن يكون أنت، تسجيل الدخول بهذا العنوان.',
        button: 'تسجيل الدخول',
        code: 'أو اكتب هذا الرمز في التطبيق:',
        otherwise: 'إذا لم تكن أنت فتجاهل هذه الرسالة، فلا يدخل أحد بدونها.',
      },
      email_change: {
        subject: 'أكّد تغيير عنوان بريدك الإلكتروني',
        heading: 'أكّد تغيير العنوان',
        reason:
          'سيتغير عنوان حسابك من {old} إلى {new}. تصل هذه الرسالة إلى العنوانين، ويجب التأكيد من كليهما.',
        button: 'تأكيد التغيير',
        code: 'أو اكتب هذا الرمز في التطبيق:',
        otherwise: 'إذا لم تطلب ذلك فتجاهل هذه الرسالة واختر كلمة مرور جديدة في التطبيق.',
      },
      reauthentication: {
        subject: 'رمزك لكلمة مرور جديدة',
        heading: 'هل هذا أنت؟',
        reason: 'سيتم تغيير كلمة مرورك.',
        code: 'اكتب هذا الرمز في التطبيق:',
        otherwise:
          'إذا لم تكن أنت فقد دخل أحدهم إلى حسابك: سجّل الخروج من كل الأجهزة في التطبيق واختر كلمة مرور جديدة.',
      },
      password_changed: {
        subject: 'تم تغيير كلمة مرورك',
        heading: 'تم تغيير كلمة مرورك',
        reason: 'تم للتو تغيير كلمة مرور حسابك، وخرجت الأجهزة الأخرى منه.',
        otherwise: 'إذا لم تكن أنت فاطلب فورًا كلمة مرور جديدة في التطبيق وأبلغ مكتب الدعم في جامعتك.',
      },
      email_changed: {
        subject: 'تم تغيير عنوان حسابك',
        heading: 'تم تغيير عنوانك',
        reason: 'تغيّر عنوان حسابك من {old} إلى {new}.',
        otherwise: 'إذا لم تكن أنت فأبلغ فورًا مكتب الدعم في جامعتك.',
      },
      mfa_factor_enrolled: {
        subject: 'أُضيف تطبيق مصادقة إلى حسابك',
        heading: 'أُضيف تطبيق مصادقة',
        reason: 'من الآن يتطلب الدخول إلى حسابك رمزًا من هذا التطبيق.',
        otherwise: 'إذا لم تكن أنت فاختر فورًا كلمة مرور جديدة وأبلغ مكتب الدعم في جامعتك.',
      },
      mfa_factor_unenrolled: {
        subject: 'أُزيل تطبيق مصادقة من حسابك',
        heading: 'أُزيل تطبيق مصادقة',
        reason: 'لا يتطلب الدخول إلى حسابك رمزًا من هذا التطبيق.',
        otherwise: 'إذا لم تكن أنت فاختر فورًا كلمة مرور جديدة وأبلغ مكتب الدعم في جامعتك.',
      },
    },
  },
}
