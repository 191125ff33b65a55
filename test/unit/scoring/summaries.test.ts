import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuse } from '../../../functions/_shared/scoring/fuse.ts'
import { SENSITIVE_THEMES } from '../../../functions/_shared/text/lexicons/themes.ts'
import { builtInAnalysis, readTranscript } from '../../../functions/_shared/textmodel/built-in.ts'
import { anyScorableCheckIn, checkIn, modalityAt } from './check-in.ts'
import { checkInRows, summariesPage, transcriptRows } from './summaries-page.ts'

const CHECK_IN_ROWS = checkInRows()
const TRANSCRIPT_ROWS = transcriptRows()

const REASSURES = /brighter|lighter|a good stretch|typical|an ordinary stretch|some good/

test('docs/summaries.md holds what students read: npm run summaries writes it', async () => {
  await expect(summariesPage(CHECK_IN_ROWS, TRANSCRIPT_ROWS)).toMatchFileSnapshot(
    '../../../docs/summaries.md',
  )
})

test('there are sixty situations or more', () => {
  expect(CHECK_IN_ROWS.length + TRANSCRIPT_ROWS.length).toBeGreaterThanOrEqual(60)
})

describe('a check-in', () => {
  test.each(CHECK_IN_ROWS)(
    '$what: no warmer than what was read allows',
    ({ summary, mayReassure, isRead }) => {
      if (!mayReassure) expect(summary).not.toMatch(REASSURES)
      if (!isRead)
        expect(summary).toMatch(
          /did not read your words|could not read (?:a part of )?your words|no words of yours|too few words|reach out now/,
        )
    },
  )
})

describe('the text for a crisis', () => {
  test.each([...CHECK_IN_ROWS, ...TRANSCRIPT_ROWS])(
    'is read by who spoke of one and nobody else: $what',
    (row) => {
      const isForCrisis = /reach out now/.test(row.summary)
      expect(isForCrisis).toBe(row.ofCrisis)
    },
  )
})

describe('a low mood in words', () => {
  test.each([
    'A good week above the usual score, but a low mood in words',
    'An ordinary week, but the student is not doing well, mood 7',
    'An ordinary week, and rock bottom, voice poor',
    'A low mood in words',
  ])('is heard, whatever the score: %s', (what) => {
    const row = [...CHECK_IN_ROWS, ...TRANSCRIPT_ROWS].find((row) => row.what === what)
    expect(row?.summary).toContain('you are having a hard time at the moment')
    expect(row?.summary.toLowerCase()).toContain('be kind to yourself')
  })

  test.each(['A good week after a term that was awful', 'An ordinary week, and a friend who feels low'])(
    'is not taken from what is past or said of others: %s',
    (what) => {
      const row = CHECK_IN_ROWS.find((row) => row.what === what)
      expect(row?.summary).toMatch(REASSURES)
    },
  )
})

describe('who is worse', () => {
  const SUPPORT = /Be kind to yourself|You deserve support|reach out now/

  test('is never told something colder: from mild on there is support, however little was read', () => {
    fc.assert(
      fc.property(anyScorableCheckIn, (input) => {
        const { risk_level, summary } = fuse(input)
        if (risk_level !== 'none') expect(summary).toMatch(SUPPORT)
      }),
    )
  })

  test.each(['audio', 'visual', 'text'] as const)('with %s alone too', (modality) => {
    const { risk_level, uncertainty, summary } = fuse(checkIn({ [modality]: modalityAt(modality, -1.2) }))
    expect(risk_level).toBe('mild')
    expect(uncertainty).toBeGreaterThanOrEqual(0.6)
    expect(summary).toMatch(SUPPORT)
  })
})

test('however many words there are, they alone do not say how somebody is, and no length is called too little', () => {
  const row = (what: string) => CHECK_IN_ROWS.find((row) => row.what === what)?.summary
  expect(row('Words alone, good, at great length')).toContain('From words alone')
  expect(row('Words alone, ordinary')).toContain('From words alone')
})

describe('a transcript alone', () => {
  test('of 42 good words and of 46 is told the same', () => {
    const words =
      'I had a really lovely week. I finished my essay, I slept well, and my friends came over to cook on Saturday, which was great fun. I am proud of how the presentation went and I am looking forward to the holidays.'
    const told = (text: string) =>
      builtInAnalysis(readTranscript(text), null).result.conversation_summary.replace(/^.*?\. /, '')
    expect(told(`${words} We ate outside too.`)).toBe(told(words))
  })

  test.each(TRANSCRIPT_ROWS)(
    '$what: no warmer than what was read allows',
    ({ summary, mayReassure, isRead }) => {
      if (!mayReassure) expect(summary).not.toMatch(REASSURES)
      if (!isRead) expect(summary).toMatch(/could not read (?:a part of )?your words|reach out now/)
    },
  )

  test('names what is special-category data only where it is a topic', () => {
    const themes = new Map(TRANSCRIPT_ROWS.map((row) => [row.what, row.themes]))
    expect(themes.get('Faith as a topic')).toContain('faith')
    expect(themes.get('Depression as a topic')).toContain('mental health')
    expect(themes.get('A holiday named in passing')).not.toEqual(expect.arrayContaining(['faith']))
    expect(themes.get('A holiday named in passing')).not.toContain('loss')
    expect(themes.get('Grieving')).toContain('loss')
    for (const theme of SENSITIVE_THEMES) {
      expect(themes.get('A church and a hospital in passing')).not.toContain(theme)
    }
  })
})
