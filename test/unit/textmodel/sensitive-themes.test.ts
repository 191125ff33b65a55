import { describe, expect, test } from 'vitest'
import { sensitiveThemesIn } from '../../../functions/_shared/textmodel/sensitive-themes.ts'

describe('a model’s theme', () => {
  test.each([
    ['faith', ['faith']],
    ['Religious doubts', ['faith']],
    ['depression', ['mental health']],
    ['physical health', ['health']],
    ['sexuality', ['other']],
    ['gender identity', ['other']],
  ])('%s is of a special category', (name, categories) => {
    expect(sensitiveThemesIn(name)).toEqual(categories)
  })

  test.each(['week', 'friends', 'hidden feelings', 'social life', 'transport', 'racing', 'new flat'])(
    '%s is of none',
    (name) => {
      expect(sensitiveThemesIn(name)).toEqual([])
    },
  )
})
