import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERROR_CODES, ServiceError } from '../functions/_shared/errors.ts'
import type { Route } from '../functions/_shared/http/route.ts'
import { openApiDocumentOf } from '../functions/_shared/openapi/document.ts'
import { CHANNELS } from '../functions/api/channels.ts'
import { ROUTES } from '../functions/api/routes.ts'
import { generateApiTypes } from '../scripts/types/api-types.ts'

const root = join(import.meta.dirname, '..')

/** Whether a student's app may make a call: other people's and machines' would only make its types slow to read. */
function isOfStudents({ security, staff }: Route): boolean {
  return (security === 'user' || security === 'none') && staff === undefined
}

/** What the package has of the service, by file of `src/generated/`: its calls and channels, its tables, its error codes. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const document = openApiDocumentOf(ROUTES.filter(isOfStudents), 'https://wellbeing.example.edu', CHANNELS)
  const codes = JSON.stringify(ERROR_CODES, null, 2)
  const statuses = ERROR_CODES.map((code) => [code, new ServiceError(code, '').status])
  return {
    'api.ts': await generateApiTypes(JSON.parse(JSON.stringify(document))),
    'database.ts': readFileSync(join(root, 'types', 'database.ts'), 'utf8'),
    'shapes.ts': readFileSync(join(root, 'types', 'shapes.ts'), 'utf8'),
    'error-codes.ts': `/** Every code of an error of the service. */\nexport const SERVICE_ERROR_CODES = ${codes} as const\n`,
    'error-statuses.ts': `/** The HTTP status of each code. */\nexport const ERROR_STATUSES = ${JSON.stringify(Object.fromEntries(statuses), null, 2)} as const\n`,
  }
}
