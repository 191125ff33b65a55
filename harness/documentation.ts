import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../scripts/root.ts'

/** The modules that stand in a page of docs/, by the name in their first line: `// client.ts`. */
export function modulesOf(page: string): Record<string, string> {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
  const blocks = text.matchAll(/^```ts\n\/\/ ([\w-]+\.ts)\n(.*?)^```$/gms)
  return Object.fromEntries([...blocks].map(([, name = '', code = '']) => [name, code]))
}
