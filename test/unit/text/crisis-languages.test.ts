import { describe, expect, test } from 'vitest'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'
import { detectCrisis } from '../../../functions/_shared/text/crisis/detect.ts'

describe('harmless English beside another language is harmless', () => {
  test.each([
    'We had pasta and watched a film. Dzisiaj poszliśmy na spacer i jedliśmy lody z kolegami.',
    'We lost the match but it was fun. Mañana tengo que entregar un trabajo de historia.',
    'My flatmate made soup and it was nice. Caawa waxaan karinayaa bariis iyo hilib.',
    'I finished my essay. Od tygodnia dobrze śpię i od jutra mam wolne.',
    'I bought a lamp for my desk. Yarın annem geliyor, birlikte yemek yapacağız.',
    'Leo tulikwenda sokoni na rafiki zangu. I slept badly but I got up for the seminar.',
    'The seminar covered eigenvectors, Hamiltonians, phonons, Lagrangians and Bravais lattices.',
    'My dissertation is on phonotactics and suprasegmental morphology.',
  ])('%s', (text) => {
    expect(detectCrisis(text).level).toBe('none')
  })

  test('a crisis in English between sentences of another language is found', () => {
    const text =
      'Dzisiaj poszliśmy na spacer. I want to kill myself tonight and I have the pills. Jutro mam kolokwium z fizyki.'
    expect(detectCrisis(text).level).toBe('high')
    expect(detectCrisis('estoy tan cansado i want to die ya no puedo mas').level).toBe('high')
  })
})

test('text without Latin letters is not English, rather than empty', () => {
  expect(analyzeText('今天我和朋友去了图书馆。').quality).toMatchObject({ reason: 'not_english' })
  expect(analyzeText('…').quality).toMatchObject({ reason: 'empty' })
})
