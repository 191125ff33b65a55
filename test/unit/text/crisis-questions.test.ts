import { describe, expect, test } from 'vitest'
import { detectCrisis } from '../../../functions/_shared/text/crisis/detect.ts'

const level = (text: string) => detectCrisis(text).level

describe('a yes to a question about a crisis is the speaker’s own', () => {
  test.each([
    'The counsellor asked if I was suicidal and I said yes.',
    'The GP asked me if I had thoughts of killing myself and I said yes, most days.',
    'Have you had thoughts of killing yourself? Yes.',
    'Do you ever think about ending your life? Honestly, yes.',
    'The form asked about thoughts of hurting myself and I ticked nearly every day.',
    'There was a question on hurting myself and I put several days.',
    'The nurse asked me straight out if I wanted to kill myself and I nodded.',
    'At the health centre they asked whether I had been thinking about suicide and I had to say yes.',
    'The GP went through a checklist, asked about suicidal thoughts, and I confirmed that I had them.',
    'they asked do you want to die and i said sometimes',
    'In the questionnaire I ticked more than half the days for being better off dead.',
    'He asked if I was going to hurt myself and I said I don’t know, maybe.',
  ])('%s', (text) => {
    expect(level(text)).toBe('high')
  })
})

describe('so is a no that is taken back', () => {
  test.each([
    'The counsellor asked if I was suicidal and I said no but that was a lie.',
    'My tutor asked if I felt suicidal and I told her no because I was scared, but I lied.',
    'My advisor asked whether I was thinking of hurting myself and I said no, which was not true.',
    'someone from wellbeing asked me if i was suicidal i said no but honestly i am',
    "I'm not going to kill myself or anything, but I do think about it every day.",
    'I am not planning to end my life, but I think about it most days.',
  ])('%s', (text) => {
    expect(level(text)).toBe('high')
  })
})

describe('a no that stands lowers what was asked', () => {
  test.each([
    'On the questionnaire I put not at all for the last question, the one about being better off dead.',
    'The doctor asked if I had thoughts of killing myself and I said no, not at all.',
    'On the form about thoughts of hurting myself I ticked never.',
    'They asked me whether I wanted to die and I honestly said no.',
    'The PHQ asks about being better off dead and I scored zero on that one.',
    'Are you suicidal? No, I am fine, thanks for asking.',
    'My GP asked if I ever think of ending my life, and I never have.',
    "My mum asked if I was suicidal, and I'm not, I'm just tired.",
  ])('%s', (text) => {
    expect(['none', 'mild']).toContain(level(text))
  })
})

describe('a no to something else lowers nothing', () => {
  test.each([
    'They asked how I was and I said not great, I want to die.',
    'They asked if I was okay and I said no, I want to kill myself.',
    'When my mum asked about my week I wanted to die, but I said nothing.',
    'I keep asking myself why I should go on. I want to kill myself tonight and I said no to the party.',
    'I said no to the party because I want to die.',
    'I left every question blank. I want to kill myself and I told nobody.',
    'Do you know what, I want to die. No, really.',
  ])('%s', (text) => {
    expect(level(text)).toBe('high')
  })
})

test('an answer of somebody else is not the speaker’s', () => {
  expect(['none', 'mild']).toContain(level('I asked my flatmate if she was suicidal and she said yes.'))
})

test('a suicide that did not happen only because of something is none that was denied', () => {
  expect(level("I didn't kill myself last night only because my sister rang.")).toBe('high')
  expect(level("The only reason I didn't kill myself yesterday is my cat.")).toBe('high')
  expect(level('I have never wanted to kill myself.')).toBe('mild')
})

describe('an item of a questionnaire that is read aloud is answered by the frequency after it', () => {
  const ITEMS = [
    'little interest or pleasure in doing things not at all feeling tired several days thoughts that you would be better off dead or of hurting yourself in some way',
    'Feeling tired: several days. Thoughts that you would be better off dead, or of hurting yourself in some way:',
    'thoughts of hurting yourself',
    'question nine thoughts that you would be better off dead i put',
    'on number nine the one about being better off dead i put',
    'for the one about hurting yourself i ticked',
  ]
  const asked = (answers: readonly string[]) =>
    ITEMS.flatMap((item) => answers.map((answer) => `${item} ${answer}`))

  test.each(asked(['several days', 'more than half the days', 'nearly every day', 'sometimes', '1', 'two']))(
    'yes: %s',
    (text) => {
      expect(level(text)).toBe('high')
    },
  )

  test.each(asked(['not at all', 'never', '0']))('no: %s', (text) => {
    expect(['none', 'mild']).toContain(level(text))
  })

  test('an item that is only talked about has no answer', () => {
    expect(['none', 'mild']).toContain(
      level('The lecture said thoughts of hurting yourself are more common in first year.'),
    )
  })
})

describe('a screening with one yes is', () => {
  test.each([
    'doctor asked have you had thoughts of ending your life and i said no but that was a lie',
    'doctor asked have you had thoughts of ending your life and i nodded',
    'Have you thought about ending your life? No, but I lied.',
    'have you thought about taking your own life and i said sometimes',
    'have you ever had thoughts of suicide yes have you ever self harmed no do you drink no',
    'have you wished you were dead no have you had any thoughts of killing yourself yes do you sleep no',
    'is anyone hurting you at home yes my partner',
    'Is anyone at home hurting you? Yes, my dad.',
    'do you feel safe at home no',
    'The health app asked whether I feel safe at home and I tapped no.',
  ])('high: %s', (text) => {
    expect(level(text)).toBe('high')
  })

  test('moderate at least where the question was how', () => {
    expect(['moderate', 'high']).toContain(
      level(
        "she was asking have you been thinking about how you'd do it and i sort of went quiet and said yes a bit and she asked have you got the stuff and i said yes it's at home",
      ),
    )
  })

  test.each([
    'doctor asked have you had thoughts of ending your life and i said no',
    'doctor asked have you had thoughts of ending your life and i shook my head',
    'Have you thought about ending your life? No, never.',
    'have you ever had thoughts of suicide no have you ever self harmed no do you drink yes at weekends',
    'have you wished you were dead no have you had any thoughts of killing yourself no do you sleep yes',
    'she asked have you been thinking about how you would kill yourself and i said no and she asked do you sleep and i said yes a bit',
    'is anyone hurting you at home no my partner is lovely',
    'do you feel safe at home yes',
    'The health app asked whether I feel safe at home and I tapped yes.',
    'My supervisor asked have you thought about how you would do it and I said yes, with a survey.',
  ])('not raised without one: %s', (text) => {
    expect(['none', 'mild']).toContain(level(text))
  })
})

describe('a denial in other words is one', () => {
  test.each([
    "It's not that I want to die, I just need a week off.",
    "I'm not saying I want to die, I'm saying I want a nap.",
    "There's no way I would end my life over a module.",
    'I have zero intention of ending my life.',
    'I have not had a single thought of suicide since I moved here.',
    'The app asked me if I wanted to end my life and I pressed no.',
    "My mum keeps asking if I want to die and I keep telling her I don't.",
    "The nurse asked if I'd thought about taking my own life and I said absolutely not.",
    'Counsellor said any thoughts of suicide and I said no none.',
    "The therapist checks every week whether I'm having thoughts of suicide, and every week it's a no.",
    'The triage nurse had to ask whether I planned to end my life, and the answer was a firm no.',
    "The chat bot asked if I was thinking about suicide because I wrote that I was tired. I wasn't.",
  ])('%s', (text) => {
    expect(['none', 'mild']).toContain(level(text))
  })
})

describe('a denial that the same breath takes back is none', () => {
  test.each([
    "Mum rang and I said don't worry I'm not going to hurt myself, but I already have.",
    'I told the counsellor I have no plans to end my life but I was lying.',
    'i told my gp i dont want to die but i do',
    "I wasn't suicidal in first year, but I am now.",
    "I don't have any suicidal thoughts is what I tell people, but they are there all day.",
    "No suicidal thoughts, no self-harm, that's what I told the GP, but none of it was true.",
    "The GP asked about suicide and I couldn't honestly say no.",
    "The therapist checks whether I'm having thoughts of suicide, and I say no because I don't want to be sectioned.",
    'They have to ask about suicidal thoughts, and mine was a yes.',
    'My tutor was worried I might hurt myself and she is right.',
    "I haven't stopped thinking about dying.",
    'they asked if i feel safe at home and i said yes, but that was a lie',
    'They asked if I feel safe with her and I said no.',
    'she asked do you want to die and i said i am very sad and i do',
  ])('%s', (text) => {
    expect(level(text)).toBe('high')
  })

  test('a but that says something else takes nothing back', () => {
    expect(level("I'm not suicidal, but I am tired.")).not.toBe('high')
  })
})
