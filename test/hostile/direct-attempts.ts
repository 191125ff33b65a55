import type { Attempt } from './attempts.ts'
import { Chance } from './chance.ts'
import type { Procedure } from './direct-call.ts'
import { DATA_API_CALLS } from './direct-data-api.ts'
import { STORAGE_CALLS } from './direct-storage.ts'
import type { Attackers } from './person.ts'

type Surroundings = {
  attackers: Attackers
  procedures: readonly Procedure[]
  publishableKey: string
  seed: string
}

const KINDS = [...DATA_API_CALLS, ...STORAGE_CALLS]

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
