import type { OpenApiDocument, ParameterObject } from '../../../functions/_shared/openapi/openapi.ts'
import { Streams } from '../../../seed/random.ts'
import type { Attacker, Attackers } from './attackers.ts'
import { type DescribedCall, type Json, validValue } from './described-call.ts'
import { type Bytes, percentEncoded, utf8 } from './values.ts'

/** A request as it goes over the wire. Nothing of it is checked or mended. */
export type RawRequest = {
  method: string
  /** Path and query. */
  target: Bytes
  headers: readonly (readonly [name: string, value: Bytes])[]
  body: Bytes | null
}

/** Random choices that are the same whenever the seed is. */
export class Chance {
  readonly #streams: Streams

  constructor(seed: string) {
    this.#streams = new Streams(seed, 1)
  }

  /** 0 to below the bound. */
  below(bound: number): number {
    return Math.floor(this.#streams.share(0) * bound)
  }

  /** Whether something happens that happens in this share of cases. */
  happens(share: number): boolean {
    return this.#streams.chance(0, share)
  }

  pick<Item>(items: readonly Item[]): Item {
    return this.#streams.pick(0, items)
  }

  uuid(): string {
    return this.#streams.uuid(0)
  }

  /** The items in another order. */
  shuffled<Item>(items: readonly Item[]): Item[] {
    const keyed = items.map((item) => ({ item, key: this.#streams.uint32(0) }))
    return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
  }
}

/** A part of a multipart form. */
export type Part = { headers: readonly Bytes[]; content: Bytes }

/** What stands between the parts. */
export const BOUNDARY = 'hostile-boundary'

/** A multipart form and its content type. */
export function multipart(parts: readonly Part[]): { type: string; body: Bytes } {
  const pieces = parts.map(
    ({ headers, content }) => `--${BOUNDARY}\r\n${headers.join('\r\n')}\r\n\r\n${content}\r\n`,
  )
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, body: `${pieces.join('')}--${BOUNDARY}--\r\n` }
}

/** Where the functions are on a project. */
const FUNCTIONS = '/functions/v1'

/** A request that is good until an attack changes it. */
export type Draft = {
  call: DescribedCall
  attacker: Attacker
  method: string
  /** What stands for the parameters of the path, as in the address. */
  segments: Record<string, Bytes>
  query: [name: Bytes, value: Bytes][]
  headers: [name: string, value: Bytes][]
  /** JSON, in which texts `@@0@@`, `@@1@@`, … stand for what is in `holes`; `undefined` where there is none. */
  json: Json | undefined
  holes: Bytes[]
  /** Fields of a form, as in the body. */
  form: [name: Bytes, value: Bytes][]
  parts: Part[]
  /** Changes of the address and of the body when all else is done. */
  retarget: ((target: Bytes) => Bytes)[]
  rewrite: ((body: Bytes) => Bytes)[]
}

/** A good request: the documented example, with the attacker's own things in it. */
export function goodDraft(
  document: OpenApiDocument,
  call: DescribedCall,
  attackers: Attackers,
  chance: Chance,
): Draft {
  const attacker = attackerOf(call, attackers, chance)
  const draft: Draft = {
    call,
    attacker,
    method: call.method,
    segments: {},
    query: [],
    headers: [],
    json: undefined,
    holes: [],
    form: [],
    parts: [],
    retarget: [],
    rewrite: [],
  }
  if (attacker.token !== null) draft.headers.push(['authorization', `Bearer ${attacker.token}`])
  // As clients may write it; nothing believes it.
  const address = [10, chance.below(256), chance.below(256), chance.below(256)].join('.')
  draft.headers.push(['x-forwarded-for', address])

  const owner = call.name.endsWith('/download') ? readerOf(attacker, attackers, chance) : attacker
  for (const parameter of call.parameters) {
    const value = exampleParameter(document, call, parameter, owner, chance)
    if (parameter.in === 'path') draft.segments[parameter.name] = percentEncoded(utf8(String(value ?? 'x')))
    else if (value !== undefined) draft.query.push(...queryOf(parameter.name, value))
  }
  if (call.body) {
    const body = exampleBody(document, call, { ...attackers, attacker }, chance)
    draft.headers.push(['content-type', call.body.type])
    if (call.body.type === 'application/json') draft.json = body
    else if (call.body.type === 'multipart/form-data') draft.parts = uploadOf(attacker)
    else draft.form = formOf(body)
  }
  return draft
}

/** The fields of a URL-encoded form, as in the body. */
export function formOf(fields: Json): Draft['form'] {
  return Object.entries(fields ?? {}).map(([name, value]) => [
    utf8(name),
    percentEncoded(utf8(String(value))),
  ])
}

/** Who calls. What ends sessions and deletes rows is done by who has nothing to lose. */
function attackerOf(
  { security, name }: DescribedCall,
  { people, spare, leaver, database }: Attackers,
  chance: Chance,
): Attacker {
  const [visitor, ...signedIn] = people
  if (security === 'databaseSecret') return chance.happens(0.8) ? database : chance.pick(people)
  if (name.endsWith('/signout')) return leaver
  if (security === 'none') return chance.happens(0.7) ? visitor : chance.pick(signedIn)
  if (chance.happens(0.04)) return visitor
  const caller = chance.pick(signedIn)
  return name.endsWith('/delete') && caller.isStudent ? spare : caller
}

/** Files of others are asked for with the university that their keys begin with. */
function readerOf(attacker: Attacker, { foreign }: Attackers, chance: Chance): Attacker {
  const files = foreign.filter((known) => known.includes('/'))
  if (files.length === 0 || chance.happens(0.7)) return attacker
  const file = chance.pick(files)
  return { ...attacker, file, university: file.split('/')[0] ?? '' }
}

function queryOf(name: string, value: Json): [Bytes, Bytes][] {
  const encoded = (text: Json) => percentEncoded(utf8(String(text)))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, encoded(value)]]
  return Object.entries(value).map(([inner, part]) => [`${name}%5B${inner}%5D`, encoded(part)])
}

function uploadOf({ university }: Attacker): Part[] {
  return [
    {
      headers: [
        'Content-Disposition: form-data; name="file"; filename="notes.txt"',
        'Content-Type: text/plain',
      ],
      content: 'An invented note.',
    },
    { headers: ['Content-Disposition: form-data; name="university_id"'], content: university },
    { headers: ['Content-Disposition: form-data; name="folder"'], content: 'notes' },
  ]
}

/** A draft as it goes over the wire. */
export function requestOf(draft: Draft): RawRequest {
  const { call, method, segments, query, retarget, rewrite } = draft
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => segments[name] ?? '')
  const search = query.map(([name, value]) => `${name}=${value}`).join('&')
  const target = retarget.reduce(
    (changed, change) => change(changed),
    `${FUNCTIONS}${path}${search === '' ? '' : `?${search}`}`,
  )
  const headers = [...draft.headers]
  const whole = bodyOf(draft, headers)
  return {
    method,
    target,
    headers,
    body: whole === null ? null : rewrite.reduce((body, change) => change(body), whole),
  }
}

function bodyOf(draft: Draft, headers: Draft['headers']): Bytes | null {
  const { call, json, holes, form, parts } = draft
  if (json !== undefined) {
    return utf8(JSON.stringify(json)).replace(/"@@(\d+)@@"/g, (_, hole: string) => holes[Number(hole)] ?? '')
  }
  if (form.length > 0) return form.map(([name, value]) => `${name}=${value}`).join('&')
  if (parts.length === 0) return call.body ? '' : null
  const { type, body } = multipart(parts)
  // A content type that an attack has set stays.
  const plain = headers.findIndex(
    ([name, value]) => name === 'content-type' && value === 'multipart/form-data',
  )
  if (plain >= 0) headers[plain] = ['content-type', type]
  return body
}

type Calling = Attackers & { attacker: Attacker }

/** A good value of a parameter: the attacker's own thing, else the documented example. */
export function exampleParameter(
  document: OpenApiDocument,
  { path }: DescribedCall,
  { name, required, example, schema }: ParameterObject,
  attacker: Attacker,
  chance: Chance,
): Json | undefined {
  const own = {
    university_id: attacker.university,
    universityId: attacker.university,
    key: attacker.file,
    ...(path.startsWith('/checkins/') && { id: ownOf(attacker.checkIns, chance) }),
    ...(path.startsWith('/api/universities/') && { id: attacker.university }),
    ...(path.startsWith('/api/students/') && { id: attacker.student }),
    ...(path.startsWith('/buddy/checkin/') && { token: ownOf(attacker.links.checkIn, chance) }),
    ...(path.startsWith('/buddy/alert/') && { token: ownOf(attacker.links.alert, chance) }),
    ...(path.startsWith('/api/buddy/') && { token: ownOf(attacker.links.verify, chance) }),
  }
  const owned = Object.entries(own).find(([field]) => field === name)?.[1]
  if (owned !== undefined) return owned
  if (example !== undefined && example !== null) return example as Json
  return required ? validValue(document, schema) : undefined
}

/** A good body: the documented example, with the attacker's own things in it. */
export function exampleBody(
  document: OpenApiDocument,
  { body, path }: DescribedCall,
  calling: Calling,
  chance: Chance,
): { [name: string]: Json } {
  const good = body?.example ?? (body ? validValue(document, body.schema) : {})
  const { attacker, account, image } = calling
  const own: Record<string, Json> = {
    sessionId: ownOf(attacker.sessions, chance),
    buddyContactId: ownOf(
      path.endsWith('/send-verification') ? attacker.contacts.named : attacker.contacts.agreed,
      chance,
    ),
    ...(attacker.userId !== '' && { userId: attacker.userId }),
    university_id: attacker.university,
    password: account.password,
    // A good one takes a second to analyse.
    ...(chance.happens(0.05) && { imageData: image }),
    refresh_token: account.refreshToken,
    email: path.endsWith('/signup') ? `newcomer-${chance.uuid()}@northfield.example.edu` : account.email,
  }
  const named = Object.entries(good as Record<string, Json>).map(([name, value]) => [
    name,
    own[name] ?? value,
  ])
  return Object.fromEntries(named)
}

/** Often one of the first few, of which more is known. */
function ownOf(ids: readonly string[], chance: Chance): string {
  if (ids.length === 0) return chance.uuid()
  return chance.pick(chance.happens(0.5) ? ids.slice(0, 5) : ids)
}
