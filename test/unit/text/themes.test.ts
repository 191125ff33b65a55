import { describe, expect, test } from 'vitest'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'
import { SENSITIVE_THEMES } from '../../../functions/_shared/text/lexicons/themes.ts'

const sensitiveIn = (said: string) => analyzeText(said).themes.filter((theme) => SENSITIVE_THEMES.has(theme))

describe('a theme of a special category', () => {
  test.each([
    [
      'what one walks past',
      'I walked past the church on the way to my lecture. Then we met at the church cafe.',
    ],
    ['where one lives', 'I live next to the hospital so the bus is noisy. I get off at the hospital stop.'],
    [
      'what others did',
      'My friend was drunk on Saturday. Her sister had a hangover on Sunday and I made them eggs.',
    ],
    ['a dog', 'My dog was ill and we took her to the clinic. She had a fever but I think she is okay.'],
    ['figures of speech', 'I am so sick of this essay. It is a pain and I want it gone.'],
    [
      'what is studied',
      'I do medicine and we had a lecture on depression. Then there was a seminar on therapy and I took notes.',
    ],
    [
      'an essay',
      'I am reading about racism for my sociology essay. The racist laws of the time are chapter two.',
    ],
    ['one mention', 'I had an appointment with the doctor on Monday. I went to my lectures after that.'],
    ['a mother’s illness', "My mum's depression is bad. I worry about my mum's depression."],
    ['a sister’s illness', "My sister's illness is worse. I collected my sister's medication on Monday."],
    ['a husband’s', 'My husband has depression. I drive my husband to therapy.'],
    ['friends’', "My friends' anxiety is bad. I talk about my friends' therapy."],
    ['tea', 'I was drinking tea with Sam. I am drinking coffee now.'],
  ])('is not made of %s', (_, said) => {
    expect(sensitiveIn(said)).toEqual([])
  })

  test.each([
    ['faith', 'I prayed a lot this week. My faith has been what keeps me going.'],
    ['faith', 'I go to church every Sunday. The prayer there calms me.'],
    ['mental health', 'My depression is worse again. I have therapy every week now.'],
    ['health', 'I was in hospital on Monday. The doctor said that the fever would pass.'],
    ['alcohol and drugs', 'I was drunk on Friday. I had a hangover on Saturday and I want to stop.'],
    ['discrimination', 'I get racist comments on the bus. I was harassed again on Monday.'],
  ])('%s is named where the student speaks of their own', (theme, said) => {
    expect(sensitiveIn(said)).toEqual([theme])
  })
})
