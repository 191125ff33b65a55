import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES, statusOf } from '../../../functions/_shared/errors.ts'
import { openApiDocumentOf } from '../../../functions/_shared/openapi/document.ts'
import type { JsonSchema, OperationObject } from '../../../functions/_shared/openapi/openapi.ts'
import { ENDPOINTS, ROUTES } from '../../../functions/api/routes.ts'
import { validatorOf } from '../../../harness/client/validator.ts'

// As it is served: as JSON.
const document: ReturnType<typeof openApiDocumentOf> = JSON.parse(
  JSON.stringify(openApiDocumentOf(ROUTES, 'https://wellbeing.example.edu/')),
)
const calls = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, call]) => [`${method.toUpperCase()} ${path}`, path, call] as const),
)

const faults = validatorOf(document)
const meta = new Ajv2020({ strict: false })

test('a call that will end is described as deprecated, with its headers', () => {
  const [first] = ROUTES
  if (!first) throw new Error('no call is described')
  const guide = 'https://docs.example.edu/instead'
  const deprecation = { since: '2026-12-01', sunset: '2027-06-01', guide }
  const { paths } = openApiDocumentOf([{ ...first, deprecation }], 'https://wellbeing.example.edu')
  const described = paths[first.path]?.[first.method]
  expect(described).toMatchObject({ deprecated: true, description: expect.stringContaining(guide) })
  for (const { headers } of Object.values(described?.responses ?? {})) {
    expect(headers).toMatchObject({ Deprecation: {}, Sunset: {}, Link: {} })
  }
})

test('what takes credentials while nobody is signed in takes JSON alone', () => {
  const open = ROUTES.filter(({ security, body, consumes }) => security === 'none' && body && !consumes)
  expect(open.length).toBeGreaterThan(0)
  expect(open.filter(({ jsonOnly }) => !jsonOnly)).toEqual([])
})

describe('the document', () => {
  test('says which OpenAPI, which interface and where', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info).toMatchObject({ title: expect.stringMatching(/\S/), version: '2.0' })
    expect(document.servers[0]?.url).toBe('https://wellbeing.example.edu/functions/v1')
  })

  test('holds every call once, each with a name of its own', () => {
    expect(ENDPOINTS.filter((endpoint) => !ROUTES.includes(endpoint))).toEqual([])
    expect(calls).toHaveLength(ROUTES.length)
    const names = calls.map(([, , { operationId }]) => operationId)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([])
  })

  test('says of each heading what stands under it', () => {
    expect(document.tags.filter(({ description }) => description === '')).toEqual([])
    expect(calls.flatMap(([, , { tags }]) => tags)).toEqual(
      expect.arrayContaining(document.tags.map(({ name }) => name)),
    )
  })

  test('refers to nothing that it does not hold', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to ?? '')
    expect(references.length).toBeGreaterThan(100)
    const lost = references.filter((reference) => {
      const parts = reference.replace(/^#\//, '').split('/')
      let held: unknown = document
      for (const part of parts) held = Object.entries(held ?? {}).find(([name]) => name === part)?.[1]
      return held === undefined
    })
    expect(lost).toEqual([])
  })

  test('names its components so that every tool takes them', () => {
    const names = Object.values(document.components).flatMap((part) => Object.keys(part))
    expect(names.filter((name) => !/^[a-zA-Z0-9._-]+$/.test(name))).toEqual([])
  })
})

describe.each(calls)('%s', (_, path, call) => {
  test('declares the parameters of its path, and no other as such', () => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = (call.parameters ?? []).filter((parameter) => parameter.in === 'path')
    expect(declared.map(({ name }) => name).sort()).toEqual(inPath.sort())
    expect(declared.every(({ required }) => required)).toBe(true)
  })

  test('has schemas of draft 2020-12', () => {
    for (const schema of schemasOf(call)) expect(meta.validateSchema(schema), meta.errorsText()).toBe(true)
  })

  test('says of every field what it is', () => {
    const unsaid = [
      ...(call.parameters ?? [])
        .filter(({ description }) => !description)
        .map(({ name }) => `parameter ${name}`),
      ...Object.values(call.requestBody?.content ?? {}).flatMap(({ schema }) => undescribed(schema, 'body')),
      ...responsesOf(call).flatMap(({ schema }) => undescribed(schema, 'response')),
    ]
    expect(unsaid).toEqual([])
  })

  test('has examples that its schemas take', () => {
    for (const { example, schema } of call.parameters ?? []) {
      if (example !== undefined) expect(faults(schema, example)).toEqual([])
    }
    const bodies = Object.entries(call.requestBody?.content ?? {}).filter(
      ([type]) => type === 'application/json',
    )
    for (const { example, schema } of [...bodies.map(([, media]) => media), ...responsesOf(call)]) {
      if (example !== undefined) expect(faults(schema, example)).toEqual([])
    }
    if (call.requestBody?.required) expect(Object.values(call.requestBody.content)[0]?.example).toBeDefined()
  })

  test('describes errors with the one body, under the status of their codes', () => {
    const errors = Object.entries(call.responses).filter(
      ([status, { content = {} }]) => Number(status) >= 400 && content['application/json'],
    )
    expect(errors.map(([status]) => status)).toContain('500')
    for (const [status, { content }] of errors) {
      const schema = content?.['application/json']?.schema ?? {}
      const codes = ERROR_CODES.filter((code) => faults(schema, body(schema, code)).length === 0)
      expect(codes.length).toBeGreaterThan(0)
      expect(codes.map((code) => statusOf(code))).toEqual(codes.map(() => Number(status)))
      expect(faults(schema, { ...body(schema, codes[0]), stack: 'at …' })).not.toEqual([])
    }
  })
})

/** An error with a code, and with the members that this call's errors have. */
function body({ properties = {} }: JsonSchema, code: string | undefined): Record<string, unknown> {
  const members = Object.entries(properties).flatMap(([name, member]) =>
    name === 'code' || typeof member === 'boolean' ? [] : [[name, member.const ?? null]],
  )
  return {
    ...Object.fromEntries(members),
    error: 'Do this.',
    code,
    timestamp: '2026-11-21T09:00:00.000Z',
  }
}

function responsesOf({ responses }: OperationObject) {
  return Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .flatMap(([, { content }]) => Object.values(content ?? {}))
}

function schemasOf({ parameters = [], requestBody, responses }: OperationObject): JsonSchema[] {
  const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
  return [
    ...parameters.map(({ schema }) => schema),
    ...contents.flatMap((content) => Object.values(content ?? {}).map(({ schema }) => schema)),
  ]
}

/** Fields without a description, with what they are in; what a named schema says of itself is enough. */
function undescribed(schema: JsonSchema, within: string): string[] {
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flat()
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      if (typeof field === 'boolean') return []
      const isSaid = Boolean(field.description) || field.$ref !== undefined
      return [...(isSaid ? [] : [`${within}.${name}`]), ...undescribed(field, `${within}.${name}`)]
    }),
    ...parts.flatMap((part) => (typeof part === 'object' ? undescribed(part, within) : [])),
  ]
}
