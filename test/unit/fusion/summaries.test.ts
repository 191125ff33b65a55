import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { checkInRows, summariesPage, transcriptRows } from '../../fixtures/summaries/page.ts'

const REASSURES = /brighter|lighter|a good stretch|typical|an ordinary stretch|some good/

test('docs/summaries.md holds what students read: npm run summaries writes it', async () => {
  const page = await readFile(new URL('../../../docs/summaries.md', import.meta.url), 'utf8')
  expect(page).toBe(summariesPage())
})

test('there are sixty situations or more', () => {
  expect(checkInRows().length + transcriptRows().length).toBeGreaterThanOrEqual(60)
})

describe('a check-in', () => {
  test.each(checkInRows())(
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

describe('a transcript alone', () => {
  test.each(transcriptRows())(
    '$what: no warmer than what was read allows',
    ({ summary, mayReassure, isRead }) => {
      if (!mayReassure) expect(summary).not.toMatch(REASSURES)
      if (!isRead) expect(summary).toMatch(/could not read (?:a part of )?your words|reach out now/)
    },
  )

  test('names what is special-category data only where it is a topic', () => {
    const themes = new Map(transcriptRows().map((row) => [row.what, row.themes]))
    expect(themes.get('Faith as a topic')).toContain('faith')
    expect(themes.get('Depression as a topic')).toContain('mental health')
    expect(themes.get('A holiday named in passing')).not.toEqual(expect.arrayContaining(['faith']))
    expect(themes.get('A holiday named in passing')).not.toContain('loss')
    expect(themes.get('Grieving')).toContain('loss')
  })
})
