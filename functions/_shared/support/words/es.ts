import { html } from 'hono/html'
import type { Words } from './en.ts'

/** The words of the pages in Spanish. */
export const ES: Words = {
  language: 'Español',
  service: 'Student wellbeing',
  chooseLanguage: 'Idioma',
  titles: {
    request: 'Una petición de alguien cercano',
    verification: 'Ser contacto de apoyo',
    settings: 'Zona horaria e idioma',
    error: 'No es posible en este momento',
  },
  help: {
    heading: 'Si alguien puede estar en peligro',
    call: html`Si cree que una vida corre peligro ahora, llame primero a los servicios de emergencia: <a href="tel:112">112</a> en Europa y en muchos otros países, <a href="tel:911">911</a> en Estados Unidos, Canadá y gran parte de América Latina, <a href="tel:999">999</a> en el Reino Unido. No necesita permiso de nadie.`,
    emergencyServices: 'Servicios de emergencia',
    findHelpline: 'Una línea de ayuda en su país',
  },
  whatToSay: (student) => ({
    heading: 'Si no sabe qué decir',
    advice: [
      ['Empiece con algo sencillo.', '«Hola, me he acordado de ti. ¿Cómo estás de verdad?»'],
      [
        'Escuche más de lo que habla.',
        `No tiene que resolver nada. Deje pausas y no discuta lo que siente ${student}.`,
      ],
      [
        'Pregunte directamente si está preocupado.',
        '«¿Estás pensando en el suicidio?» Preguntar no mete la idea en la cabeza de nadie; a menudo alivia.',
      ],
      [
        'No prometa guardar el secreto.',
        'Diga: «Me importas demasiado para guardármelo. Busquemos a alguien que pueda ayudar».',
      ],
      [
        `Si ${student} puede estar en peligro, no se vaya:`,
        'siga al teléfono o en persona y pidan ayuda juntos.',
      ],
      [
        'Acuerden el próximo contacto',
        'y cuídese usted también. Basta con estar ahí; no tiene que hacer terapia.',
      ],
    ],
  }),
  request: {
    askedByStudent: (student, contact) => ({
      heading: `${student} le pide que se ponga en contacto`,
      sentences: [
        `Hola, ${contact}. ${student} nos pidió decirle que le ayudaría saber de usted hoy.`,
        'Basta una llamada corta o un mensaje. No hace falta tener respuestas.',
      ],
    }),
    askedByAlert: (student, contact, days) => ({
      heading: `Póngase en contacto con ${student}`,
      sentences: [
        `Hola, ${contact}. Durante ${days === null ? 'varios días' : days === 1 ? 'un día' : `${days} días`} hemos notado señales que nos preocupan. ${student} le eligió para estos casos y sabe que le hemos escrito.`,
        `Por favor, llame o escriba hoy. Este aviso es automático y puede equivocarse. No decimos nada más: ${student} decide qué contarle.`,
      ],
      ifYouCannot: 'Si ahora no puede, dígalo abajo; así podemos preguntar antes a otras personas.',
    }),
    question: (student) => `¿Ha estado en contacto con ${student}?`,
    answers: {
      called: 'Llamé, o nos vimos',
      messaged: 'Envié un mensaje',
      unavailable: 'Ahora no puedo',
    },
    send: 'Enviar mi respuesta',
    seen: (student) => `${student} ve su respuesta. Puede responder una vez.`,
    chooseOne: 'Elija una de las tres.',
    thanks: (contact) => `Gracias, ${contact}`,
    told: (student) => ({
      called: `Nos dijo que llamó o vio a ${student}. Puede cerrar esta página.`,
      messaged: `Nos dijo que envió un mensaje a ${student}. Puede cerrar esta página.`,
      unavailable: 'Nos dijo que ahora no puede. Está bien, y es bueno saberlo. Puede cerrar esta página.',
    }),
    allRight: (student) => ({
      heading: `${student} ha dicho que todo va bien`,
      sentences: ['Ahora no tiene que hacer nada. Gracias por su apoyo.'],
    }),
    answeredByOther: (student) => ({
      heading: `Otra persona ya ha estado en contacto con ${student}`,
      sentences: ['Ya no hace falta que responda. Si quiere ponerse en contacto también, adelante.'],
    }),
    ended: (student) => ({
      heading: 'Este aviso ha terminado',
      sentences: [`Saber de usted sigue ayudando: llame o escriba a ${student}, si puede.`],
    }),
    withdrawn: {
      heading: 'Esta petición se retiró',
      sentences: ['Ya no se pide. No tiene que hacer nada y no recibirá mensajes sobre ello.'],
    },
    stoppedAlready: { heading: 'Ya no es contacto', sentences: ['Ya no recibe mensajes sobre ello.'] },
    expired: (student) => ({
      heading: 'Este enlace ha caducado',
      sentences: [
        'Los enlaces de nuestros mensajes solo funcionan unos días.',
        `Si piensa en ${student}, póngase en contacto. No necesita esta página.`,
        'Para no recibir más mensajes, responda STOP a cualquiera de ellos.',
      ],
    }),
    unknown: {
      heading: 'Este enlace no funciona',
      sentences: [
        'Puede que falte una parte o que cambiara por el camino. Ábralo otra vez desde el mensaje, entero.',
        'Si alguien le preocupa, póngase en contacto. No necesita esta página.',
      ],
    },
    stop: (student) => ({
      summary: 'Dejar de ser contacto',
      confirm: `Sí, ya no quiero ser contacto de ${student}`,
      button: 'Dejarlo',
      note: `No recibirá más mensajes sobre ${student}. Para no recibir ningún mensaje de Student wellbeing, le nombre quien le nombre, responda STOP a cualquiera de ellos.`,
      problem: 'Marque la casilla si quiere dejarlo.',
    }),
    stopped: (student) => ({
      heading: 'Ya no es contacto',
      sentences: [
        `No recibirá más mensajes sobre ${student}, que verá que lo ha dejado. Su número y su correo se eliminan a los 30 días.`,
        'Gracias por haber estado ahí.',
      ],
    }),
  },
  verification: {
    heading: (student) => `¿Quiere ser contacto de apoyo de ${student}?`,
    introduction: (student, contact) => [
      `Hola, ${contact}. ${student} usa Student wellbeing, un servicio de su universidad, y quiere que usted sea una de las pocas personas a las que pedimos que se pongan en contacto.`,
      `Usted decide. Elija lo que elija, ${student} solo ve la decisión, y un motivo si lo da.`,
    ],
    part: (student) => ({
      heading: 'Qué hace un contacto',
      points: [
        `Recibe un mensaje cuando ${student} lo pide, como mucho una vez al día.`,
        'Raras veces recibe uno cuando señales automáticas de varios días sugieren que unas palabras amables ayudarían.',
        'Entonces llama o escribe, a su manera, y nos lo dice con un toque. Siempre puede responder que no puede.',
        `No está de guardia ni es responsable de cómo está ${student}. En una emergencia, llame a los servicios de emergencia.`,
      ],
    }),
    data: (student) => ({
      heading: 'Qué guardamos',
      points: [
        `Su nombre, número y correo, como los escribió ${student}, y sus respuestas. ${student} los ve.`,
        `Cuando decide: qué, cuándo y desde qué dirección de red y navegador, como prueba, mientras ${student} tenga una cuenta.`,
        `Lo usamos solo para estos mensajes. Su nombre, número y correo se borran cuando ${student} le quita o cierra la cuenta; si rechaza o lo deja, su número y su correo se eliminan a los 30 días.`,
      ],
    }),
    howToStop: {
      heading: 'Cómo dejarlo',
      sentence:
        'Responda STOP a cualquier mensaje, o use «Dejar de ser contacto» en cualquier página a la que lleve un mensaje. Funciona al momento.',
    },
    accept: (student) => ({
      heading: 'Acepto',
      wording: `Acepto ser contacto de apoyo de ${student} y recibir en mi número mensajes de texto automáticos de Student wellbeing sobre ${student}. La mayoría de los contactos no recibe ninguno la mayoría de las semanas. Mi operador puede cobrar mensajes y datos. Puedo responder STOP en cualquier momento para terminar, o HELP para pedir ayuda.`,
      next: `Después enviamos un mensaje al número que nos dio ${student}, que pregunta si también acepta.`,
      button: 'Acepto',
      tickTheBox: 'Marque la casilla si acepta.',
    }),
    decline: (student) => ({
      heading: 'No, gracias',
      why: '¿Por qué?',
      reasons: {
        unknown_person: 'No conozco a esta persona',
        not_now: 'Ahora no puedo',
        other: 'Otro motivo, o prefiero no decirlo',
      },
      ownWords: 'Con sus propias palabras, si quiere',
      seen: `${student} lo ve.`,
      button: 'Rechazar',
      choose: 'Elija uno de los tres motivos.',
    }),
    thanks: (contact) => `Gracias, ${contact}`,
    alreadyAgreed: 'Ya ha aceptado',
    agreed: (student) => `Es contacto de apoyo de ${student}.`,
    nothingToDo: (student) =>
      `Ahora no hay nada que hacer: si a ${student} le vendría bien saber de usted, recibirá un mensaje con un enlace.`,
    numberToAgree: 'Su número aún tiene que aceptar; hasta entonces no recibe ningún otro mensaje.',
    toStop:
      'Para dejarlo, responda STOP a cualquier mensaje, o use «Dejar de ser contacto» en la página a la que lleva.',
    code: (student) => ({
      heading: 'Confirme su número',
      sentence: `El número que nos dio ${student} recibe un mensaje nuestro, de día salvo que haya permitido mensajes de noche. Responda YES, o escriba aquí el código.`,
      label: 'Código del mensaje',
      why: `Seis cifras. Un número recibe un mensaje así una vez al mes como mucho, lo nombre quien lo nombre, y un código anterior también vale. ¿No llegó? Pida a ${student} que revise su número.`,
      button: 'Confirmar mi número',
      oneMoreStep: 'Un paso más: su número',
      wrong: 'Este no es el código del último mensaje que enviamos. Tiene cinco intentos.',
    }),
    tooManyTries: {
      heading: 'Demasiados intentos',
      sentences: [
        'El código fue incorrecto cinco veces. Su número no recibe mensajes hasta que acepte.',
        'Aún puede aceptar desde su teléfono: responda YES a nuestro mensaje.',
      ],
    },
    declined: (student) => ({
      heading: 'No es contacto',
      sentences: [
        `Está bien. No recibe mensajes sobre ${student}, que ve que ha rechazado.`,
        'Su número y su correo se eliminan a los 30 días.',
      ],
    }),
    expired: (student) => ({
      heading: 'Este enlace ha caducado',
      someDays: 'Los enlaces de estos correos solo funcionan unos días.',
      agreed: `Ha aceptado ser contacto de ${student}.`,
      numberMissing: `Ha aceptado ser contacto de ${student}, pero su número no: hasta entonces no recibe mensajes. Responda YES al mensaje que le enviamos.`,
      nothingChanged: 'No se ha cambiado nada y no recibe mensajes.',
      askAgain: `Si quiere ser contacto de ${student}, pídale que le envíe un correo nuevo.`,
    }),
    unknown: {
      heading: 'Este enlace no funciona',
      sentences: [
        'Puede que falte una parte, que un correo más nuevo lo haya sustituido o que la petición se retirara. Abra el enlace entero del último correo.',
        'No recibe mensajes si no ha aceptado.',
      ],
    },
    unknownAction: {
      heading: 'Este enlace no funciona',
      sentences: [
        'Su dirección cambió por el camino. Aquí no se ha cambiado nada.',
        'Abra el enlace entero del último correo. Ahí puede aceptar o rechazar.',
      ],
    },
  },
  settings: {
    link: 'Cambiar la zona horaria o el idioma',
    heading: 'Cuándo y cómo le escribimos',
    timeZone: 'Su zona horaria',
    timeZoneWhy: 'Los mensajes llegan allí de día.',
    choose: 'Elija…',
    common: 'Frecuentes',
    ofYourNumber: 'En el país de su número',
    texts: 'Los mensajes pueden llegar también de noche',
    language: 'Idioma de nuestros mensajes y páginas',
    save: 'Guardar',
    saved: 'Guardado',
    savedNote: 'Vale desde ahora, también para los mensajes que esperan.',
    chooseZone: 'Elija su zona horaria.',
    chooseLanguage: 'Elija un idioma.',
  },
  continents: {
    Africa: 'África',
    America: 'América',
    Antarctica: 'Antártida',
    Arctic: 'Ártico',
    Asia: 'Asia',
    Atlantic: 'Atlántico',
    Australia: 'Australia',
    Europe: 'Europa',
    Indian: 'Océano Índico',
    Pacific: 'Pacífico',
  },
  problems: (count) => (count === 1 ? 'Falta una cosa:' : 'Faltan algunas cosas:'),
  errors: {
    tooManyTries: (minutes) => ({
      heading: 'Demasiados intentos',
      sentences: [
        `Desde aquí se abrieron demasiados enlaces que no funcionan. Inténtelo dentro de ${minutes === 1 ? 'un minuto' : `${minutes} minutos`}.`,
      ],
    }),
    notFound: {
      heading: 'Esta página no existe',
      sentences: ['Puede que falte una parte del enlace. Ábralo otra vez desde el mensaje, entero.'],
    },
    notAllowed: {
      heading: 'Esta página no se puede usar así',
      sentences: ['Abra otra vez el enlace del mensaje.'],
    },
    blocked: {
      heading: 'Esta página está cerrada para su red por ahora',
      sentences: [
        'Desde la red que usa falló demasiado, quizá por otra persona. Pruebe con otra, como los datos móviles, o más tarde.',
        'Un enlace de un mensaje que le pide ponerse en contacto con alguien funciona igualmente.',
      ],
    },
    quarantined: {
      heading: 'Esta página está desactivada por ahora',
      sentences: [
        'Inténtelo más tarde.',
        'Si un mensaje le pidió ponerse en contacto con alguien, llame o escriba ahora; a nosotros nos lo puede decir después.',
      ],
    },
    busy: (minutes) => ({
      heading: 'Demasiado a la vez',
      sentences: [`Inténtelo dentro de ${minutes === 1 ? 'un minuto' : `${minutes} minutos`}.`],
    }),
    wrongInput: {
      heading: 'No ha funcionado',
      sentences: ['No se pudo leer lo que se envió. Vuelva atrás e inténtelo otra vez.'],
    },
    fault: {
      heading: 'Algo falló por nuestra parte',
      sentences: ['No se ha perdido nada. Inténtelo de nuevo en un momento.'],
    },
  },
}
