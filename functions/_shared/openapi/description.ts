import * as z from 'zod'
import { route } from '../http/route.ts'

/** `GET /api/openapi.json`. */
export const openApiDocument = route({
  id: 'getOpenApiDocument',
  method: 'get',
  path: '/api/openapi.json',
  tag: 'Description',
  summary: 'Describes every call, as OpenAPI 3.1',
  security: 'none',
  response: z.looseObject({
    openapi: z.literal('3.1.1').describe('Version of OpenAPI'),
    info: z.looseObject({}).describe('Title and version of the interface'),
    paths: z.looseObject({}).describe('Every call by its path'),
    components: z.looseObject({}).describe('Schemas, headers and security schemes that calls share'),
  }),
  otherwise: { 304: 'The document is the one whose `ETag` was sent in `If-None-Match`.' },
})

/** `GET /api/docs`. */
export const reference = route({
  id: 'readReference',
  method: 'get',
  path: '/api/docs',
  tag: 'Description',
  summary: 'Describes every call, as a page to read and print',
  security: 'none',
  response: z.string().describe('HTML'),
  produces: 'text/html',
})
