import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import * as constants from '../../../functions/_shared/scoring/scheme.ts'

let page: string
beforeAll(async () => {
  const text = await readFile(new URL('../../../docs/scoring.md', import.meta.url), 'utf8')
  page = text.replace(/\s+/g, ' ')
})

const { RELIABILITY, CRISIS_TEXT_CEILING } = constants

// A constant that changes and leaves the page as it was makes the page wrong.
test.each([
  ['the version', `version \`${constants.ALGORITHM_VERSION}\``],
  [
    'the reliabilities',
    `text ${RELIABILITY.text}, audio ${RELIABILITY.audio}, visual ${RELIABILITY.visual}, self-report ${RELIABILITY.self_report}`,
  ],
  ['the least quality', `Below ${constants.QUALITY_THRESHOLD} a modality takes no part`],
  [
    'the squash',
    `component = ${constants.SCORE_CENTRE} + ${constants.SCORE_HALF_WIDTH} · tanh(${constants.SQUASH_GAIN} · mean z)`,
  ],
  ['the pull to the centre', `c (1 + ${constants.SPARSE_SHRINKAGE}) / (c + ${constants.SPARSE_SHRINKAGE})`],
  ['the least z', `${constants.Z_FLOOR}, cap)`],
  ['how the own baseline gains its say', `personal · n / (n + ${constants.BASELINE_HALF_LIFE})`],
  ['the quality of a mood in words', `at quality ${constants.STATED_MOOD_QUALITY}`],
  [
    'the ceilings of crisis language',
    `at most ${CRISIS_TEXT_CEILING.mild} (mild), ${CRISIS_TEXT_CEILING.moderate} (moderate) or ${CRISIS_TEXT_CEILING.high} (high)`,
  ],
])('docs/scoring.md states %s as the code has it', (_, statement) => {
  expect(page).toContain(statement)
})
