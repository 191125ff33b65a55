import { type Choice, type DirectCall, HOSTILE_TEXTS } from './direct-call.ts'

const fileOf = ({ chance, attackers }: Choice) =>
  chance.pick(attackers.foreign.filter((known) => known.includes('/')))

/** Kinds of calls to Storage. */
export const STORAGE_CALLS: readonly ((choice: Choice) => DirectCall)[] = [
  (choice) => {
    const kind = choice.chance.pick(['', 'authenticated/', 'public/', 'info/authenticated/', 'sign/'])
    const bucket = choice.chance.pick(['university-files', 'check-in-media'])
    return { method: 'GET', target: `/storage/v1/object/${kind}${bucket}/${fileOf(choice)}`, body: null }
  },
  (choice) => {
    const bucket = choice.chance.pick(['university-files', 'check-in-media', 'analysis-assets'])
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
    target: `/storage/v1/object/sign/${choice.chance.pick(['university-files', 'check-in-media'])}/${fileOf(choice)}`,
    body: JSON.stringify({ expiresIn: choice.chance.pick([60, -1, 1e300, 'x']) }),
  }),
  (choice) => ({
    method: 'GET',
    target: `/storage/v1/object/university-files/${choice.chance.pick(choice.attackers.foreign)}/${choice.chance.pick(['..%2f..', '%2e%2e/', '%00', '//', '..\\'])}`,
    body: null,
  }),
]
