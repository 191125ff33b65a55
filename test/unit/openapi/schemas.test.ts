import { expect, test } from 'vitest'
import * as z from 'zod'
import { Schemas } from '../../../functions/_shared/openapi/schemas.ts'

test('a named schema is written once and referred to', () => {
  const schemas = new Schemas()
  const address = z.strictObject({ street: z.string() }).meta({ id: 'Address' })
  const written = schemas.write(z.strictObject({ home: address, work: z.array(address) }), 'output')
  expect(written.properties).toEqual({
    home: { $ref: '#/components/schemas/Address' },
    work: { type: 'array', items: { $ref: '#/components/schemas/Address' } },
  })
  expect(schemas.named).toEqual({
    Address: {
      type: 'object',
      properties: { street: { type: 'string' } },
      required: ['street'],
      additionalProperties: false,
    },
  })
})

test('two schemas of one name are rejected, because a reader could not tell them apart', () => {
  const schemas = new Schemas()
  const parts = () => [z.strictObject({ a: z.number() }), z.strictObject({ b: z.number() })] as const
  const [first, second] = parts()
  schemas.write(z.array(first.meta({ id: 'TakenName' })), 'output')
  z.globalRegistry.remove(first)
  expect(() => schemas.write(z.array(second.meta({ id: 'TakenName' })), 'output')).toThrow('TakenName')
})

test('what is sent is described before it is changed, what is returned after', () => {
  const trimmed = z.object({
    id: z.guid().transform((id) => id.toLowerCase()),
    limit: z.coerce.number().default(50),
  })
  const { properties, required } = new Schemas().write(trimmed, 'input')
  expect(properties).toEqual({
    id: { type: 'string', format: 'uuid' },
    limit: { type: 'number', default: 50 },
  })
  expect(required).toEqual(['id'])
})
