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
  /** What no part of OpenAPI is made for: who is sent what over Realtime, by the topic of the channel. */
  'x-channels': Record<string, ChannelObject>
  components: {
    schemas: Record<string, JsonSchema>
    headers: Record<string, HeaderObject>
    securitySchemes: Record<string, { type: 'http'; scheme: 'bearer'; description: string }>
  }
}

/** A private channel of Realtime. */
export type Channel = {
  /** Its name, parameters in braces. */
  topic: string
  description: string
  /** What the service broadcasts, by event: the name of its schema, when it is sent, and its payload. */
  receive: Readonly<Record<string, { name: string; description: string; payload: z.ZodType }>>
  /** Events that the student's devices may send to each other; what they hold is up to the app. */
  send?: readonly string[]
}

export type ChannelObject = {
  description: string
  receive: Record<string, { description: string; payload: { $ref: string } }>
  send?: readonly string[]
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
