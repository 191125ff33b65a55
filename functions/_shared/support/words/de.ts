import { html } from 'hono/html'
import type { Words } from './en.ts'

/** The words of the pages in German. */
export const DE: Words = {
  language: 'Deutsch',
  service: 'Student wellbeing',
  chooseLanguage: 'Sprache',
  titles: {
    request: 'Eine Bitte aus Ihrem Umfeld',
    verification: 'Kontaktperson sein',
    settings: 'Zeitzone und Sprache',
    error: 'Im Moment nicht möglich',
  },
  help: {
    heading: 'Wenn jemand in Gefahr sein könnte',
    call: html`Wenn Sie glauben, dass jetzt ein Leben in Gefahr ist, rufen Sie zuerst den Notruf: <a href="tel:112">112</a> in Europa und vielen anderen Ländern, <a href="tel:911">911</a> in den USA und Kanada, <a href="tel:999">999</a> in Großbritannien. Dafür brauchen Sie von niemandem eine Erlaubnis.`,
    emergencyServices: 'Notruf',
    findHelpline: 'Ein Hilfetelefon in Ihrem Land',
  },
  whatToSay: (student) => ({
    heading: 'Wenn Sie nicht wissen, was Sie sagen sollen',
    advice: [
      ['Fangen Sie einfach an.', '„Hallo, ich habe an dich gedacht. Wie geht es dir wirklich?“'],
      [
        'Hören Sie mehr zu, als Sie reden.',
        `Sie müssen nichts lösen. Lassen Sie Pausen, und widersprechen Sie nicht, wenn ${student} von Gefühlen spricht.`,
      ],
      [
        'Fragen Sie direkt, wenn Sie sich sorgen.',
        '„Denkst du an Suizid?“ Die Frage bringt niemanden auf den Gedanken; oft ist sie eine Erleichterung.',
      ],
      [
        'Versprechen Sie nicht, es geheim zu halten.',
        'Sagen Sie: „Du bist mir zu wichtig, um das für mich zu behalten. Suchen wir jemanden, der helfen kann.“',
      ],
      [
        `Wenn ${student} in Gefahr sein könnte, bleiben Sie da,`,
        'am Telefon oder vor Ort, und holen Sie gemeinsam Hilfe.',
      ],
      [
        'Verabreden Sie den nächsten Kontakt,',
        'und achten Sie auch auf sich. Da zu sein genügt; Sie müssen keine Therapie leisten.',
      ],
    ],
  }),
  request: {
    askedByStudent: (student, contact) => ({
      heading: `${student} bittet Sie, sich zu melden`,
      sentences: [
        `Hallo ${contact}. Wir sollen Ihnen ausrichten, dass es ${student} helfen würde, heute von Ihnen zu hören.`,
        'Ein kurzer Anruf oder eine Nachricht genügt. Sie brauchen keine Antworten.',
      ],
    }),
    askedByAlert: (student, contact, days) => ({
      heading: `Bitte melden Sie sich bei ${student}`,
      sentences: [
        `Hallo ${contact}. ${days === null ? 'Seit einigen Tagen' : days === 1 ? 'An einem Tag' : `An ${days} Tagen`} ist uns etwas aufgefallen, das uns Sorgen macht. ${student} hat Sie dafür ausgesucht und weiß, dass wir Ihnen schreiben.`,
        `Bitte rufen Sie heute an, oder schreiben Sie. Dieser Hinweis ist automatisch und kann falsch sein. Mehr geben wir nicht weiter: ${student} entscheidet, was Sie erfahren.`,
      ],
      ifYouCannot:
        'Wenn es Ihnen gerade nicht möglich ist, sagen Sie es bitte unten; dann fragen wir früher jemand anderen.',
    }),
    question: (student) => `Hatten Sie Kontakt mit ${student}?`,
    answers: {
      called: 'Ich habe angerufen, oder wir haben uns getroffen',
      messaged: 'Ich habe eine Nachricht geschickt',
      unavailable: 'Es geht gerade nicht',
    },
    send: 'Antwort senden',
    seen: (student) => `${student} sieht Ihre Antwort. Sie können einmal antworten.`,
    chooseOne: 'Wählen Sie eine der drei Antworten.',
    thanks: (contact) => `Danke, ${contact}`,
    told: (student) => ({
      called: `Sie haben angegeben, dass Sie ${student} angerufen oder getroffen haben. Sie können diese Seite schließen.`,
      messaged: `Sie haben angegeben, dass Sie ${student} geschrieben haben. Sie können diese Seite schließen.`,
      unavailable:
        'Sie haben angegeben, dass es gerade nicht geht. Das ist in Ordnung und gut zu wissen. Sie können diese Seite schließen.',
    }),
    allRight: (student) => ({
      heading: `${student} sagt, dass alles in Ordnung ist`,
      sentences: ['Sie müssen jetzt nichts tun. Danke, dass Sie da sind.'],
    }),
    answeredByOther: (student) => ({
      heading: `Jemand anderes hatte schon Kontakt mit ${student}`,
      sentences: ['Sie müssen nicht mehr antworten. Melden Sie sich gern trotzdem, wenn Sie möchten.'],
    }),
    ended: (student) => ({
      heading: 'Dieser Hinweis ist beendet',
      sentences: [`Es hilft weiterhin, von Ihnen zu hören: Melden Sie sich bei ${student}, wenn Sie können.`],
    }),
    withdrawn: {
      heading: 'Diese Bitte wurde zurückgenommen',
      sentences: ['Darum wird nicht mehr gebeten. Sie müssen nichts tun und bekommen dazu keine SMS mehr.'],
    },
    stoppedAlready: {
      heading: 'Sie sind keine Kontaktperson mehr',
      sentences: ['Sie bekommen dazu keine SMS mehr.'],
    },
    expired: (student) => ({
      heading: 'Dieser Link ist abgelaufen',
      sentences: [
        'Links in unseren SMS gelten nur einige Tage.',
        `Wenn Ihnen ${student} nicht aus dem Kopf geht, melden Sie sich. Dafür brauchen Sie diese Seite nicht.`,
        'Wenn Sie keine SMS mehr möchten, antworten Sie STOP auf eine davon.',
      ],
    }),
    unknown: {
      heading: 'Dieser Link funktioniert nicht',
      sentences: [
        'Vielleicht fehlt ein Teil, oder er wurde unterwegs verändert. Öffnen Sie noch einmal den ganzen Link aus der SMS.',
        'Wenn Sie sich um jemanden sorgen, melden Sie sich. Dafür brauchen Sie diese Seite nicht.',
      ],
    },
    stop: (student) => ({
      summary: 'Keine Kontaktperson mehr sein',
      confirm: `Ja, ich möchte keine Kontaktperson für ${student} mehr sein`,
      button: 'Beenden',
      note: `Sie bekommen dann keine SMS mehr über ${student}. Wenn Sie gar keine SMS von Student wellbeing möchten, egal wer Sie genannt hat, antworten Sie STOP auf eine davon.`,
      problem: 'Setzen Sie das Häkchen, wenn Sie aufhören möchten.',
    }),
    stopped: (student) => ({
      heading: 'Sie sind keine Kontaktperson mehr',
      sentences: [
        `Sie bekommen keine SMS mehr über ${student}. ${student} sieht, dass Sie aufgehört haben; Ihre Nummer und E-Mail-Adresse werden nach 30 Tagen gelöscht.`,
        'Danke, dass Sie da waren.',
      ],
    }),
  },
  verification: {
    heading: (student) => `Möchten Sie Kontaktperson für ${student} sein?`,
    introduction: (student, contact) => [
      `Hallo ${contact}. ${student} nutzt Student wellbeing, einen Dienst der Universität, und wünscht sich Sie als eine der wenigen Personen, die wir bitten, sich zu melden.`,
      `Sie entscheiden. Was auch immer Sie wählen: ${student} sieht nur die Entscheidung, und einen Grund, wenn Sie einen nennen.`,
    ],
    part: (student) => ({
      heading: 'Was eine Kontaktperson tut',
      points: [
        `Sie bekommen eine SMS, wenn ${student} darum bittet, höchstens einmal am Tag.`,
        'Selten kommt eine, wenn ein automatisch erkanntes Muster über mehrere Tage nahelegt, dass ein freundliches Wort helfen würde.',
        'Sie rufen dann an oder schreiben, auf Ihre Art, und sagen es uns mit einem Fingertipp. Sie dürfen immer antworten, dass es nicht geht.',
        `Sie haben keine Bereitschaft und sind nicht verantwortlich dafür, wie es ${student} geht. Im Notfall rufen Sie den Notruf.`,
      ],
    }),
    data: (student) => ({
      heading: 'Was wir speichern',
      points: [
        `Ihren Namen, Ihre Nummer und E-Mail-Adresse, wie ${student} sie eingegeben hat, und Ihre Antworten. ${student} sieht sie.`,
        `Wenn Sie entscheiden: was, wann und von welcher Netzadresse und welchem Browser, als Nachweis, solange ${student} ein Konto hat.`,
        `All das nutzen wir nur für diese Nachrichten. Name, Nummer und E-Mail-Adresse werden gelöscht, wenn ${student} Sie entfernt oder das Konto schließt; wenn Sie ablehnen oder aufhören, werden Nummer und E-Mail-Adresse nach 30 Tagen gelöscht.`,
      ],
    }),
    howToStop: {
      heading: 'Wie Sie aufhören',
      sentence:
        'Antworten Sie STOP auf eine SMS, oder wählen Sie „Keine Kontaktperson mehr sein“ auf einer Seite, zu der eine SMS führt. Das gilt sofort.',
    },
    accept: (student) => ({
      heading: 'Ich bin einverstanden',
      wording: `Ich bin einverstanden, Kontaktperson für ${student} zu sein und von Student wellbeing automatische SMS über ${student} an meine Nummer zu bekommen. Die meisten Kontaktpersonen bekommen in den meisten Wochen keine. Es können Kosten meines Mobilfunkanbieters entstehen. Ich kann jederzeit STOP antworten, um aufzuhören, oder HELP für Hilfe.`,
      next: `Danach schicken wir eine SMS an die Nummer, die ${student} uns gegeben hat; sie fragt, ob auch die Nummer einverstanden ist.`,
      button: 'Ich bin einverstanden',
      tickTheBox: 'Setzen Sie das Häkchen, wenn Sie einverstanden sind.',
    }),
    decline: (student) => ({
      heading: 'Nein, danke',
      why: 'Warum?',
      reasons: {
        unknown_person: 'Ich kenne diese Person nicht',
        not_now: 'Ich kann das im Moment nicht',
        other: 'Ein anderer Grund, oder ich möchte ihn nicht nennen',
      },
      ownWords: 'In Ihren eigenen Worten, wenn Sie möchten',
      seen: `${student} sieht das.`,
      button: 'Ablehnen',
      choose: 'Wählen Sie einen der drei Gründe.',
    }),
    thanks: (contact) => `Danke, ${contact}`,
    alreadyAgreed: 'Sie sind bereits einverstanden',
    agreed: (student) => `Sie sind Kontaktperson für ${student}.`,
    nothingToDo: (student) =>
      `Jetzt ist nichts zu tun: Wenn ${student} ein Wort von Ihnen gut gebrauchen könnte, bekommen Sie eine SMS mit einem Link.`,
    numberToAgree: 'Ihre Nummer muss noch zustimmen; bis dahin bekommt sie keine andere SMS.',
    toStop:
      'Zum Aufhören antworten Sie STOP auf eine SMS, oder wählen Sie „Keine Kontaktperson mehr sein“ auf der Seite, zu der sie führt.',
    code: (student) => ({
      heading: 'Bestätigen Sie Ihre Nummer',
      sentence: `Die Nummer, die ${student} uns gegeben hat, bekommt eine SMS von uns, tagsüber, wenn Sie keine SMS in der Nacht erlaubt haben. Antworten Sie YES, oder tippen Sie hier den Code ein.`,
      label: 'Code aus der SMS',
      why: `Sechs Ziffern. Eine Nummer bekommt höchstens einmal im Monat eine solche SMS, egal wer sie nennt; ein früherer Code zählt auch. Keine SMS gekommen? Bitten Sie ${student}, Ihre Nummer zu prüfen.`,
      button: 'Nummer bestätigen',
      oneMoreStep: 'Noch ein Schritt: Ihre Nummer',
      wrong: 'Das ist nicht der Code der letzten SMS von uns. Sie haben fünf Versuche.',
    }),
    tooManyTries: {
      heading: 'Zu viele Versuche',
      sentences: [
        'Der Code war fünfmal falsch. Ihre Nummer bekommt keine SMS, bis sie zustimmt.',
        'Sie können weiterhin mit dem Telefon zustimmen: Antworten Sie YES auf unsere SMS.',
      ],
    },
    declined: (student) => ({
      heading: 'Sie sind keine Kontaktperson',
      sentences: [
        `Das ist in Ordnung. Sie bekommen keine SMS über ${student}; ${student} sieht, dass Sie abgelehnt haben.`,
        'Ihre Nummer und E-Mail-Adresse werden nach 30 Tagen gelöscht.',
      ],
    }),
    expired: (student) => ({
      heading: 'Dieser Link ist abgelaufen',
      someDays: 'Links in diesen E-Mails gelten nur einige Tage.',
      agreed: `Sie sind einverstanden, Kontaktperson für ${student} zu sein.`,
      numberMissing: `Sie sind einverstanden, Kontaktperson für ${student} zu sein, Ihre Nummer aber noch nicht: Bis dahin bekommt sie keine SMS. Antworten Sie YES auf die SMS, die wir ihr geschickt haben.`,
      nothingChanged: 'Es wurde nichts geändert, und Sie bekommen keine SMS.',
      askAgain: `Wenn Sie Kontaktperson für ${student} sein möchten, bitten Sie um eine neue E-Mail.`,
    }),
    unknown: {
      heading: 'Dieser Link funktioniert nicht',
      sentences: [
        'Vielleicht fehlt ein Teil, eine neuere E-Mail hat ihn ersetzt, oder die Bitte wurde zurückgenommen. Öffnen Sie den ganzen Link aus der neuesten E-Mail.',
        'Sie bekommen keine SMS, wenn Sie nicht zugestimmt haben.',
      ],
    },
    unknownAction: {
      heading: 'Dieser Link funktioniert nicht',
      sentences: [
        'Seine Adresse wurde auf dem Weg zu Ihnen verändert. Hier wurde nichts geändert.',
        'Öffnen Sie den ganzen Link aus der neuesten E-Mail. Dort können Sie zustimmen oder ablehnen.',
      ],
    },
  },
  settings: {
    link: 'Zeitzone oder Sprache ändern',
    heading: 'Wann und wie wir Ihnen schreiben',
    timeZone: 'Ihre Zeitzone',
    timeZoneWhy: 'SMS kommen dort am Tag.',
    choose: 'Bitte wählen …',
    common: 'Häufige',
    ofYourNumber: 'Im Land Ihrer Nummer',
    texts: 'SMS dürfen auch nachts kommen',
    language: 'Sprache unserer Nachrichten und Seiten',
    save: 'Speichern',
    saved: 'Gespeichert',
    savedNote: 'Das gilt ab jetzt, auch für SMS, die schon warten.',
    chooseZone: 'Wählen Sie Ihre Zeitzone.',
    chooseLanguage: 'Wählen Sie eine Sprache.',
  },
  continents: {
    Africa: 'Afrika',
    America: 'Amerika',
    Antarctica: 'Antarktis',
    Arctic: 'Arktis',
    Asia: 'Asien',
    Atlantic: 'Atlantik',
    Australia: 'Australien',
    Europe: 'Europa',
    Indian: 'Indischer Ozean',
    Pacific: 'Pazifik',
  },
  problems: (count) => (count === 1 ? 'Es fehlt noch etwas:' : 'Es fehlt noch einiges:'),
  errors: {
    tooManyTries: (minutes) => ({
      heading: 'Zu viele Versuche',
      sentences: [
        `Von hier wurden zu viele Links geöffnet, die nicht funktionieren. Versuchen Sie es in ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`} wieder.`,
      ],
    }),
    notFound: {
      heading: 'Diese Seite gibt es nicht',
      sentences: [
        'Vielleicht fehlt ein Teil des Links. Öffnen Sie noch einmal den ganzen Link aus der Nachricht.',
      ],
    },
    notAllowed: {
      heading: 'So lässt sich diese Seite nicht verwenden',
      sentences: ['Öffnen Sie noch einmal den Link aus der Nachricht.'],
    },
    blocked: {
      heading: 'Diese Seite ist für Ihr Netz zurzeit gesperrt',
      sentences: [
        'Aus dem Netz, das Sie nutzen, ging zu viel schief, vielleicht durch jemand anderen. Versuchen Sie es mit einem anderen, etwa mobilen Daten, oder später.',
        'Ein Link aus einer SMS, die Sie bittet, sich bei jemandem zu melden, funktioniert trotzdem.',
      ],
    },
    quarantined: {
      heading: 'Diese Seite ist zurzeit abgeschaltet',
      sentences: [
        'Versuchen Sie es später wieder.',
        'Wenn eine SMS Sie bat, sich bei jemandem zu melden, rufen Sie jetzt an oder schreiben Sie; uns sagen können Sie es später.',
      ],
    },
    busy: (minutes) => ({
      heading: 'Zu viel auf einmal',
      sentences: [`Versuchen Sie es in ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`} wieder.`],
    }),
    wrongInput: {
      heading: 'Das hat nicht geklappt',
      sentences: [
        'Was gesendet wurde, war nicht zu lesen. Gehen Sie zurück und versuchen Sie es noch einmal.',
      ],
    },
    fault: {
      heading: 'Bei uns ist etwas schiefgegangen',
      sentences: ['Es ging nichts verloren. Versuchen Sie es gleich noch einmal.'],
    },
  },
}
