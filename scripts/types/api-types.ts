import openapiTS, { astToString, type OpenAPITSOptions } from 'openapi-typescript'

/** Types of what an OpenAPI document describes, as an app developer generates them with `npx openapi-typescript`. */
export async function generateApiTypes(document: object, options: OpenAPITSOptions = {}): Promise<string> {
  return astToString(await openapiTS(Buffer.from(JSON.stringify(document)), { ...options, silent: true }))
}
