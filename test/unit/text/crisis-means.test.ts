import { describe, expect, test } from 'vitest'
import { KNOWN_ERRORS } from '../../../corpora/crisis/by-level.ts'
import { detectCrisis } from '../../../functions/_shared/text/crisis/detect.ts'
import { matchesIn } from '../../../functions/_shared/text/crisis/matches.ts'
import { normalise } from '../../../functions/_shared/text/crisis/normalise.ts'

const level = (text: string) => detectCrisis(text).level

describe('something taken, or a means at hand, is high', () => {
  test.each([
    'I drank bleach yesterday',
    'I drank some antifreeze this morning and I am waiting.',
    'I took everything in the cupboard',
    'I took the whole packet at once',
    'I swallowed the whole bottle',
    'I swallowed all of them',
    'I turned the gas on',
    'I left the gas on and shut the windows so I would not wake up',
    "I connected a hose to the exhaust of my dad's car",
    'I bought a helium tank and the mask came today.',
  ])('%s', (text) => {
    expect(level(text)).toBe('high')
  })
})

describe('the same things for their ordinary use are none', () => {
  test.each(
    [
      'I turned the gas on and made pasta for everyone.',
      'The landlord turned the gas on again so the heating works.',
      'We bought a helium tank and balloons for her birthday.',
      'The helium tank in the physics lab ran out and the mask did not fit.',
      'I took everything in the cupboard to my new flat.',
      'I drank the whole bottle of wine with my flatmate.',
      'I swallowed a whole bottle of water after practice.',
      'My toddler cousin nearly drank bleach and we all panicked.',
    ].filter((text) => !KNOWN_ERRORS.has(text)),
  )('%s', (text) => {
    expect(level(text)).toBe('none')
  })
})

test('a threat to harm somebody reaches a person, a portrait of them and a figure of speech do not', () => {
  expect(['moderate', 'high']).toContain(level('I am going to stab my professor'))
  expect(['moderate', 'high']).toContain(level('I want to shoot my lecturer.'))
  expect(level("I'm going to strangle my roommate for real.")).toBe('moderate')
  expect(['moderate', 'high']).toContain(level("I'm going to strangle my brother until he stops breathing."))
  expect(level("I'm going to murder my flatmate in his sleep.")).toBe('moderate')
  expect(level("I'm going to strangle my brother, he ate my cheese again.")).toBe('none')
  expect(level('We are going to shoot my professor for the department video.')).toBe('none')
})

describe('no rule finds what is played, studied or only compared', () => {
  const rulesIn = (text: string) => [...matchesIn(` ${normalise(text)} `)].map(({ rule }) => rule)

  test.each([
    ['On attempt thirty I tried the suicide build, and it lasted nine seconds.', 'intent.suicide_attempt'],
    ['It is like somebody kicked me in the stomach.', 'harmed.violence'],
    ['I wanted to die, like I wanted the floor to open and swallow me.', 'intent.want_to_die'],
    ['I threw myself off the cliff so that he could loot my body.', 'means.jump'],
  ])('%s', (text, rule) => {
    expect(rulesIn(text)).not.toContain(rule)
  })

  test.each([
    ['I told the nurse it was my second suicide attempt.', 'intent.suicide_attempt'],
    ['I think about suicide day and night.', 'intent.suicide_thought'],
    ['I have chosen the suicide day.', 'intent.suicide_word'],
    ['Somebody kicked me in the stomach.', 'harmed.violence'],
    ['I want to die, I wish the ground would swallow me.', 'intent.want_to_die'],
    ['I sat behind the curtain and wanted to die.', 'intent.want_to_die'],
    ['I stole the starting pistol to shoot myself.', 'intent.kill_self'],
    ['After the raid I am going to take all the pills I saved.', 'means.pills_taken'],
    ['I want to strangle myself.', 'intent.kill_self'],
  ])('%s is found', (text, rule) => {
    expect(rulesIn(text)).toContain(rule)
  })
})
