import type { Middleware } from 'openapi-fetch'
import type { JsonSchema, OpenApiDocument } from '../../functions/_shared/openapi/openapi.ts'
import type { Project } from '../stack/project.ts'
import { type Faults, validatorOf } from './validator.ts'

const documents = new Map<string, Promise<OpenApiDocument>>()

/** The OpenAPI document that a stack serves; read once. */
export function servedDocument({ apiUrl }: Pick<Project, 'apiUrl'>): Promise<OpenApiDocument> {
  const read = documents.get(apiUrl) ?? fetchDocument(apiUrl)
  documents.set(apiUrl, read)
  return read
}

async function fetchDocument(apiUrl: string): Promise<OpenApiDocument> {
  const response = await fetch(`${apiUrl}/functions/v1/api/openapi.json`)
  if (!response.ok) throw new Error(`The description: ${response.status}`)
  return response.json()
}

/** Compares every response with what the served document says of its call; throws where they differ. */
export function responsesChecked(project: Pick<Project, 'apiUrl'>): Middleware {
  return {
    async onResponse({ schemaPath, request, response }) {
      await requireDescribed(
        await servedDocument(project),
        { path: schemaPath, method: request.method },
        response,
      )
    },
  }
}

/** The path of the document that an address is one of; `undefined` where the call is not described. */
export function describedPath(
  document: OpenApiDocument,
  { path, method }: { path: string; method: string },
): string | undefined {
  const given = path.replace(/[?#].*$/s, '').split('/')
  return Object.entries(document.paths)
    .filter(([, calls]) => Object.hasOwn(calls, method.toLowerCase()))
    .map(([template]) => template)
    .filter((template) => {
      const parts = template.split('/')
      return (
        parts.length === given.length && parts.every((part, at) => part.startsWith('{') || part === given[at])
      )
    })
    .sort((a, b) => a.split('{').length - b.split('{').length)[0]
}

/** Throws where a response is not as the document says. */
export async function requireDescribed(
  document: OpenApiDocument,
  { path, method }: { path: string; method: string },
  response: Response,
): Promise<void> {
  const problems = await problemsOf(document, { path, method }, response)
  if (problems.length === 0) return
  const told = problems.map((problem) => `\n  ${problem}`).join('')
  throw new Error(`${method} ${path} responded ${response.status}, not as described:${told}`)
}

/** In what a response is not as the document says; empty where it is. */
export async function problemsOf(
  document: OpenApiDocument,
  { path, method }: { path: string; method: string },
  response: Response,
): Promise<string[]> {
  const call = Object.entries(document.paths[path] ?? {}).find(([name]) => name === method.toLowerCase())?.[1]
  if (!call) return ['the call is not described']
  const described = call.responses[response.status]
  if (!described) return [`the status ${response.status} is not described: ${await response.clone().text()}`]

  const problems = Object.entries(described.headers).flatMap(([name, { $ref }]) => {
    const header = document.components.headers[$ref.split('/').at(-1) ?? '']
    if (!header) return [`the header ${name} is described nowhere`]
    const value = response.headers.get(name)
    if (value === null) return header.required ? [`the header ${name} is missing`] : []
    return faultsOf(document, header.schema, value).map((fault) => `the header ${name} ${fault}`)
  })
  if (!described.content) return problems

  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  const media = described.content[type]
  if (!media) return [...problems, `the content type ${type} is not described`]
  const text = await response.clone().text()
  const body = type === 'application/json' ? JSON.parse(text) : text
  return [...problems, ...faultsOf(document, media.schema, body)]
}

const validators = new WeakMap<OpenApiDocument, Faults>()

function faultsOf(document: OpenApiDocument, schema: JsonSchema, value: unknown): string[] {
  const faults = validators.get(document) ?? validatorOf(document)
  validators.set(document, faults)
  return faults(schema, value)
}
