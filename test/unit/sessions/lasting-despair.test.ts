import { describe, expect, test } from 'vitest'
import { isLastinglyDespairing } from '../../../functions/_shared/sessions/lasting-despair.ts'
import { analyzeConversation } from '../../../functions/_shared/sessions/text-analysis.ts'

describe('hopelessness that lasts', () => {
  test.each([
    'I feel hopeless nearly every day.',
    'I’ve felt hopeless for weeks now',
    'I have been feeling so hopeless most days, and I can’t sleep.',
    'Everything feels hopeless all the time.',
    'I feel hopeless. It’s been like this for months.',
    'For weeks now there has been no hope left for me.',
    'Every day I think that life is pointless.',
    'For weeks there has been nothing to live for.',
    'i feel completely trapped every single day',
    'User: I feel hopeless nearly every day.',
    'I lost all hope weeks ago and I feel that way every day',
  ])('is heard: %s', (said) => {
    expect(isLastinglyDespairing(said)).toBe(true)
  })

  test.each([
    'My friend feels hopeless nearly every day.',
    'My sister says she feels hopeless all the time and I worry about her.',
    'I know that he is hopeless most days.',
    'I don’t feel hopeless every day.',
    'I have not felt hopeless for weeks.',
    'I never feel hopeless, every day is fine.',
    'I used to feel hopeless nearly every day.',
    'Last year I felt hopeless every day, but now I feel better.',
    'The wifi is hopeless every day.',
    'I think the traffic is hopeless every day.',
    'I am hopeless at maths, every day the same.',
    'I feel hopeless today.',
    'I feel hopeless. Every day I take the bus with my friends.',
    'I run every day and feel good.',
    '',
  ])('is not: %s', (said) => {
    expect(isLastinglyDespairing(said)).toBe(false)
  })
})

test('it is at least moderate, in plain words, and the app’s own question says nothing', () => {
  const analysis = analyzeConversation(
    'Assistant: Do you feel hopeless nearly every day?\nUser: I am tired. I feel hopeless nearly every day, and lectures are hard.',
  )
  expect(analysis).toMatchObject({
    risk_level: 'moderate',
    measures: { crisis_rule: 'distress.lasting' },
    analysis: { risk_indicators: expect.arrayContaining(['words of despair that last']) },
  })
  expect(
    analyzeConversation('Assistant: Do you feel hopeless nearly every day?\nUser: No, I am fine.').risk_level,
  ).not.toBe('moderate')
})
