import { html } from 'hono/html'

/** The words of the pages in English; every other language has the same. */
export const EN = {
  language: 'English',
  service: 'Student wellbeing',
  chooseLanguage: 'Language',
  titles: {
    request: 'A request from a friend',
    verification: 'Being a support contact',
    settings: 'Time zone and language',
    error: 'Not possible at the moment',
  },
  help: {
    heading: 'If somebody may be in danger',
    call: html`If you think that a life may be at risk now, call the emergency services first: <a href="tel:112">112</a> in Europe and in many other countries, <a href="tel:911">911</a> in the US and Canada, <a href="tel:999">999</a> in the UK. You need nobody's permission for that.`,
    emergencyServices: 'Emergency services',
    findHelpline: 'Find a helpline in your country',
  },
  whatToSay: (student: string) => ({
    heading: "If you don't know what to say",
    advice: [
      ['Start simply.', '“Hi, I was thinking of you. How are you, really?”'],
      [
        'Listen more than you talk.',
        `You don't have to solve anything. Leave pauses, and don't argue with how ${student} feels.`,
      ],
      [
        'Ask directly if you are worried.',
        '“Are you thinking about suicide?” Asking puts the idea in nobody’s head; it often is a relief.',
      ],
      [
        "Don't promise to keep it secret.",
        'Say: “I care about you too much to keep that to myself. Let’s find somebody who can help.”',
      ],
      [`If ${student} may be in danger, stay,`, 'on the phone or in person, and call for help together.'],
      [
        'Agree on the next contact,',
        'and look after yourself too. Being a friend is enough; you are not their therapist.',
      ],
    ] as (readonly [lead: string, rest: string])[],
  }),
  request: {
    askedByStudent: (student: string, contact: string) => ({
      heading: `${student} would like you to check in`,
      sentences: [
        `Hi ${contact}. ${student} asked us to tell you that hearing from you today would help.`,
        "A short call or a message is enough. You don't need to have answers.",
      ],
    }),
    askedByAlert: (student: string, contact: string, days: number | null) => ({
      heading: `Please check in on ${student}`,
      sentences: [
        `Hi ${contact}. Over ${days === null ? 'some days' : days === 1 ? 'a day' : `${days} days`} we have noticed patterns that concern us. ${student} chose you as somebody to tell, and knows that we did.`,
        `Please call or write to them today. This alert is automated and can be wrong. More than this we don't pass on: ${student} decides what to tell you.`,
      ],
      ifYouCannot: "If you can't at the moment, please say so below; others can then be asked sooner.",
    }),
    question: (student: string) => `Have you been in touch with ${student}?`,
    answers: {
      called: 'I called, or we met',
      messaged: 'I sent a message',
      unavailable: "I can't at the moment",
    },
    send: 'Send my answer',
    seen: (student: string) => `${student} sees your answer. You can answer once.`,
    chooseOne: 'Choose one of the three.',
    thanks: (contact: string) => `Thank you, ${contact}`,
    told: (student: string) => ({
      called: `You told us that you called or met ${student}. You can close this page.`,
      messaged: `You told us that you sent ${student} a message. You can close this page.`,
      unavailable:
        "You told us that you can't at the moment. That is all right, and good to know. You can close this page.",
    }),
    allRight: (student: string) => ({
      heading: `${student} has said that all is well`,
      sentences: ["You don't need to do anything now. Thank you for being there."],
    }),
    answeredByOther: (student: string) => ({
      heading: `Somebody else has been in touch with ${student}`,
      sentences: ["You don't need to answer any more. If you would like to get in touch as well, do."],
    }),
    ended: (student: string) => ({
      heading: 'This alert has ended',
      sentences: [`It still helps to hear from you: call or write to ${student}, if you can.`],
    }),
    withdrawn: {
      heading: 'This request was taken back',
      sentences: ["It is no longer asked for, so you don't need to do anything, and get no texts about it."],
    },
    stoppedAlready: {
      heading: 'You are no longer a contact',
      sentences: ['You get no texts about this any more.'],
    },
    expired: (student: string) => ({
      heading: 'This link has expired',
      sentences: [
        'Links in our texts work for some days only.',
        `If ${student} is on your mind, get in touch with them. You don't need this page for that.`,
        'To get no more texts, reply STOP to any of them.',
      ],
    }),
    unknown: {
      heading: 'This link does not work',
      sentences: [
        'Part of it may be missing or was changed on the way. Open it again from the text message, the whole link.',
        "If you are worried about somebody, get in touch with them. You don't need this page for that.",
      ],
    },
    stop: (student: string) => ({
      summary: 'Stop being a contact',
      confirm: `Yes, I no longer want to be a contact for ${student}`,
      button: 'Stop',
      note: `You then get no more texts about ${student}. To get no texts from Student wellbeing at all, whoever named you, reply STOP to any of them.`,
      problem: 'Tick the box if you want to stop.',
    }),
    stopped: (student: string) => ({
      heading: 'You are no longer a contact',
      sentences: [
        `You will get no more texts about ${student}. They see that you stopped, and your number and email address are removed after 30 days.`,
        'Thank you for having been there.',
      ],
    }),
  },
  verification: {
    heading: (student: string) => `Will you be a support contact for ${student}?`,
    introduction: (student: string, contact: string) => [
      `Hi ${contact}. ${student} uses Student wellbeing, a service of their university, and would like you to be one of the few people who are asked to check in on them.`,
      `You decide. Whatever you choose, ${student} sees only the choice, and a reason if you give one.`,
    ],
    part: (student: string) => ({
      heading: 'What a contact does',
      points: [
        `You get a text when ${student} asks for you, at most once a day.`,
        'Rarely, you get one when an automated pattern over several days suggests that a friendly word would help.',
        "You then call or write, in your own way, and tell us so with one tap. You may always answer that you can't.",
        `You are not on call, and not responsible for how ${student} is. In an emergency, call the emergency services.`,
      ],
    }),
    data: (student: string) => ({
      heading: 'What we keep',
      points: [
        `Your name, number and email address, as ${student} entered them, and your answers. ${student} sees these.`,
        `When you decide: what, when, and from which network address and browser, as proof, for as long as ${student} has an account.`,
        `We use all this for these messages alone. Your name, number and email address are deleted when ${student} removes you or closes the account; if you decline or stop, your number and email address are removed after 30 days.`,
      ],
    }),
    howToStop: {
      heading: 'How to stop',
      sentence:
        'Reply STOP to any text, or use “Stop being a contact” on any page that a text leads to. It works at once.',
    },
    accept: (student: string) => ({
      heading: 'I agree',
      wording: `I agree to be a support contact for ${student} and to receive automated text messages about ${student} from Student wellbeing at my number. Most contacts get none in most weeks. Message and data rates may apply. I can reply STOP at any time to stop, or HELP for help.`,
      next: `We then send one text to the number that ${student} gave us, which asks whether it agrees too.`,
      button: 'I agree',
      tickTheBox: 'Tick the box if you agree.',
    }),
    decline: (student: string) => ({
      heading: 'No, thank you',
      why: 'Why?',
      reasons: {
        unknown_person: "I don't know this person",
        not_now: "I can't do this now",
        other: 'Another reason, or I would rather not say',
      },
      ownWords: 'In your own words, if you like',
      seen: `${student} sees this.`,
      button: 'Decline',
      choose: 'Choose one of the three.',
    }),
    thanks: (contact: string) => `Thank you, ${contact}`,
    alreadyAgreed: 'You have already agreed',
    agreed: (student: string) => `You are a support contact for ${student}.`,
    nothingToDo: (student: string) =>
      `There is nothing to do now: if ${student} could use a word from you, you get a text with a link.`,
    numberToAgree: 'Your number has yet to agree too; until then it gets no other text.',
    toStop: 'To stop, reply STOP to any text, or use “Stop being a contact” on the page that it leads to.',
    code: (student: string) => ({
      heading: 'Confirm your number',
      sentence: `The number that ${student} gave us gets one text from us, in the daytime unless you allowed texts at night. Reply YES to it, or type its code here.`,
      label: 'Code from the text',
      why: `Six digits. A number gets such a text once a month at most, whoever names it, and an earlier code counts as well. No text came? Ask ${student} to check your number.`,
      button: 'Confirm my number',
      oneMoreStep: 'One more step: your number',
      wrong: 'This is not the code of the text that we sent last. You have five tries.',
    }),
    tooManyTries: {
      heading: 'Too many tries',
      sentences: [
        'The code was wrong five times. Your number gets no texts until it agrees.',
        'You can still agree from your phone: reply YES to our text.',
      ],
    },
    declined: (student: string) => ({
      heading: 'You are not a contact',
      sentences: [
        `That is all right. You get no texts about ${student}, who sees that you declined.`,
        'Your number and email address are removed after 30 days.',
      ],
    }),
    expired: (student: string) => ({
      heading: 'This link has expired',
      someDays: 'Links in these emails work for some days only.',
      agreed: `You have agreed to be a contact for ${student}.`,
      numberMissing: `You have agreed to be a contact for ${student}, but your number has not: it gets no texts until then. Reply YES to the text that we sent to it.`,
      nothingChanged: 'Nothing was changed, and you get no texts.',
      askAgain: `If you would like to be a contact for ${student}, ask them to send you a new email.`,
    }),
    unknown: {
      heading: 'This link does not work',
      sentences: [
        'Part of it may be missing, it may have been replaced by a newer email, or the request was taken back. Open the newest email, the whole link.',
        'You get no texts unless you agreed to them.',
      ],
    },
    unknownAction: {
      heading: 'This link does not work',
      sentences: [
        'Its address was changed on the way to you. Nothing was changed here.',
        'Open the newest email, the whole link. There you can agree or decline.',
      ],
    },
  },
  settings: {
    link: 'Change your time zone or language',
    heading: 'When and how we write to you',
    timeZone: 'Your time zone',
    timeZoneWhy: 'Texts come in the daytime there.',
    choose: 'Choose…',
    common: 'Common',
    ofYourNumber: 'In the country of your number',
    texts: 'Texts may come at night too',
    language: 'Language of our messages and pages',
    save: 'Save',
    saved: 'Saved',
    savedNote: 'It counts from now on, also for texts that are waiting.',
    chooseZone: 'Choose your time zone.',
    chooseLanguage: 'Choose a language.',
  },
  continents: {
    Africa: 'Africa',
    America: 'America',
    Antarctica: 'Antarctica',
    Arctic: 'Arctic',
    Asia: 'Asia',
    Atlantic: 'Atlantic',
    Australia: 'Australia',
    Europe: 'Europe',
    Indian: 'Indian Ocean',
    Pacific: 'Pacific',
  } as Record<string, string>,
  problems: (count: number): string => (count === 1 ? 'One thing is missing:' : 'Some things are missing:'),
  errors: {
    tooManyTries: (minutes: number) => ({
      heading: 'Too many tries',
      sentences: [
        `Too many links that do not work were opened from here. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
      ],
    }),
    notFound: {
      heading: 'There is no such page',
      sentences: ['Part of the link may be missing. Open it again from the message, the whole link.'],
    },
    notAllowed: {
      heading: 'This page cannot be used that way',
      sentences: ['Open the link from the message again.'],
    },
    blocked: {
      heading: 'This page is closed to your network for now',
      sentences: [
        'Too much went wrong from the network that you use, perhaps by somebody else. Try another one, such as mobile data, or again later.',
        'A link in a text that asks you to check in on somebody works all the same.',
      ],
    },
    quarantined: {
      heading: 'This page is switched off for now',
      sentences: [
        'Try again later.',
        'If a text asked you to check in on somebody, call or write to them now; you can tell us later.',
      ],
    },
    busy: (minutes: number) => ({
      heading: 'Too much at once',
      sentences: [`Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`],
    }),
    wrongInput: {
      heading: 'That did not work',
      sentences: ['What was sent could not be read. Go back and try again.'],
    },
    fault: {
      heading: 'Something went wrong on our side',
      sentences: ['Nothing was lost. Try again in a moment.'],
    },
  },
}

/** What a language has words for. */
export type Words = typeof EN
