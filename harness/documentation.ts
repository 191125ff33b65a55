import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../scripts/root.ts'

/** A block of code in a page; `name` is that of the file that it is, in a comment in its first line: `// src/main.ts`. */
export type CodeBlock = { language: string; name: string | null; text: string }

/** The blocks of code of a page of docs/, in order; `text` is without the line with the name. */
export function blocksOf(page: string): CodeBlock[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', block = '']) => {
    const [line = '', path] = block.match(/^(?:\/\/|#|<!--|\/\*) ([\w./-]*\.[\w-]+)(?: -->| \*\/)?\n/) ?? []
    return { language, name: path ?? null, text: block.slice(line.length) }
  })
}

/** The modules that stand in a page of docs/, by their names. */
export function modulesOf(page: string): Record<string, string> {
  const modules = blocksOf(page).filter(({ language }) => language === 'ts')
  return Object.fromEntries(modules.flatMap(({ name, text }) => (name === null ? [] : [[name, text]])))
}
