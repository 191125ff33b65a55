import { describe, expect, test } from 'vitest'
import { detectCrisis } from '../../../functions/_shared/text/index.ts'
import { CRISIS_SENTENCES } from './crisis-sentences.ts'

describe.each(Object.entries(CRISIS_SENTENCES))('is %s:', (level, sentences) => {
  test.each(sentences)('%s', (sentence) => {
    expect(detectCrisis(sentence)).toMatchObject({ level })
  })
})
