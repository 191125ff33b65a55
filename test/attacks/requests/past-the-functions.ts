import type { Attacker, Attackers } from './attackers.ts'
import type { Attempt } from './attempts.ts'
import { Chance, type RawRequest } from './good-request.ts'
import type { Procedure } from './operator.ts'
import { QUERY_VALUES, TEXT_VALUES } from './texts.ts'
import { percentEncoded, utf8 } from './values.ts'

/** A call past the functions, without who makes it. */
export type DirectCall = Pick<RawRequest, 'method' | 'target' | 'body'> & { headers?: RawRequest['headers'] }

/** What a call past the functions is put together of. */
export type Choice = {
  chance: Chance
  attackers: Attackers
  attacker: Attacker
  procedures: readonly Procedure[]
}

/** Hostile texts of every family. */
export const HOSTILE_TEXTS = [...QUERY_VALUES, ...TEXT_VALUES].flatMap((value) =>
  'text' in value ? [value.text] : [],
)

const encoded = (text: string) => percentEncoded(utf8(text))

const COLUMNS = [
  'user_id',
  'id',
  'university_id',
  'check_in_id',
  'session_id',
  'actor_id',
  'claimed_by',
  'target_id',
]

const SELECTS = [
  '*',
  '*,profiles(*)',
  '*,profiles!inner(*)',
  '*,students(*)',
  '*,check_ins(*,fusion_results(*))',
  'user_id,profiles(first_name,last_name,students(*))',
  'university_id,universities(*,profiles(*))',
  '...profiles(first_name)',
  'a:user_id,b:university_id::text',
  'session_data->>platform',
  'count()',
]

/** Filters that a victim's rows fulfil, or all rows. */
function filterOf({ chance, attackers }: Choice): string {
  const column = chance.pick(COLUMNS)
  const id = chance.pick(attackers.foreign)
  return chance.pick([
    `${column}=eq.${encoded(id)}`,
    `${column}=not.is.null`,
    `${column}=neq.x`,
    `${column}=in.(${encoded(id)})`,
    `or=(${column}.eq.${encoded(id)},${column}.not.is.null)`,
    `and=(${column}.not.is.null,or(${column}.gt.0,${column}.lt.z))`,
    `not.or=(${column}.is.null)`,
    `profiles.${column}=not.is.null`,
    `${column}=${encoded(chance.pick(HOSTILE_TEXTS))}`,
    `${encoded(chance.pick(HOSTILE_TEXTS))}=eq.${encoded(id)}`,
    `${column}=like.*`,
  ])
}

/** A row that claims to be a victim's. */
function rowOf({ chance, attackers }: Choice): string {
  const members = Array.from({ length: 1 + chance.below(3) }, () => [
    chance.pick([...COLUMNS, 'first_name', 'role', 'kind', 'session_data', 'status', 'name']),
    chance.pick([
      ...attackers.foreign,
      ...attackers.victims,
      'security_admin',
      ...HOSTILE_TEXTS.slice(0, 20),
    ]),
  ])
  const row = Object.fromEntries(members)
  return JSON.stringify(chance.happens(0.2) ? [row, row] : row)
}

const tableOf = ({ chance, attackers }: Choice) =>
  chance.pick(chance.happens(0.8) ? attackers.exposed : attackers.hidden).split('.')

/** Kinds of calls to the Data API. */
export const DATA_API_CALLS: readonly ((choice: Choice) => DirectCall)[] = [
  (choice) => {
    const [schema = '', table] = tableOf(choice)
    const { chance } = choice
    const select = chance.happens(0.8) ? chance.pick(SELECTS) : chance.pick(HOSTILE_TEXTS)
    const order = chance.happens(0.2) ? `&order=${encoded(chance.pick(HOSTILE_TEXTS))}` : ''
    return {
      method: chance.happens(0.9) ? 'GET' : 'HEAD',
      target: `/rest/v1/${table}?select=${encoded(select)}&${filterOf(choice)}${order}`,
      headers: [
        ['accept-profile', schema],
        ['prefer', 'count=exact'],
      ],
      body: null,
    }
  },
  (choice) => {
    const [schema = '', table] = tableOf(choice)
    return {
      method: choice.chance.pick(['PATCH', 'DELETE', 'PUT']),
      target: `/rest/v1/${table}?${filterOf(choice)}&select=*`,
      headers: [
        ['content-profile', schema],
        ['prefer', 'return=representation'],
      ],
      body: rowOf(choice),
    }
  },
  (choice) => {
    const [schema = '', table] = tableOf(choice)
    const merging = choice.chance.pick([
      'resolution=merge-duplicates',
      'resolution=ignore-duplicates',
      'missing=default',
    ])
    return {
      method: 'POST',
      target: `/rest/v1/${table}?select=*&on_conflict=${choice.chance.pick(COLUMNS)}`,
      headers: [
        ['content-profile', schema],
        ['prefer', `return=representation,${merging}`],
      ],
      body: rowOf(choice),
    }
  },
  ({ chance, attackers, procedures }) => {
    const { name, arguments: names } = chance.pick(procedures)
    const values = names.map((argument) => [
      argument,
      chance.pick([...attackers.foreign, ...HOSTILE_TEXTS, 1, true, null]),
    ])
    return {
      method: 'POST',
      target: `/rest/v1/rpc/${name}`,
      body: JSON.stringify(Object.fromEntries(values)),
    }
  },
  ({ chance, attackers }) => ({
    method: 'POST',
    target: `/rest/v1/rpc/list_students?select=*,profiles(*)`,
    body: JSON.stringify({ university_id: chance.pick(attackers.foreign), page_limit: 1_000_000 }),
  }),
]

const fileOf = ({ chance, attackers }: Choice) =>
  chance.pick(attackers.foreign.filter((known) => known.includes('/')))

/** Kinds of calls to Storage. */
export const STORAGE_CALLS: readonly ((choice: Choice) => DirectCall)[] = [
  (choice) => {
    const kind = choice.chance.pick(['', 'authenticated/', 'public/', 'info/authenticated/', 'sign/'])
    const bucket = choice.chance.pick(['university-files', 'check-in-media', 'check-in-images'])
    return { method: 'GET', target: `/storage/v1/object/${kind}${bucket}/${fileOf(choice)}`, body: null }
  },
  (choice) => {
    const bucket = choice.chance.pick([
      'university-files',
      'check-in-media',
      'check-in-images',
      'analysis-assets',
    ])
    const prefix = choice.chance.pick(['', ...choice.attackers.foreign, ...HOSTILE_TEXTS])
    return {
      method: 'POST',
      target: `/storage/v1/object/list/${bucket}`,
      body: JSON.stringify({ prefix, limit: 1000, search: choice.chance.pick(['', '%', '..']) }),
    }
  },
  (choice) => ({
    method: choice.chance.pick(['POST', 'PUT', 'DELETE']),
    target: `/storage/v1/object/university-files/${fileOf(choice)}`,
    headers: [['x-upsert', 'true']],
    body: 'overwritten',
  }),
  (choice) => ({
    method: 'POST',
    target: `/storage/v1/object/${choice.chance.pick(['copy', 'move'])}`,
    body: JSON.stringify({
      bucketId: 'university-files',
      sourceKey: fileOf(choice),
      destinationKey: `${choice.attacker.university}/students/${choice.attacker.userId}/${choice.chance.uuid()}.txt`,
    }),
  }),
  (choice) => ({
    method: 'POST',
    target: `/storage/v1/object/sign/${choice.chance.pick(['university-files', 'check-in-media', 'check-in-images'])}/${fileOf(choice)}`,
    body: JSON.stringify({ expiresIn: choice.chance.pick([60, -1, 1e300, 'x']) }),
  }),
  (choice) => ({
    method: 'GET',
    target: `/storage/v1/object/university-files/${choice.chance.pick(choice.attackers.foreign)}/${choice.chance.pick(['..%2f..', '%2e%2e/', '%00', '//', '..\\'])}`,
    body: null,
  }),
]

/** Kinds of calls in the place of Twilio, none of which it signed. */
export const TWILIO_CALLS: readonly ((choice: Choice) => DirectCall)[] = [
  ({ chance, attackers }) => {
    const hostile = () => (chance.happens(0.5) ? chance.pick(HOSTILE_TEXTS) : chance.pick(attackers.foreign))
    const fields = {
      MessageSid: chance.happens(0.7) ? `SM${chance.uuid().replaceAll('-', '')}` : hostile(),
      AccountSid: chance.happens(0.7) ? `AC${'0'.repeat(32)}` : hostile(),
      From: chance.happens(0.7) ? '+12025550123' : hostile(),
      Body: chance.happens(0.3) ? 'STOP' : hostile(),
      OptOutType: 'STOP',
      MessageStatus: chance.happens(0.5) ? 'delivered' : hostile(),
      [chance.pick(['__proto__', 'Body', 'From', 'x'])]: hostile(),
    }
    const form = Object.entries(fields).map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    const query = chance.pick([chance.pick(attackers.foreign), chance.uuid(), hostile()])
    return {
      method: 'POST',
      target: chance.pick([
        '/functions/v1/buddy/texts',
        `/functions/v1/buddy/text-status?message=${encoded(query)}`,
      ]),
      headers: [
        ['content-type', 'application/x-www-form-urlencoded'],
        ...(chance.happens(0.8)
          ? ([
              ['x-twilio-signature', chance.happens(0.5) ? btoa(chance.uuid()) : encoded(hostile())],
            ] as const)
          : []),
      ],
      body: chance.happens(0.9)
        ? form.join('&')
        : hostile()
            .slice(0, 50_000)
            .replaceAll(/[^ -~]/g, '?'),
    }
  },
]

type Surroundings = {
  attackers: Attackers
  procedures: readonly Procedure[]
  publishableKey: string
  seed: string
}

const KINDS = [...DATA_API_CALLS, ...STORAGE_CALLS, ...TWILIO_CALLS]

/** Attacks on the Data API and on Storage themselves, where row-level security stands alone. */
export function directAttempts({ attackers, procedures, publishableKey, seed }: Surroundings): {
  at(number: number): Attempt
} {
  return {
    at(number) {
      const chance = new Chance(`${seed} direct ${number}`)
      const attacker = chance.pick(attackers.people)
      const {
        method,
        target,
        body,
        headers = [],
      } = chance.pick(KINDS)({ chance, attackers, attacker, procedures })
      return {
        number,
        name: `${method} ${target.split(/[?]/)[0]?.split('/').slice(0, 5).join('/')}`,
        attacker,
        places: [target.split('?')[0] ?? ''],
        request: {
          method,
          target,
          headers: [
            ['apikey', publishableKey],
            ['authorization', `Bearer ${attacker.token ?? publishableKey}`],
            ['content-type', 'application/json'],
            ...headers,
          ],
          body,
        },
      }
    },
  }
}
