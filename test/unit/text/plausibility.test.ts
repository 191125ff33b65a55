import { describe, expect, test } from 'vitest'
import { HELD_OUT_CHECK_INS } from '../../../corpora/crisis/measured/lists.ts'
import { plausibilityOf } from '../../../functions/_shared/text/plausibility.ts'

const wordCount = (text: string) => text.split(/\s+/).length

describe('a transcript by a machine', () => {
  test('is believed where speech can hold it: 100 check-ins, said fast', () => {
    for (const text of HELD_OUT_CHECK_INS)
      expect(plausibilityOf(text, wordCount(text) / 4.5)).toEqual({ share: 1, reason: null })
  })

  test.each([
    ['of noise', 'Thanks for watching. Bye.', 0, 'no_measured_speech'],
    ['of a recording that could not be analysed', 'I slept well.', null, 'speech_not_measured'],
    [
      'of 300 sentences in 20 s',
      'I went to the library with my friend today. '.repeat(300),
      20,
      'too_many_words',
    ],
    ['of one phrase', 'Thank you. '.repeat(12), 20, 'repeated_phrase'],
    ['of one word', 'you '.repeat(20), 20, 'repeated_phrase'],
    [
      'of a long phrase',
      'Please like this video and subscribe to my channel. '.repeat(6),
      60,
      'repeated_phrase',
    ],
    ['of a phrase in turns with another', 'Thank you very much. Goodbye. '.repeat(8), 60, 'repeated_phrase'],
    ['in Chinese', '我今天去了学校然后和朋友一起吃了午饭感觉还不错但是考试让我有点紧张', 1, 'too_many_words'],
    ['of one Japanese phrase', 'ご視聴ありがとうございました。'.repeat(12), 60, 'repeated_phrase'],
  ] as const)('is not: %s', (_, text, speechS, reason) => {
    expect(plausibilityOf(text, speechS)).toEqual({ share: 0, reason })
  })

  test.each([
    ['Chinese', '我今天去了学校然后和朋友一起吃了午饭感觉还不错但是考试让我有点紧张', 7],
    ['Japanese', '今日は学校に行って友達と昼ごはんを食べました。気分はまあまあですが試験が少し心配です。', 7],
    ['Thai', 'วันนี้ฉันไปโรงเรียนและกินข้าวกับเพื่อนรู้สึกดีแต่กังวลเรื่องสอบนิดหน่อย', 6],
  ])('is counted in %s, which puts no spaces between words', (_, text, speechS) => {
    expect(plausibilityOf(text, speechS)).toEqual({ share: 1, reason: null })
  })

  test('is believed in part at a pace that hardly anybody keeps up', () => {
    const text = HELD_OUT_CHECK_INS[0] ?? ''
    const { share, reason } = plausibilityOf(text, wordCount(text) / 6)
    expect(share).toBeGreaterThan(0.2)
    expect(share).toBeLessThan(0.9)
    expect(reason).toBe('too_many_words')
  })

  test('of a short sentence is believed in little speech', () => {
    expect(plausibilityOf('I want to die.', 0.9)).toEqual({ share: 1, reason: null })
  })
})
