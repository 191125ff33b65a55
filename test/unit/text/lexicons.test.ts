import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'

const FOLDER = new URL('../../../functions/_shared/text/lexicons/', import.meta.url)

/** Every word list of the folder by `file export` or `file export key`, so that a new list is tested too. */
async function everyList(): Promise<[string, string[]][]> {
  const lists: [string, string[]][] = []
  for (const file of (await readdir(FOLDER)).sort()) {
    const exported: Record<string, unknown> = await import(new URL(file, FOLDER).href)
    for (const [name, value] of Object.entries(exported)) {
      if (Array.isArray(value) || value instanceof Set) lists.push([`${file} ${name}`, [...value]])
      else if (typeof value === 'object' && value !== null) {
        for (const [key, entries] of Object.entries(value)) lists.push([`${file} ${name} ${key}`, entries])
      }
    }
  }
  return lists
}

const LISTS = await everyList()

const listNamed = (name: string) => {
  const found = LISTS.find(([listed]) => listed.endsWith(` ${name}`))
  if (!found) throw new Error(`there is no list ${name}`)
  return found[1]
}

test('all lists are found', () => {
  expect(LISTS.length).toBeGreaterThanOrEqual(35)
  for (const name of ['JOY', 'SADNESS', 'FILLERS', 'IDENTITY_WORDS', 'OTHER_WORDS', 'THEMES sleep']) {
    expect(listNamed(name).length).toBeGreaterThan(4)
  }
})

describe.each(LISTS)('%s', (name, entries) => {
  test('holds lower-case entries with straight apostrophes and single spaces between words', () => {
    const misformed = entries.filter(
      (entry) =>
        entry !== entry.toLowerCase().normalize('NFKC').trim() || !/^[\p{Ll}\p{Lo}\p{M}' -]+$/u.test(entry),
    )
    expect(misformed).toEqual([])
    expect(entries.filter((entry) => / {2}|^['-]|['-]$/.test(entry))).toEqual([])
  })

  test('is sorted and holds each entry once', () => {
    const inOrder = name.includes('THEMES') ? entries : [...entries].sort()
    expect(entries).toEqual(inOrder)
    expect(new Set(entries).size).toBe(entries.length)
  })

  test('holds no entry twice, with and without its apostrophe', () => {
    const bare = entries.map((entry) => entry.replaceAll("'", ''))
    if (!/ENGLISH_WORDS|OTHER_WORDS/.test(name)) expect(new Set(bare).size).toBe(bare.length)
  })
})

describe('lists whose entries are counted as mentions', () => {
  const counted = LISTS.filter(([name]) => /^(?:emotion|resilience|themes)\.ts /.test(name))

  test.each(counted)('%s holds entries of one to five words in plain letters', (_, entries) => {
    const plain = /^[a-z]+(?:'[a-z]+)?(?: [a-z]+(?:'[a-z]+)?){0,4}$/
    expect(entries.filter((entry) => !plain.test(entry))).toEqual([])
  })

  test.each(counted)('%s holds no word for who somebody is', (_, entries) => {
    const identity = new Set(listNamed('IDENTITY_WORDS'))
    expect(entries.filter((entry) => identity.has(entry))).toEqual([])
  })
})

describe('lists that contradict each other share no entry', () => {
  test.each([
    ['JOY', 'SADNESS'],
    ['JOY', 'ANGER'],
    ['JOY', 'ANXIETY'],
    ['COPING', 'SADNESS'],
    ['COPING', 'ANGER'],
    ['COPING', 'ANXIETY'],
    ['SOCIAL_CONNECTION', 'SADNESS'],
    ['SOCIAL_CONNECTION', 'THEMES loneliness'],
    ['FUTURE_FOCUS', 'SADNESS'],
    ['STRONGER', 'WEAKER'],
    ['ABSOLUTIST', 'WEAKER'],
    ['ENGLISH_WORDS', 'OTHER_WORDS'],
    ['IDENTITY_WORDS', 'STRONGER'],
    ['IDENTITY_WORDS', 'FILLERS'],
    ['BELIEF_WORDS', 'JOY'],
    ['BELIEF_WORDS', 'SADNESS'],
  ])('%s and %s', (one, other) => {
    const entries = new Set(listNamed(one))
    expect(listNamed(other).filter((entry) => entries.has(entry))).toEqual([])
  })

  test('one emotion and another, so that no word counts twice', () => {
    const emotions = ['JOY', 'SADNESS', 'ANGER', 'ANXIETY'].flatMap(listNamed)
    expect(emotions.filter((entry, index) => emotions.indexOf(entry) !== index)).toEqual([])
  })
})
