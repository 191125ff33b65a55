import type { JsonSchema, OpenApiDocument } from '../../../functions/_shared/openapi/openapi.ts'
import type { Attackers } from './attackers.ts'
import { wholeBodies } from './changes-of-bodies.ts'
import type { Lane, Tampering } from './changes-of-requests.ts'
import { type DescribedCall, type Json, resolved, validValue } from './described-call.ts'
import { BOUNDARY, formOf, type Part } from './good-request.ts'
import { type Bytes, percentEncoded, type Written } from './values.ts'

/** What is tried with each field of a URL-encoded form. */
export function formLanes(
  document: OpenApiDocument,
  call: DescribedCall,
  values: readonly Written[],
): Lane[] {
  if (call.body?.type !== 'application/x-www-form-urlencoded') return []
  const forms = formsIn(document, call.body.schema)
  const fields = forms.flatMap((form, place) =>
    Object.keys(form.properties ?? {}).map((name): Lane => {
      const tamperings = values.map(
        ({ family, bytes }): Tampering => ({
          family,
          apply: (draft) => {
            // The documented example is one of the page's forms; the others are filled in as their schema says.
            const filled = forms.length === 1 ? draft.form : formOf(validValue(document, form))
            draft.form = [...filled.filter(([other]) => other !== name), [name, percentEncoded(bytes)]]
          },
        }),
      )
      return { name: `${call.name} form ${place + 1}.${name}`, tamperings }
    }),
  )
  return [...fields, { name: `${call.name} body`, tamperings: wholeBodies() }]
}

/** The forms of a page, each of which a body can be. */
function formsIn(document: OpenApiDocument, schema: JsonSchema): JsonSchema[] {
  const node = resolved(document, schema)
  const options = [...(node.anyOf ?? []), ...(node.oneOf ?? [])]
  return options.length === 0
    ? [node]
    : options.flatMap((option) => (typeof option === 'object' ? formsIn(document, option) : []))
}

const DISPOSITION = 'Content-Disposition: form-data; name='

/** The beginnings of files of a type, and of some that lie about theirs. */
const FILES: readonly Bytes[] = [
  '',
  '%PDF-1.7\n',
  '\x89PNG\r\n\x1a\n',
  '\xff\xd8\xff\xe0',
  'GIF89a<script>alert(1)</script>',
  'PK\x03\x04',
  'MZ\x90\x00',
  '#!/bin/sh\nid\n',
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  '<?php system("id") ?>',
  '\x00\x01\x02',
  'a\x00b',
  '\xff\xfe'.repeat(100),
  `--${BOUNDARY}\r\n`,
  'x'.repeat(2_000_000),
]

/** Forms that are not what they say. */
const WHOLE: ((body: Bytes) => Bytes)[] = [
  (body) => body.replace(`--${BOUNDARY}--`, ''),
  (body) => body.slice(0, body.length / 2),
  (body) => body.slice(0, -3),
  (body) => body.replaceAll('\r\n', '\n'),
  (body) => body.replaceAll('\r\n\r\n', '\r\n'),
  (body) => body.replaceAll(BOUNDARY, `${BOUNDARY}-other`),
  (body) => `preamble\r\n${body}epilogue`,
  (body) => body + body,
  (body) => body.replace(DISPOSITION, `Content-Type: multipart/mixed; boundary=inner\r\n${DISPOSITION}`),
  (body) => body.replace('An invented note.', `--${BOUNDARY}--\r\n--inner\r\n\r\na\r\n--inner--`),
  () => `--${BOUNDARY}--`,
  () => `--${BOUNDARY}`,
  () => '',
  () => '--',
  () => `--${BOUNDARY}\r\n\r\n\r\n--${BOUNDARY}--`,
  () => `--${BOUNDARY}\r\n${'X-Long: x\r\n'.repeat(20_000)}\r\na\r\n--${BOUNDARY}--`,
  () => `${`--${BOUNDARY}\r\n${DISPOSITION}"f"\r\n\r\na\r\n`.repeat(10_000)}--${BOUNDARY}--`,
  () => `${`--${BOUNDARY}\r\n`.repeat(100_000)}`,
]

/** What is tried with the parts of an upload: their contents, names, headers and number. */
export function multipartLanes(call: DescribedCall, values: readonly Written[]): Lane[] {
  if (call.body?.type !== 'multipart/form-data') return []
  const lane = (
    name: string,
    change: (parts: Part[], bytes: Bytes) => Part[],
    of: readonly Written[] = values,
  ): Lane => ({
    name: `${call.name} form ${name}`,
    tamperings: of.map(({ family, bytes }) => ({
      family,
      apply: (draft) => {
        draft.parts = change(draft.parts, bytes)
      },
    })),
  })
  const plain = (name: Bytes, content: Bytes): Part => ({ headers: [`${DISPOSITION}"${name}"`], content })
  const without = (parts: Part[], name: string) =>
    parts.filter(({ headers }) => !headers.some((header) => header.includes(`name="${name}"`)))
  const file = (headers: Bytes[], content: Bytes): Part => ({ headers, content })
  const named = (name: Bytes) => `${DISPOSITION}"file"; filename="${name}"`
  const contents = FILES.map((bytes): Written => ({ family: 'form', bytes }))
  return [
    lane('university_id', (parts, bytes) => [
      ...without(parts, 'university_id'),
      plain('university_id', bytes),
    ]),
    lane('folder', (parts, bytes) => [...without(parts, 'folder'), plain('folder', bytes)]),
    lane('file name', (parts, bytes) => [...without(parts, 'file'), file([named(bytes)], 'A note.')]),
    lane('file type', (parts, bytes) => [
      ...without(parts, 'file'),
      file([named('a.txt'), `Content-Type: ${bytes}`], 'A note.'),
    ]),
    lane('file', (parts, bytes) => [...without(parts, 'file'), file([named('a.txt')], bytes)], [
      ...contents,
      ...values,
    ]),
    lane('names', (parts, bytes) => [...parts, plain(bytes, 'x')]),
    lane('twice', (parts, bytes) => [...parts, ...parts, plain('folder', bytes)]),
    lane('disposition', (parts, bytes) => [...parts, file([`Content-Disposition: ${bytes}`], 'x')]),
    {
      name: `${call.name} body`,
      tamperings: [
        ...wholeBodies(),
        ...WHOLE.map(
          (change): Tampering => ({ family: 'form', apply: ({ rewrite }) => rewrite.push(change) }),
        ),
      ],
    },
  ]
}

type Members = { [name: string]: Json }

const COLUMNS = ['user_id', 'university_id', 'id', 'check_in_id', 'session_id']

/** What asks the data API for other people's rows of each table: all of them, a victim's, and those that hang on others. */
export function tableLanes(
  { name, path, body }: DescribedCall,
  { exposed, hidden, victims, foreign }: Attackers,
): Lane[] {
  if (!path.startsWith('/api/database/') || body?.schema.properties?.table === undefined) return []
  const theirs: Members[] = [
    ...victims.map((victim) => ({ user_id: victim })),
    ...COLUMNS.map((column) => ({ [column]: [...foreign] })),
    ...COLUMNS.map((column) => ({ [column]: { neq: null } })),
  ]
  const tamperings = (table: string) =>
    theirs.flatMap((filters): Tampering[] =>
      bodiesOf(path.split('/').at(-1) ?? '', table, filters, victims).map((json) => ({
        family: 'identity',
        apply: (draft) => {
          draft.json = json
        },
      })),
    )
  return [
    ...exposed.map(
      (table): Lane => ({
        name: `${name} rows of ${table}`,
        tamperings: tamperings(table),
        first: 'identity',
      }),
    ),
    { name: `${name} rows of hidden tables`, tamperings: hidden.flatMap(tamperings) },
  ]
}

/** Good bodies in form. What is written is a victim's. */
function bodiesOf(action: string, table: string, filters: Members, [victim = '']: readonly string[]): Json[] {
  const row = { user_id: victim }
  switch (action) {
    case 'select':
      return [
        { table, filters, limit: 1000 },
        { table, columns: '*,profiles(*)', filters },
      ]
    case 'insert':
      return [{ table, data: { ...row, ...plain(filters) }, returning: '*' }]
    case 'update':
      return [
        { table, data: { ...row, status: 'failed', first_name: 'Taken' }, filters, returning: '*' },
        { table, data: row, filters },
      ]
    default:
      return [{ table, filters, returning: '*' }]
  }
}

/** The first of the values of a filter. */
function plain(filters: Members): Members {
  const values = Object.entries(filters).map(([column, value]) => [
    column,
    Array.isArray(value) ? value[0] : value,
  ])
  return Object.fromEntries(values)
}
