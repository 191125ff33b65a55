import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFiles } from './generate.ts'

/** Builds the package: the types of what the service serves now, then JavaScript and declarations. */
const generated = join(import.meta.dirname, 'src', 'generated')
mkdirSync(generated, { recursive: true })
for (const [name, text] of Object.entries(await generatedFiles())) writeFileSync(join(generated, name), text)

rmSync(join(import.meta.dirname, 'dist'), { recursive: true, force: true })
execFileSync('tsc', ['--project', import.meta.dirname], { stdio: 'inherit' })
