import { expect, test } from 'vitest'
import { readLabels } from '../../../scripts/calibration-labels.ts'

const ID = '6f9619ff-8b86-4011-b42d-00cf4fc964ff'
const OTHER = '0d9d7a3e-6a1f-4f0a-9a57-1d2a6f6a9c10'

test('reads the labels of check-ins, as spreadsheets write them', () => {
  const csv = `\uFEFFcheck_in_id,value\r\n${ID.toUpperCase()},64\r\n\r\n${OTHER}, 12.5\r\n`
  expect([...readLabels(csv)]).toEqual([
    [ID, 64],
    [OTHER, 12.5],
  ])
})

test.each([
  ['no answer', `${ID},`],
  ['a blank', `${ID},  `],
  ['a word', `${ID},none`],
  ['more than there is', `${ID},101`],
  ['less than there is', `${ID},-1`],
  ['no check-in', '17,50'],
  ['a third cell', `${ID},50,60`],
  ['a header further down', `${ID},50\ncheck_in_id,value`],
  ['a check-in twice', `${ID},50\n${ID.toUpperCase()},60`],
])('refuses %s, and names the line', (_, csv) => {
  expect(() => readLabels(csv)).toThrow(/^Line \d/)
})
