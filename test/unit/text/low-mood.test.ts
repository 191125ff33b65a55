import { describe, expect, test } from 'vitest'
import { LOW_MOOD_THEME } from '../../../functions/_shared/low-mood-theme.ts'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'
import { saysLowMood } from '../../../functions/_shared/text/stated-mood.ts'

describe('a low mood in words', () => {
  test.each([
    'My mood has been really low this week.',
    'Honestly I have been feeling really low',
    'I have been feeling really low. I had a really lovely week.',
    "I feel rubbish, I'm not doing well",
    'My mood is pretty bad',
    'I am at rock bottom and everything feels grey',
    "I'm not doing well",
    'im not doing great at the moment',
    'I feel like crap today',
    "I've been really down lately",
    "I've just been feeling so down and I don't know why",
    'Feeling pretty low today',
    'Feeling awful',
    "I'm really struggling",
    'I am struggling at the moment',
    "I'm struggling to cope",
    'I am so depressed',
    'I feel depressed and miserable',
    "I've been depressed for weeks",
    "I don't feel good",
    'I do not feel great lately',
    "I'm not okay",
    'I am not good',
    "I haven't been doing well",
    "My mood isn't great",
    "My mood's low",
    'My mood has dropped this week',
    'My mood has been on the floor',
    'I felt awful all week',
    "I've hit rock bottom",
    'This week I have been feeling terrible',
    'I went to class and I feel low',
    'I feel sad',
    'I feel down about my grades',
    "I said I'm fine to my mum but I feel awful",
    "I've been in a really dark place",
    'I have been low for weeks',
    'i have been feeling really low and tired and i had two lectures',
    'I am not feeling great to be honest',
    'My mood is not good',
    'My mood is terrible.',
    "I don't know why but I feel low",
    "I can't lie I feel rubbish",
    'I am not doing so well',
    'Not doing well at the moment',
    "I'm not in a good place",
    'I feel bad',
    'I feel really bad this week',
    "I think I'm depressed",
    "I feel terrible and I can't stop crying",
    "I've not been doing well",
    'I have not been good',
    "I've not been feeling great",
    'My mood is at rock bottom',
  ])('is heard in: %s', (said) => {
    expect(saysLowMood(said)).toBe(true)
    expect(saysLowMood(`I had two lectures. ${said}. We cooked in the evening.`)).toBe(true)
  })

  test.each([
    'Last term I felt awful but now things are good',
    'I felt low last week',
    'My friend feels low',
    'My friend has been feeling really low this week and I cooked for her',
    'She said I feel awful',
    'I feel bad for my friend',
    'I feel terrible for her',
    'I feel awful about missing her birthday',
    'We are low on milk',
    "I'm low on milk",
    'I am down for pizza',
    'I feel down for pizza',
    "I'm down",
    "I'm down the pub",
    'I am down to two essays',
    "I don't feel low",
    "I'm not depressed",
    "I don't think I'm depressed",
    'I am not feeling down at all',
    'I never feel low',
    'When I feel low I call my mum',
    'If I feel down I go for a run',
    "I'm struggling with my essay",
    "I'm struggling to find a flat",
    'I am not good at maths',
    "I'm not great with names",
    "I'm not okay with the landlord",
    'I feel bad that I forgot',
    'I feel bad about the plant',
    'The film was awful and the food was rubbish',
    'My mood is low key great',
    'My mood is good',
    'My mood was low last year',
    'The lecture on feeling low was good',
    "I was feeling low but I'm better now",
    'I have been feeling low but today I feel great',
    "I'm not doing well in chess",
    'The weather has been rubbish',
    'My phone battery is low',
    'I feel low in iron',
    'My sister is depressed',
    'I used to feel miserable',
    "I'm not feeling bad",
    'I feel not bad',
    "I'm not sad",
    "I'm not too bad",
    'I feel great',
    "I'm not good enough at chess to win",
    'The economy hit rock bottom',
    'In the play he says I am miserable',
    'I read a book called I Feel Bad About My Neck',
    'I sat down',
    'I feel I let the team down',
    'I no longer feel low',
    "I wouldn't say I feel low",
    "I'm feeling down with the kids",
    'I went down to the beach',
    'Not bad',
    'Not good news about the bus',
    'I am sad that the trip is over',
    'I feel good',
    "I'm doing well",
    'I have been down to London',
    "I've been down the road",
    "I've been bad at replying",
    "I'm bad at chess",
    'I do not feel bad',
    'We played low notes',
  ])('is not heard in: %s', (said) => {
    expect(saysLowMood(said)).toBe(false)
    expect(saysLowMood(`I had two lectures. ${said}. We cooked in the evening.`)).toBe(false)
  })

  test('is the first theme, however many there are', () => {
    const { themes } = analyzeText(
      'Exams, essays, sleep, friends, family, money, work, food and the gym. Honestly I have been feeling really low.',
    )
    expect(themes).toHaveLength(6)
    expect(themes[0]).toBe(LOW_MOOD_THEME)
  })

  test('is not looked for in another language', () => {
    expect(analyzeText('Ich war heute in der Bibliothek und mein Freund sagte: I feel low.').themes).toEqual(
      [],
    )
  })
})
