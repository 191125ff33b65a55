import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'
import { detectCrisis } from '../../../functions/_shared/text/crisis/detect.ts'
import { FOREIGN_LANGUAGES } from '../../../functions/_shared/text/crisis/foreign.ts'

const EMERGENCIES: ReadonlyArray<readonly [string, string]> = [
  ['de', 'Ich bringe mich heute Abend um.'],
  ['de', 'Ich habe keine Kraft mehr, ich will einfach nur noch sterben.'],
  ['de', 'Manchmal denke ich, dass ich mich umbringen werde.'],
  ['de', 'Morgen nehme ich mir das Leben.'],
  ['fr', 'J’ai envie d’en finir.'],
  ['fr', "j'ai plus envie de vivre"],
  ['fr', 'Je ne veux plus vivre comme ça.'],
  ['es', 'La verdad es que me quiero morir.'],
  ['es', 'ya no tengo ganas de vivir más'],
  ['it', 'Ho preso tutte le pastiglie.'],
  ['nl', 'Ik wil er een eind aan maken.'],
  ['pl', 'Nie chcę już żyć.'],
  ['pt', 'Eu não quero mais viver.'],
  ['sv', 'Jag vill inte leva längre.'],
  ['ru', 'Я больше не хочу жить.'],
  ['zh', '我真的不想活了'],
  ['ja', 'もう死にたいです'],
  ['ko', '죽고 싶어요'],
  ['ar', 'أريد أن أموت'],
  ['hi', 'मैं मरना चाहती हूँ'],
  ['it', 'Mi voglio ammazzare'],
  ['it', 'Ho ingoiato tutte le pastiglie ieri sera'],
  ['es', 'No aguanto más vivir así'],
  ['pt', 'Não aguento mais viver'],
  ['fr', 'J’ai avalé toute la boîte de somnifères'],
  ['de', 'Ich habe eine ganze Packung Schlaftabletten geschluckt'],
  ['zh', '我吃了一整瓶安眠药'],
  ['zh', '我想从楼上跳下去'],
  ['ru', 'Я наглоталась таблеток'],
  ['ru', 'Я выпила всю упаковку таблеток'],
]

describe('emergency phrases of other languages', () => {
  test.each(EMERGENCIES)('%s: %s', (language, text) => {
    expect(detectCrisis(text)).toMatchObject({ level: 'high' })
    expect(analyzeText(text).quality.language, language).not.toBe('en')
  })

  test.each([
    'Ich will nicht sterben, ich bin nur müde.',
    'Je vais bien, j’ai mangé avec mes amis.',
    'Hoy fui a la universidad y no quiero estudiar.',
    'Das Essen war gut, und morgen will ich lange schlafen.',
    '今天我和朋友去了图书馆。',
    '我吃了一整瓶酸奶',
    'Я выпила таблетку от головной боли и легла спать',
    'Não aguento mais estudar para esta prova',
    'Ho preso una pastiglia per il mal di testa',
  ])('are not found in: %s', (text) => {
    expect(['none', 'mild']).toContain(detectCrisis(text).level)
  })
})

test('the page on scoring names the languages whose phrases are known', async () => {
  const page = await readFile(new URL('../../../docs/scoring.md', import.meta.url), 'utf8')
  const names = new Intl.DisplayNames('en', { type: 'language' })
  const listed = FOREIGN_LANGUAGES.map((code) => names.of(code) ?? code)
  expect(listed.filter((name) => !page.includes(name))).toEqual([])
})

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
