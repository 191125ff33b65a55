import openapiTS, { astToString } from 'openapi-typescript'

/** Types of the calls that an OpenAPI document describes, as an app developer generates them with `npx openapi-typescript`. */
export async function generateApiTypes(document: object): Promise<string> {
  return astToString(await openapiTS(structuredClone(document)))
}
