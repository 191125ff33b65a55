import { expect, test } from 'vitest'
import { csv } from '../../../functions/_shared/exports/csv.ts'

test('quotes what a reader would split, and leaves out what is null', () => {
  const rows = [{ a: 'x,"y"\nz', b: null, c: ['one', 2], d: 1.5 }]
  expect(csv(['a', 'b', 'c', 'd'], rows)).toBe('\uFEFFa,b,c,d\r\n"x,""y""\nz",,"[""one"",2]",1.5\r\n')
})

test.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx'])('a spreadsheet does not run %j', (formula) => {
  expect(csv(['a'], [{ a: formula }])).toContain(`'${formula}`)
})

test.each(['-2.5', '+1202555', 'plain'])('leaves %j as it is', (text) => {
  expect(csv(['a'], [{ a: text }])).toBe(`\uFEFFa\r\n${text}\r\n`)
})
