import { describe, expect, test } from 'vitest'
import { analyzeText } from '../../../functions/_shared/text/index.ts'
import { ANGER, ANXIETY, JOY, SADNESS } from '../../../functions/_shared/text/lexicons/emotion.ts'
import { IDENTITY_WORDS } from '../../../functions/_shared/text/lexicons/identity.ts'
import {
  ABSOLUTIST,
  COPING,
  FUTURE_FOCUS,
  SOCIAL_CONNECTION,
} from '../../../functions/_shared/text/lexicons/resilience.ts'
import { THEMES } from '../../../functions/_shared/text/lexicons/themes.ts'

const LEXICONS: Record<string, readonly string[]> = {
  joy: JOY,
  sadness: SADNESS,
  anger: ANGER,
  anxiety: ANXIETY,
  coping: COPING,
  'social connection': SOCIAL_CONNECTION,
  'future focus': FUTURE_FOCUS,
  absolutist: ABSOLUTIST,
  ...Object.fromEntries(Object.entries(THEMES).map(([theme, entries]) => [`theme ${theme}`, entries])),
}

describe.each(Object.entries(LEXICONS))('the lexicon of %s', (_, entries) => {
  test.each(entries)('"%s" is one to five plain lower-case words', (entry) => {
    expect(entry).toMatch(/^[a-z]+(?:'[a-z]+)?(?: [a-z]+(?:'[a-z]+)?){0,4}$/)
  })

  test('holds each entry once', () => {
    expect(new Set(entries).size).toBe(entries.length)
  })

  test('holds no word for who somebody is', () => {
    expect(entries.filter((entry) => IDENTITY_WORDS.has(entry))).toEqual([])
  })
})

test('no word stands for two opposite emotions', () => {
  const joy = new Set(JOY)
  expect([...SADNESS, ...ANGER, ...ANXIETY].filter((entry) => joy.has(entry))).toEqual([])
})

test.each([
  'gay',
  'straight',
  'black',
  'white',
  'muslim',
  'christian',
  'jewish',
  'trans',
  'deaf',
  'autistic',
  'poor',
  'international',
  'queer',
])('being %s changes nothing', (identity) => {
  const told = (word: string) =>
    analyzeText(`I am a ${word} student. Today I had lunch with ${word} friends and it was good. I am tired.`)
  const { features, quality, crisis } = told(identity)
  expect({ features, quality, crisis }).toEqual({
    features: told('quiet').features,
    quality: told('quiet').quality,
    crisis: { level: 'none', rule: null },
  })
})

test.each([
  ['my boyfriend', 'my girlfriend'],
  ['my husband', 'my wife'],
  ['he', 'she'],
  ['my mom', 'my dad'],
])('"%s" and "%s" weigh the same', (one, other) => {
  const told = (person: string) =>
    analyzeText(`Yesterday ${person} came by and we were really happy.`).features
  expect(told(one)).toEqual(told(other))
})
