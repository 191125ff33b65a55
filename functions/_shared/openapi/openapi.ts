import type * as z from 'zod'

/** A JSON Schema of draft 2020-12. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** The parts of OpenAPI 3.1 that the description uses. */
export type OpenApiDocument = {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string }
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Partial<Record<'get' | 'post' | 'put' | 'delete', OperationObject>>>
  components: {
    schemas: Record<string, JsonSchema>
    headers: Record<string, HeaderObject>
    securitySchemes: Record<string, { type: 'http'; scheme: 'bearer'; description: string }>
  }
}

export type OperationObject = {
  operationId: string
  tags: string[]
  summary: string
  deprecated?: true
  description?: string
  security: Record<string, string[]>[]
  parameters?: ParameterObject[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, ResponseObject>
}

export type ParameterObject = {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: JsonSchema
  style?: 'deepObject'
  explode?: boolean
  example?: unknown
}

export type ResponseObject = {
  description: string
  headers: Record<string, { $ref: string }>
  content?: Content
}

/** By content type. */
export type Content = Record<string, { schema: JsonSchema; example?: unknown }>

export type HeaderObject = { description: string; required?: boolean; schema: JsonSchema }
