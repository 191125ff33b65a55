import { PASSWORD } from '../../../harness/factories/accounts.ts'
import { times } from '../../../harness/factories/attacked-stack.ts'
import { type Attack, oneAccount, WRONG } from './plays.ts'

const common = { type: 'brute_force_attacks' }

/** Attacks on sign-in. */
export const ON_SIGN_IN: Attack[] = [
  {
    ...common,
    name: 'one password after another for one account',
    blocked: true,
    async run(stack) {
      const [{ email }, address] = [await oneAccount(stack), stack.newAddress()]
      await times(12, (index) => stack.signIn(address, email, `guess-number-${index}`))
      return undefined
    },
  },
  {
    ...common,
    name: 'one common password for many accounts',
    blocked: true,
    async run(stack) {
      const [accounts, address] = [await stack.accounts(12), stack.newAddress()]
      await Promise.all(accounts.map(({ email }) => stack.signIn(address, email, WRONG)))
      return undefined
    },
  },
  {
    ...common,
    name: 'a list of leaked addresses, most without an account',
    blocked: true,
    async run(stack) {
      const address = stack.newAddress()
      await times(14, (index) => stack.signIn(address, `leaked-${index}@elsewhere.example.edu`, WRONG))
      return undefined
    },
  },
  {
    ...common,
    name: 'brute force that gets in at last',
    blocked: true,
    async run(stack) {
      const [accounts, address] = [await stack.accounts(2), stack.newAddress()]
      const [tried, other] = accounts
      if (!tried || !other) throw new Error('No accounts were made')
      await times(8, () => stack.signIn(address, tried.email, WRONG))
      await times(4, () => stack.signIn(address, other.email, WRONG))
      await stack.signIn(address, tried.email, PASSWORD)
      return undefined
    },
  },
  {
    ...common,
    name: 'brute force straight at Auth',
    async run(stack) {
      const [{ email }, address] = [await oneAccount(stack), stack.newAddress()]
      await times(14, () => stack.signInAtAuth(address, email, WRONG))
      return undefined
    },
  },
  {
    ...common,
    name: 'one account from many addresses',
    async run(stack) {
      const { email } = await oneAccount(stack)
      await times(10, () => stack.signIn(stack.newAddress(), email, WRONG))
      return undefined
    },
  },
  {
    ...common,
    name: 'many accounts from many addresses, once each',
    async run(stack) {
      const accounts = await stack.accounts(34)
      await times(34, (index) => stack.signIn(stack.newAddress(), accounts[index]?.email ?? '', WRONG))
      return undefined
    },
  },
  {
    ...common,
    name: 'many accounts straight at Auth, once each',
    async run(stack) {
      const accounts = await stack.accounts(34)
      await times(34, (index) => stack.signInAtAuth(stack.newAddress(), accounts[index]?.email ?? '', WRONG))
      return undefined
    },
  },
  {
    ...common,
    name: 'a network of IPv6 addresses of one caller',
    blocked: true,
    async run(stack) {
      const accounts = await stack.accounts(12)
      const network = `2001:db8:${(accounts[0]?.id ?? '').slice(0, 4)}:7`
      await times(12, (index) =>
        stack.signIn(`${network}::${index + 1}`, accounts[index]?.email ?? '', WRONG),
      )
      return undefined
    },
  },
  {
    ...common,
    name: 'an attacker among the people of a campus network',
    async run(stack) {
      const accounts = await stack.accounts(106)
      await stack.sql`
        insert into private.known_networks (network, kind, note) values ('198.51.100.0/24', 'campus', 'A campus') on conflict do nothing`
      await times(106, (index) => stack.signIn('198.51.100.77', accounts[index]?.email ?? '', WRONG), 20)
      return undefined
    },
  },
  {
    name: 'one account that signs in from everywhere',
    type: 'suspicious_activity',
    async run(stack) {
      const { email } = await oneAccount(stack)
      await times(9, () => stack.signInAtAuth(stack.newAddress(), email, PASSWORD))
      return undefined
    },
  },
]
