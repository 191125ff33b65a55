import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideCrisis } from '../../../functions/_shared/text/crisis/decide.ts'
import { detectCrisis } from '../../../functions/_shared/text/crisis/detect.ts'
import { RULES } from '../../../functions/_shared/text/crisis/matches.ts'

const level = (text: string) => detectCrisis(text).level

describe('said outright', () => {
  test.each([
    'I want to die',
    'i want to kill myself',
    'i am going to kill myself tonight',
    'I tried to kill myself last night',
    'I am suicidal',
    'I want to end my life',
    'i dont want to live anymore',
    'I wish I could just be dead, I want to be dead',
    'I just took all my pills',
    'ive swallowed the whole bottle of paracetamol',
    "I've been saving up my pills for this",
    'I cut my arms last night to feel something',
    "I can't keep myself safe tonight",
    'I nearly threw myself in front of a train',
    'I do not feel safe at home with him',
    'i i i want to die',
    'no no no i am going to kill myself',
  ])('acts at once: %s', (text) => {
    expect(detectCrisis(text)).toMatchObject({ level: 'high', explicit: true })
    expect(detectCrisis(`${TALK.repeat(5)}${text} ${TALK.repeat(5)}`)).toMatchObject({ explicit: true })
  })

  test.each([
    'I have never wanted to kill myself',
    'They asked whether I want to die and I said no',
    'She tried to kill herself last night',
    'In the play Ophelia drowns herself and Hamlet wants to die',
    'My feet are killing me and I am dying for a coffee',
    'I want to be left alone for a while',
    'I took two paracetamol for my headache',
    'I cut myself shaving',
    'I do not want to live anywhere else, this city has my whole heart',
    'The last question was like thoughts that you would be better off dead and yeah no not at all',
  ])('does not: %s', (text) => {
    expect(detectCrisis(text).explicit).toBe(false)
  })

  const TALK =
    'we walked by the river and the weather was nice so we had tea with my flatmate and then we watched something funny on the sofa '
})

describe('rules and what the sentences mean', () => {
  const reading = (probability: number, windows = 10) => ({ probability, passages: [], share: 1, windows })
  const OUTRIGHT = 'I want to kill myself'
  const RULE = 'I hope I die in my sleep'
  const NOTHING = 'The lab went well'

  test('what is said outright stands, whatever they mean', () => {
    expect(decideCrisis(OUTRIGHT, reading(0))).toEqual({ level: 'high', rule: 'intent.kill_self' })
  })

  test('what a rule finds otherwise stands by their meaning alone', () => {
    const { level, rule, explicit } = detectCrisis(RULE)
    expect({ level, explicit }).toEqual({ level: 'high', explicit: false })
    expect(decideCrisis(RULE, reading(0.01))).toEqual({ level: 'mild', rule })
    expect(decideCrisis(RULE, reading(0.99))).toEqual({ level: 'high', rule })
  })

  test('where some of the words were not read, a rule in them is for a human', () => {
    expect(decideCrisis(RULE, { ...reading(0.01), share: 0.9 }).level).toBe('moderate')
    expect(decideCrisis(NOTHING, { ...reading(0.01), share: 0.9 }).level).toBe('none')
  })

  test('a threat to others is for a human, whatever the encoder knows of it', () => {
    const threat = 'I am going to stab my flatmate in his sleep'
    expect(detectCrisis(threat).level).toBe('moderate')
    expect(decideCrisis(threat, reading(0)).level).toBe('moderate')
  })

  test('no rule is needed', () => {
    const similar = { level: 'high', rule: 'similar-to-crisis-language' }
    expect(decideCrisis(NOTHING, reading(0.99))).toEqual(similar)
    expect(decideCrisis(NOTHING, reading(0.01))).toEqual({ level: 'none', rule: null })
  })

  test('more is asked of a short English text, whatever its tone', () => {
    expect(decideCrisis(NOTHING, reading(0.8, 1)).level).toBe('moderate')
    expect(decideCrisis(NOTHING, reading(0.8, 3)).level).toBe('high')
    expect(decideCrisis('Ich mag nicht mehr aufwachen müssen', reading(0.8, 1)).level).toBe('high')
  })

  test('without a reading the rules stand', () => {
    expect(decideCrisis(RULE, null)).toEqual({ level: 'high', rule: detectCrisis(RULE).rule })
  })

  test('a greater probability never lowers the level', () => {
    const levels = Array.from({ length: 101 }, (_, at) => decideCrisis(NOTHING, reading(at / 100)).level)
    const order = ['none', 'mild', 'moderate', 'high']
    expect(levels.map((each) => order.indexOf(each))).toEqual(
      levels.map((each) => order.indexOf(each)).sort(),
    )
    expect(new Set(levels)).toEqual(new Set(['none', 'moderate', 'high']))
  })
})

describe('the same words', () => {
  test('are a denial when negated, unless the negation denies nothing', () => {
    expect(level('I want to kill myself.')).toBe('high')
    expect(level('I have never wanted to kill myself.')).toBe('mild')
    expect(level("I can't promise I won't kill myself.")).toBe('high')
    expect(level("My RA asked me if I wanted to kill myself. I didn't. We had tea.")).toBe('mild')
    expect(level('I want to. Die.')).toBe('high')
  })

  test('count less when somebody else says them', () => {
    expect(level('The poster says "do you want to end your life?" and has a number.')).not.toBe('high')
    expect(level('My head says "end your life" and I want to end my life.')).toBe('high')
  })

  test('count less when they are about somebody else', () => {
    expect(level('She tried to kill herself last night.')).toBe('mild')
    expect(level('I tried to kill myself last night.')).toBe('high')
  })

  test('are harmless in a work of fiction', () => {
    expect(['none', 'mild']).toContain(level('In the play Ophelia drowns herself and Hamlet wants to die.'))
    expect(level('I play Ophelia, and I want to drown myself for real.')).toBe('high')
  })

  test('are harmless as an exaggeration', () => {
    expect(['none', 'mild']).toContain(level('My feet are killing me and I am dying for a coffee.'))
    expect(level('Everything is killing me and I want to die.')).toBe('high')
  })

  test('count less when they are long past, and in full when they are back', () => {
    expect(level('I used to self-harm when I was at school but that is over.')).toBe('moderate')
    expect(level('When I was fourteen I used to cut myself, and last night I cut myself again.')).toBe('high')
  })
})

describe('crisis language', () => {
  test('never throws, and names a rule exactly when there is a level', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { level, rule } = detectCrisis(text)
        expect(rule === null).toBe(level === 'none')
      }),
    )
  })

  test('ignores case, accents, width and how an apostrophe is written', () => {
    for (const text of ["I DON'T WANT TO LIVE", 'I don’t want to live', 'i dont want to lïve']) {
      expect(level(text)).toBe('high')
    }
  })
})

test('every rule has its own name', () => {
  const ids = RULES.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('every rule matches anywhere in a text', () => {
  for (const { regex } of RULES) expect(regex.global).toBe(true)
})
