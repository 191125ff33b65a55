import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocumentOf } from '../../functions/_shared/openapi/document.ts'
import { ROUTES } from '../../functions/api/routes.ts'
import { generateApiTypes } from '../../scripts/types/api-types.ts'

/** Writes the types of every call that a person may make, so that the app cannot drift from the service. */
const calls = ROUTES.filter(({ security }) => security === 'user' || security === 'none')
const document = openApiDocumentOf(calls, 'https://wellbeing.example.edu')
const generated = join(import.meta.dirname, 'src', 'generated')
mkdirSync(generated, { recursive: true })
writeFileSync(join(generated, 'api.ts'), await generateApiTypes(JSON.parse(JSON.stringify(document))))
