import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../scripts/root.ts'

/** Words of three minutes of speech. */
export const THREE_MINUTES_WORDS = 450

const SPOKEN = ['neutral', 'positive', 'struggling', 'short']

/** Writes a transcript of so many words, made of what the tests' recordings say, and returns its name. */
export function makeTranscript(folder: string, words: number): string {
  const said = SPOKEN.flatMap((name) =>
    readFileSync(join(ROOT, 'corpora', 'speech', `${name}.txt`), 'utf8')
      .trim()
      .split(/\s+/),
  )
  const name = `${words}-words.txt`
  const text = Array.from({ length: words }, (_, i) => said[i % said.length]).join(' ')
  writeFileSync(join(folder, name), text)
  return name
}
