import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema, OpenApiDocument } from '../../functions/_shared/openapi/openapi.ts'

const DOCUMENT = 'https://wellbeing.example.edu/openapi.json'

/** Tells in what a value is not as a schema of the document says; nothing where it is. */
export type Faults = (schema: JsonSchema, value: unknown) => string[]

/** Validates by the schemas of one document, each compiled once. */
export function validatorOf(document: OpenApiDocument): Faults {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
  ajv.addSchema({ $id: DOCUMENT, components: document.components })
  const validators = new Map<JsonSchema, ValidateFunction>()
  return (schema, value) => {
    const validate = validators.get(schema) ?? ajv.compile(pointingInto(schema))
    validators.set(schema, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || 'the whole'} ${message} ${JSON.stringify(params)}`,
    )
  }
}

/** The schema, whose references lead into the document from wherever it stands. */
function pointingInto(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT}#/`))
}
