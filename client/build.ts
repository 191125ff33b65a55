import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocumentOf } from '../functions/_shared/openapi/document.ts'
import { CHANNELS } from '../functions/api/channels.ts'
import { ROUTES } from '../functions/api/routes.ts'
import { generateApiTypes } from '../scripts/types/api-types.ts'

/** Builds the package: the types of what the service serves now, then JavaScript and declarations. */
const root = join(import.meta.dirname, '..')
const generated = join(import.meta.dirname, 'src', 'generated')
mkdirSync(generated, { recursive: true })
const document = openApiDocumentOf(ROUTES, 'https://wellbeing.example.edu', CHANNELS)
writeFileSync(join(generated, 'api.ts'), await generateApiTypes(JSON.parse(JSON.stringify(document))))
for (const file of ['database.ts', 'shapes.ts']) cpSync(join(root, 'types', file), join(generated, file))

rmSync(join(import.meta.dirname, 'dist'), { recursive: true, force: true })
execFileSync('tsc', ['--project', import.meta.dirname], { stdio: 'inherit' })
