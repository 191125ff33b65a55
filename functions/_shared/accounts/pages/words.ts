import type { Language } from '../../languages.ts'
import type { LinkType } from '../mail-links.ts'

type Said = { heading: string; sentence: string }

/** What the pages say. */
export type Words = {
  /** Before the button is pressed. */
  open: Record<LinkType, Said & { button: string }>
  /** After it. */
  done: Record<LinkType, Said>
  half: Said
  /** The link is unknown, used, replaced or past its time. */
  gone: Said
  refused: Said
  tooMany: Said
  /** What was sent is no link, or no form, of a page. */
  failed: Said
  /** A security policy keeps the page from whoever asks for it. */
  closed: Said
  fault: Said
  /** Where people land who followed a link that is no page's. */
  site: Said
  password: string
  passwordRule: string
  weak: Record<'length' | 'characters' | 'pwned' | 'other', string>
  code: string
  codeNeeded: string
  wrongCode: string
  ended: Said
  /** Below a confirmed sign-up. */
  choose: Said & { button: string }
  save: string
  toApp: string
}

export const WORDS: Record<Language, Words> = {
  en: {
    open: {
      signup: {
        heading: 'Confirm your email address',
        sentence:
          'Have you just signed up to Student wellbeing? If not, close this page: nothing happens then.',
        button: 'Confirm address',
      },
      invite: {
        heading: 'Accept the invitation',
        sentence: 'Choose the password that you will sign in with.',
        button: 'Accept and save',
      },
      recovery: {
        heading: 'Choose a new password',
        sentence:
          'Other devices are signed out then. If you have not asked for it, close this page: your password stays as it is.',
        button: 'Save the password',
      },
      magiclink: {
        heading: 'Sign in',
        sentence: 'If it was not you who asked for this mail, close this page.',
        button: 'Sign in',
      },
      email_change: {
        heading: 'Confirm the change of address',
        sentence: 'If you have not asked for it, close this page, and choose a new password in the app.',
        button: 'Confirm the change',
      },
    },
    done: {
      signup: { heading: 'Your address is confirmed', sentence: 'Go back to the app and sign in.' },
      invite: { heading: 'Welcome', sentence: 'Your password is saved. Open the app and sign in with it.' },
      recovery: { heading: 'Your password is saved', sentence: 'Go back to the app and sign in with it.' },
      magiclink: { heading: 'You are signed in', sentence: 'Go on in the app.' },
      email_change: { heading: 'Your address is changed', sentence: 'From now on sign in with the new one.' },
    },
    half: {
      heading: 'One of two is confirmed',
      sentence: 'Now open the mail that we have sent to the other address, and confirm there too.',
    },
    gone: {
      heading: 'This link does not work any more',
      sentence:
        'It works once, for an hour, and a newer mail replaces it. Try to sign in in the app: perhaps all is done already. Else ask there for a new mail.',
    },
    refused: {
      heading: 'This could not be confirmed',
      sentence:
        'Perhaps your mailbox has an account already, under another way to write the address: sign in with that one. Else ask for a new mail in the app, or write to the support office of your university.',
    },
    tooMany: { heading: 'Too many tries', sentence: 'Try again in five minutes.' },
    failed: {
      heading: 'That did not work',
      sentence:
        'Open the link of the mail again, the whole of it. If that does not help, ask for a new mail in the app.',
    },
    closed: {
      heading: 'This page is closed for now',
      sentence:
        'A security policy of the service closes it. Try again later, or over another network. In danger, call the emergency services (112, 911, 999 or 000).',
    },
    fault: {
      heading: 'Something went wrong on our side',
      sentence: 'Nothing was lost. Try again in a moment.',
    },
    site: {
      heading: 'Student wellbeing',
      sentence: 'Go on in the app. If it does not let you in, ask there for a new mail.',
    },
    password: 'New password',
    passwordRule: 'At least 10 characters, with letters and digits; at most 72.',
    weak: {
      length: 'This password is too short.',
      characters: 'This password needs letters and digits.',
      pwned: 'This password is known from leaks of other services. Choose another one.',
      other: 'This password cannot be used. Choose another one.',
    },
    code: 'Code of your authenticator app',
    codeNeeded: 'Your account has an authenticator app. Give its code as well.',
    wrongCode: 'This code is not right, or has ended. Give the one that your app shows now.',
    ended: {
      heading: 'This took too long',
      sentence: 'Ask for a new mail in the app, and begin again.',
    },
    choose: {
      heading: 'Another password?',
      sentence: 'If you do not know the password of this account, choose one. It ends every other one.',
      button: 'Save the password',
    },
    save: 'Save the password',
    toApp: 'Open the app',
  },
  de: {
    open: {
      signup: {
        heading: 'Bestätige deine E-Mail-Adresse',
        sentence:
          'Hast du dich gerade bei Student wellbeing angemeldet? Wenn nicht, schließe diese Seite: dann geschieht nichts.',
        button: 'Adresse bestätigen',
      },
      invite: {
        heading: 'Nimm die Einladung an',
        sentence: 'Wähle das Passwort, mit dem du dich anmelden wirst.',
        button: 'Annehmen und speichern',
      },
      recovery: {
        heading: 'Wähle ein neues Passwort',
        sentence:
          'Andere Geräte werden dann abgemeldet. Wenn du das nicht angefordert hast, schließe diese Seite: dein Passwort bleibt, wie es ist.',
        button: 'Passwort speichern',
      },
      magiclink: {
        heading: 'Anmelden',
        sentence: 'Wenn du diese Mail nicht angefordert hast, schließe diese Seite.',
        button: 'Anmelden',
      },
      email_change: {
        heading: 'Bestätige die neue Adresse',
        sentence: 'Wenn du das nicht wolltest, schließe diese Seite und wähle in der App ein neues Passwort.',
        button: 'Änderung bestätigen',
      },
    },
    done: {
      signup: { heading: 'Deine Adresse ist bestätigt', sentence: 'Geh zurück zur App und melde dich an.' },
      invite: {
        heading: 'Willkommen',
        sentence: 'Dein Passwort ist gespeichert. Öffne die App und melde dich damit an.',
      },
      recovery: {
        heading: 'Dein Passwort ist gespeichert',
        sentence: 'Geh zurück zur App und melde dich damit an.',
      },
      magiclink: { heading: 'Du bist angemeldet', sentence: 'Mach in der App weiter.' },
      email_change: {
        heading: 'Deine Adresse ist geändert',
        sentence: 'Melde dich ab jetzt mit der neuen an.',
      },
    },
    half: {
      heading: 'Eine von zweien ist bestätigt',
      sentence: 'Öffne jetzt die Mail, die an die andere Adresse ging, und bestätige auch dort.',
    },
    gone: {
      heading: 'Dieser Link gilt nicht mehr',
      sentence:
        'Er gilt einmal und eine Stunde lang, und eine neuere Mail ersetzt ihn. Versuche, dich in der App anzumelden: vielleicht ist alles schon erledigt. Sonst fordere dort eine neue Mail an.',
    },
    refused: {
      heading: 'Das ließ sich nicht bestätigen',
      sentence:
        'Vielleicht hat dein Postfach schon ein Konto unter einer anderen Schreibweise der Adresse: melde dich mit dieser an. Sonst fordere in der App eine neue Mail an oder wende dich an die Beratung deiner Hochschule.',
    },
    tooMany: { heading: 'Zu viele Versuche', sentence: 'Versuche es in fünf Minuten noch einmal.' },
    failed: {
      heading: 'Das hat nicht geklappt',
      sentence:
        'Öffne den Link aus der Mail noch einmal, und zwar den ganzen. Wenn das nicht hilft, fordere in der App eine neue Mail an.',
    },
    closed: {
      heading: 'Diese Seite ist zurzeit gesperrt',
      sentence:
        'Eine Sicherheitsregel des Dienstes sperrt sie. Versuche es später noch einmal oder über ein anderes Netz. In Gefahr rufe den Notruf (112, 911, 999 oder 000).',
    },
    fault: {
      heading: 'Bei uns ist etwas schiefgegangen',
      sentence: 'Es ging nichts verloren. Versuche es gleich noch einmal.',
    },
    site: {
      heading: 'Student wellbeing',
      sentence: 'Mach in der App weiter. Wenn du nicht hineinkommst, fordere dort eine neue Mail an.',
    },
    password: 'Neues Passwort',
    passwordRule: 'Mindestens 10 Zeichen mit Buchstaben und Ziffern, höchstens 72.',
    weak: {
      length: 'Dieses Passwort ist zu kurz.',
      characters: 'Dieses Passwort braucht Buchstaben und Ziffern.',
      pwned: 'Dieses Passwort ist aus Datenlecks anderer Dienste bekannt. Wähle ein anderes.',
      other: 'Dieses Passwort geht nicht. Wähle ein anderes.',
    },
    code: 'Code deiner Authenticator-App',
    codeNeeded: 'Dein Konto hat eine Authenticator-App. Gib auch ihren Code ein.',
    wrongCode: 'Dieser Code stimmt nicht oder ist abgelaufen. Gib den ein, den die App jetzt zeigt.',
    ended: {
      heading: 'Das hat zu lange gedauert',
      sentence: 'Fordere in der App eine neue Mail an und beginne noch einmal.',
    },
    choose: {
      heading: 'Anderes Passwort?',
      sentence:
        'Wenn du das Passwort dieses Kontos nicht kennst, wähle eines. Jedes andere gilt dann nicht mehr.',
      button: 'Passwort speichern',
    },
    save: 'Passwort speichern',
    toApp: 'App öffnen',
  },
  es: {
    open: {
      signup: {
        heading: 'Confirma tu dirección de correo',
        sentence: '¿Acabas de registrarte en Student wellbeing? Si no, cierra esta página: no pasará nada.',
        button: 'Confirmar dirección',
      },
      invite: {
        heading: 'Acepta la invitación',
        sentence: 'Elige la contraseña con la que entrarás.',
        button: 'Aceptar y guardar',
      },
      recovery: {
        heading: 'Elige una contraseña nueva',
        sentence:
          'Se cerrará la sesión en los demás dispositivos. Si no la has pedido, cierra esta página: tu contraseña no cambia.',
        button: 'Guardar la contraseña',
      },
      magiclink: {
        heading: 'Iniciar sesión',
        sentence: 'Si no has pedido este correo, cierra esta página.',
        button: 'Iniciar sesión',
      },
      email_change: {
        heading: 'Confirma el cambio de dirección',
        sentence: 'Si no lo has pedido, cierra esta página y elige una contraseña nueva en la aplicación.',
        button: 'Confirmar el cambio',
      },
    },
    done: {
      signup: {
        heading: 'Tu dirección está confirmada',
        sentence: 'Vuelve a la aplicación e inicia sesión.',
      },
      invite: {
        heading: 'Te damos la bienvenida',
        sentence: 'Tu contraseña está guardada. Abre la aplicación e inicia sesión con ella.',
      },
      recovery: {
        heading: 'Tu contraseña está guardada',
        sentence: 'Vuelve a la aplicación e inicia sesión con ella.',
      },
      magiclink: { heading: 'Has iniciado sesión', sentence: 'Sigue en la aplicación.' },
      email_change: {
        heading: 'Tu dirección ha cambiado',
        sentence: 'Desde ahora inicia sesión con la nueva.',
      },
    },
    half: {
      heading: 'Falta una de las dos',
      sentence: 'Abre ahora el correo que hemos enviado a la otra dirección y confirma también allí.',
    },
    gone: {
      heading: 'Este enlace ya no sirve',
      sentence:
        'Sirve una vez, durante una hora, y un correo más nuevo lo sustituye. Intenta iniciar sesión en la aplicación: quizá ya está todo hecho. Si no, pide allí un correo nuevo.',
    },
    refused: {
      heading: 'No se ha podido confirmar',
      sentence:
        'Quizá tu buzón ya tiene una cuenta con otra forma de la dirección: inicia sesión con ella. Si no, pide un correo nuevo en la aplicación o escribe a la oficina de apoyo de tu universidad.',
    },
    tooMany: { heading: 'Demasiados intentos', sentence: 'Inténtalo de nuevo en cinco minutos.' },
    failed: {
      heading: 'No ha funcionado',
      sentence:
        'Abre otra vez el enlace del correo, entero. Si no sirve, pide un correo nuevo en la aplicación.',
    },
    closed: {
      heading: 'Esta página está cerrada por ahora',
      sentence:
        'La cierra una regla de seguridad del servicio. Inténtalo más tarde o desde otra red. En peligro, llama a emergencias (112, 911, 999 o 000).',
    },
    fault: {
      heading: 'Algo falló por nuestra parte',
      sentence: 'No se ha perdido nada. Inténtalo de nuevo en un momento.',
    },
    site: {
      heading: 'Student wellbeing',
      sentence: 'Sigue en la aplicación. Si no te deja entrar, pide allí un correo nuevo.',
    },
    password: 'Contraseña nueva',
    passwordRule: 'Al menos 10 caracteres, con letras y cifras; 72 como máximo.',
    weak: {
      length: 'Esta contraseña es demasiado corta.',
      characters: 'Esta contraseña necesita letras y cifras.',
      pwned: 'Esta contraseña se conoce por filtraciones de otros servicios. Elige otra.',
      other: 'Esta contraseña no se puede usar. Elige otra.',
    },
    code: 'Código de tu aplicación de autenticación',
    codeNeeded: 'Tu cuenta tiene una aplicación de autenticación. Escribe también su código.',
    wrongCode: 'Este código no es correcto o ha caducado. Escribe el que muestra ahora tu aplicación.',
    ended: {
      heading: 'Ha pasado demasiado tiempo',
      sentence: 'Pide un correo nuevo en la aplicación y empieza de nuevo.',
    },
    choose: {
      heading: '¿Otra contraseña?',
      sentence: 'Si no conoces la contraseña de esta cuenta, elige una. Anula cualquier otra.',
      button: 'Guardar la contraseña',
    },
    save: 'Guardar la contraseña',
    toApp: 'Abrir la aplicación',
  },
  fr: {
    open: {
      signup: {
        heading: 'Confirmez votre adresse e-mail',
        sentence:
          'Venez-vous de vous inscrire à Student wellbeing ? Sinon, fermez cette page : il ne se passera rien.',
        button: 'Confirmer l’adresse',
      },
      invite: {
        heading: 'Acceptez l’invitation',
        sentence: 'Choisissez le mot de passe avec lequel vous vous connecterez.',
        button: 'Accepter et enregistrer',
      },
      recovery: {
        heading: 'Choisissez un nouveau mot de passe',
        sentence:
          'Les autres appareils seront déconnectés. Si vous ne l’avez pas demandé, fermez cette page : votre mot de passe reste le même.',
        button: 'Enregistrer le mot de passe',
      },
      magiclink: {
        heading: 'Connexion',
        sentence: 'Si vous n’avez pas demandé ce message, fermez cette page.',
        button: 'Se connecter',
      },
      email_change: {
        heading: 'Confirmez le changement d’adresse',
        sentence:
          'Si vous ne l’avez pas demandé, fermez cette page et choisissez un nouveau mot de passe dans l’application.',
        button: 'Confirmer le changement',
      },
    },
    done: {
      signup: {
        heading: 'Votre adresse est confirmée',
        sentence: 'Revenez à l’application et connectez-vous.',
      },
      invite: {
        heading: 'Bienvenue',
        sentence: 'Votre mot de passe est enregistré. Ouvrez l’application et connectez-vous avec lui.',
      },
      recovery: {
        heading: 'Votre mot de passe est enregistré',
        sentence: 'Revenez à l’application et connectez-vous avec lui.',
      },
      magiclink: { heading: 'Vous êtes connecté', sentence: 'Continuez dans l’application.' },
      email_change: {
        heading: 'Votre adresse est changée',
        sentence: 'Désormais, connectez-vous avec la nouvelle.',
      },
    },
    half: {
      heading: 'Une adresse sur deux est confirmée',
      sentence: 'Ouvrez maintenant le message envoyé à l’autre adresse et confirmez là aussi.',
    },
    gone: {
      heading: 'Ce lien ne fonctionne plus',
      sentence:
        'Il sert une fois, pendant une heure, et un message plus récent le remplace. Essayez de vous connecter dans l’application : tout est peut-être déjà fait. Sinon, demandez-y un nouveau message.',
    },
    refused: {
      heading: 'La confirmation n’a pas abouti',
      sentence:
        'Votre boîte a peut-être déjà un compte sous une autre forme de l’adresse : connectez-vous avec celle-ci. Sinon, demandez un nouveau message dans l’application ou écrivez au service d’aide de votre université.',
    },
    tooMany: { heading: 'Trop d’essais', sentence: 'Réessayez dans cinq minutes.' },
    failed: {
      heading: 'Cela n’a pas fonctionné',
      sentence:
        'Ouvrez de nouveau le lien du message, en entier. Si cela n’aide pas, demandez un nouveau message dans l’application.',
    },
    closed: {
      heading: 'Cette page est fermée pour le moment',
      sentence:
        'Une règle de sécurité du service la ferme. Réessayez plus tard, ou par un autre réseau. En cas de danger, appelez les secours (112, 911, 999 ou 000).',
    },
    fault: {
      heading: 'Une erreur s’est produite chez nous',
      sentence: 'Rien n’a été perdu. Réessayez dans un instant.',
    },
    site: {
      heading: 'Student wellbeing',
      sentence:
        'Continuez dans l’application. Si elle ne vous laisse pas entrer, demandez-y un nouveau message.',
    },
    password: 'Nouveau mot de passe',
    passwordRule: 'Au moins 10 caractères, avec des lettres et des chiffres ; 72 au plus.',
    weak: {
      length: 'Ce mot de passe est trop court.',
      characters: 'Ce mot de passe doit contenir des lettres et des chiffres.',
      pwned: 'Ce mot de passe est connu par des fuites d’autres services. Choisissez-en un autre.',
      other: 'Ce mot de passe ne peut pas être utilisé. Choisissez-en un autre.',
    },
    code: 'Code de votre application d’authentification',
    codeNeeded: 'Votre compte a une application d’authentification. Saisissez aussi son code.',
    wrongCode: 'Ce code n’est pas juste ou a expiré. Saisissez celui que l’application montre maintenant.',
    ended: {
      heading: 'C’était trop long',
      sentence: 'Demandez un nouveau message dans l’application et recommencez.',
    },
    choose: {
      heading: 'Un autre mot de passe ?',
      sentence:
        'Si vous ne connaissez pas le mot de passe de ce compte, choisissez-en un. Il remplace tout autre.',
      button: 'Enregistrer le mot de passe',
    },
    save: 'Enregistrer le mot de passe',
    toApp: 'Ouvrir l’application',
  },
  ar: {
    open: {
      signup: {
        heading: 'أكّد عنوان بريدك الإلكتروني',
        sentence: 'هل سجّلت للتو في Student wellbeing؟ إن لم تفعل فأغلق هذه الصفحة ولن يحدث شيء.',
        button: 'تأكيد العنوان',
      },
      invite: { heading: 'اقبل الدعوة', sentence: 'اختر كلمة المرور التي ستدخل بها.', button: 'قبول وحفظ' },
      recovery: {
        heading: 'اختر كلمة مرور جديدة',
        sentence: 'ستخرج الأجهزة الأخرى من الحساب. إن لم تطلب ذلك فأغلق هذه الصفحة، وتبقى كلمة مرورك كما هي.',
        button: 'حفظ كلمة المرور',
      },
      magiclink: {
        heading: 'تسجيل الدخول',
        sentence: 'إن لم تطلب هذه الرسالة فأغلق هذه الصفحة.',
        button: 'تسجيل الدخول',
      },
      email_change: {
        heading: 'أكّد تغيير العنوان',
        sentence: 'إن لم تطلب ذلك فأغلق هذه الصفحة واختر كلمة مرور جديدة في التطبيق.',
        button: 'تأكيد التغيير',
      },
    },
    done: {
      signup: { heading: 'تم تأكيد عنوانك', sentence: 'عد إلى التطبيق وسجّل الدخول.' },
      invite: { heading: 'أهلًا بك', sentence: 'حُفظت كلمة مرورك. افتح التطبيق وسجّل الدخول بها.' },
      recovery: { heading: 'حُفظت كلمة مرورك', sentence: 'عد إلى التطبيق وسجّل الدخول بها.' },
      magiclink: { heading: 'سجّلت الدخول', sentence: 'تابع في التطبيق.' },
      email_change: { heading: 'تغيّر عنوانك', sentence: 'من الآن سجّل الدخول بالعنوان الجديد.' },
    },
    half: {
      heading: 'تم تأكيد واحد من اثنين',
      sentence: 'افتح الآن الرسالة التي أرسلناها إلى العنوان الآخر وأكّد هناك أيضًا.',
    },
    gone: {
      heading: 'لم يعد هذا الرابط يعمل',
      sentence:
        'يعمل الرابط مرة واحدة خلال ساعة، وتحل محله رسالة أحدث. حاول تسجيل الدخول في التطبيق، فربما تم كل شيء. وإلا فاطلب هناك رسالة جديدة.',
    },
    refused: {
      heading: 'لم يتم التأكيد',
      sentence:
        'ربما لبريدك حساب بكتابة أخرى للعنوان، فسجّل الدخول به. وإلا فاطلب رسالة جديدة في التطبيق أو اكتب إلى مكتب الدعم في جامعتك.',
    },
    tooMany: { heading: 'محاولات كثيرة', sentence: 'حاول مرة أخرى بعد خمس دقائق.' },
    failed: {
      heading: 'لم ينجح ذلك',
      sentence: 'افتح رابط الرسالة مرة أخرى كاملًا. إن لم ينفع ذلك فاطلب رسالة جديدة في التطبيق.',
    },
    closed: {
      heading: 'هذه الصفحة مغلقة حاليًا',
      sentence:
        'تغلقها قاعدة أمنية للخدمة. حاول لاحقًا أو عبر شبكة أخرى. عند الخطر اتصل بالطوارئ (112 أو 911 أو 999 أو 000).',
    },
    fault: {
      heading: 'حدث خطأ لدينا',
      sentence: 'لم يضِع شيء. حاول مرة أخرى بعد لحظات.',
    },
    site: {
      heading: 'Student wellbeing',
      sentence: 'تابع في التطبيق. إن لم تتمكن من الدخول فاطلب هناك رسالة جديدة.',
    },
    password: 'كلمة المرور الجديدة',
    passwordRule: '10 أحرف على الأقل، فيها حروف وأرقام، و72 على الأكثر.',
    weak: {
      length: 'كلمة المرور هذه قصيرة جدًا.',
      characters: 'تحتاج كلمة المرور إلى حروف وأرقام.',
      pwned: 'كلمة المرور هذه معروفة من تسريبات خدمات أخرى. اختر غيرها.',
      other: 'لا يمكن استخدام كلمة المرور هذه. اختر غيرها.',
    },
    code: 'رمز تطبيق المصادقة',
    codeNeeded: 'لحسابك تطبيق مصادقة. اكتب رمزه أيضًا.',
    wrongCode: 'هذا الرمز غير صحيح أو انتهى. اكتب الرمز الذي يظهره التطبيق الآن.',
    ended: { heading: 'استغرق هذا وقتًا طويلًا', sentence: 'اطلب رسالة جديدة في التطبيق وابدأ من جديد.' },
    choose: {
      heading: 'كلمة مرور أخرى؟',
      sentence: 'إن كنت لا تعرف كلمة مرور هذا الحساب فاختر واحدة. تلغي كل ما عداها.',
      button: 'حفظ كلمة المرور',
    },
    save: 'حفظ كلمة المرور',
    toApp: 'فتح التطبيق',
  },
}
