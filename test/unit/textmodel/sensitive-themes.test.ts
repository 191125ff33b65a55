import { describe, expect, test } from 'vitest'
import { sensitiveThemesIn } from '../../../functions/_shared/textmodel/sensitive-themes.ts'

describe('what a model names', () => {
  test.each([
    ['faith', ['faith']],
    ['Religious doubts', ['faith']],
    ['depression', ['mental health']],
    ['physical health', ['health']],
    ['sexuality', ['other']],
    ['gender identity', ['other']],
    ['psychology', ['mental health']],
    ['mental health course', ['health', 'mental health']],
    ['seeing a medical doctor after class', ['health']],
  ])('%s is of a special category', (name, categories) => {
    expect(sensitiveThemesIn(name)).toEqual(categories)
  })

  test.each([
    'week',
    'friends',
    'hidden feelings',
    'social life',
    'transport',
    'racing',
    'new flat',
    'psychology course',
    'Medical school',
    'politics degree',
    'political science exams',
    'medicine lectures',
  ])('%s is of none', (name) => {
    expect(sensitiveThemesIn(name)).toEqual([])
  })
})
