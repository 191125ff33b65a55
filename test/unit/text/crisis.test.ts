import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BY_LEVEL, KNOWN_ERRORS } from '../../../corpora/crisis/by-level.ts'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'
import { detectCrisis } from '../../../functions/_shared/text/crisis/detect.ts'
import { RULES } from '../../../functions/_shared/text/crisis/matches.ts'
import { normalise } from '../../../functions/_shared/text/crisis/normalise.ts'

const level = (text: string) => detectCrisis(text).level

describe.each(Object.entries(BY_LEVEL))('is %s:', (expected, sentences) => {
  test.each(sentences.filter((sentence) => !KNOWN_ERRORS.has(sentence)))('%s', (sentence) => {
    expect(level(sentence)).toBe(expected)
  })
})

test('no error is known that is made no more', () => {
  const made = [...KNOWN_ERRORS.keys()].map((sentence) => [sentence, detectCrisis(sentence).level])
  expect(made).toEqual([...KNOWN_ERRORS])
})

describe('said outright amid two minutes of talk without punctuation', () => {
  const TALK =
    'we walked by the river and the weather was nice so we had tea with my flatmate and then we watched something funny on the sofa '

  test.each([
    'i want to die',
    'i want to kill myself',
    'i am going to kill myself',
    'i am thinking about suicide',
  ])('%s', (sentence) => {
    expect(['moderate', 'high']).toContain(
      detectCrisis(`${TALK.repeat(5)}${sentence} ${TALK.repeat(5)}`).level,
    )
  })
})

describe('a loop', () => {
  const TALK = 'we had a quiet week and the labs went fine so i am off to see my sister on saturday '

  test.each([
    ['Thank you.', 5],
    ['Thank you for watching.', 8],
    ['Thanks for watching!', 5],
    ['you', 12],
    ['the', 20],
  ])('of a recogniser raises nothing: %s × %i', (said, times) => {
    const loop = Array(times).fill(said).join(' ')
    expect(level(loop)).toBe('none')
    expect(level(TALK + loop)).toBe('none')
  })

  test.each([
    'i i i want to die',
    'no no no i am going to kill myself',
    'i want to die i want to die i want to die',
    'make it stop make it stop make it stop make it stop',
    'im done im done im done im done with all of it',
  ])('of a person hides no crisis: %s', (text) => {
    expect(level(text)).toBe('high')
    expect(level(TALK + text)).toBe('high')
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
  test('is found among ordinary sentences', () => {
    const ordinary = BY_LEVEL.none
      .filter((sentence) => !KNOWN_ERRORS.has(sentence))
      .map((sentence) => `${sentence.replace(/[.!?]*$/, '')}.`)
    // "d.i.e." ends a word, not a sentence
    const inCrisis = BY_LEVEL.high
      .filter((sentence) => !KNOWN_ERRORS.has(sentence))
      .filter((sentence) => !/\.\w\.?$/.test(sentence))
      .map((sentence) => `${sentence.replace(/[.!?]*$/, '')}.`)
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...ordinary), { maxLength: 6 }),
        fc.constantFrom(...inCrisis),
        fc.array(fc.constantFrom(...ordinary), { maxLength: 6 }),
        (before, sentence, after) => {
          // Of what the network alone makes `high`, a review of lower priority may be all that is left among other talk.
          const isNamed = detectCrisis(sentence).rule !== 'similar-to-crisis-language'
          expect(isNamed ? ['high'] : ['high', 'moderate']).toContain(
            level([...before, sentence, ...after].join(' ')),
          )
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('never throws, and names a rule exactly when there is a level', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { level, rule } = detectCrisis(text)
        expect(rule === null).toBe(level === 'none')
      }),
    )
  })

  test('is looked for in text that is too short or not English', () => {
    expect(analyzeText('I want to die').crisis.level).toBe('high')
    const spanish = analyzeText('Hoy estoy muy cansada y ya no quiero vivir con esto, la verdad.')
    expect(spanish).toMatchObject({ quality: { language: 'other' }, crisis: { level: 'high' } })
  })

  test('ignores case, accents, width and how an apostrophe is written', () => {
    for (const text of ["I DON'T WANT TO LIVE", 'I don’t want to live', 'i dont want to lïve']) {
      expect(level(text)).toBe('high')
    }
  })

  test('is found in words that mix letters of other scripts', () => {
    for (const text of ['I wαnt tο dιe', 'I wаnt tо dіe']) {
      expect(detectCrisis(text)).toEqual(detectCrisis('I want to die'))
    }
  })

  test('is found where no rule matches, and the result says so', () => {
    const similar = { level: 'high', rule: 'similar-to-crisis-language' }
    expect(
      detectCrisis('gave my cat to my cousin for ever because i wont need to feed her after friday'),
    ).toEqual(similar)
  })

  test.each([
    ['i have been thinking of sue aside every night', 'suicide'],
    ['i want to dye i cant do this', 'die'],
    ['i took an over dose of my meds last night', 'overdose'],
  ])('is found as speech recognition mishears it: %s', (text) => {
    expect(level(text)).toBe('high')
  })

  test('is left alone where a word only sounds like it', () => {
    expect(normalise('I am going to dye my hair by the side of the sink')).toBe(
      'i am going to dye my hair by the side of the sink',
    )
  })
})

test('every rule has its own name', () => {
  const ids = RULES.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('every rule matches anywhere in a text', () => {
  for (const { regex } of RULES) expect(regex.global).toBe(true)
})
