import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
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

/**
 * The modules of a page as they run in Node, in a folder where the packages are found that an app has.
 *
 * @returns what imports one of them by its name, and what removes the folder
 */
export function runnableModules(page: string): { load(name: string): Promise<unknown>; remove(): void } {
  const cache = join(ROOT, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'page-'))
  for (const [name, code] of Object.entries(modulesOf(page))) {
    const runnable = stripTypeScriptTypes(code).replaceAll(/from '(\.\/[\w-]+)\.ts'/g, "from '$1.mjs'")
    writeFileSync(join(folder, name.replace('.ts', '.mjs')), runnable)
  }
  return {
    load: (name) => import(/* @vite-ignore */ join(folder, name.replace('.ts', '.mjs'))),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
