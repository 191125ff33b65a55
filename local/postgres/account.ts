import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** A system account that Postgres runs as. */
export interface Account {
  name: string
  uid: number
  gid: number
}

/**
 * The account Postgres must run as: undefined (oneself) unless this process is root, which Postgres refuses.
 * Then `postgres` where the machine has it, else `nobody`, else any other account of /etc/passwd, because
 * initdb needs an entry there.
 *
 * @throws Error when root has no other account to use
 */
export function postgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readAccounts().filter((account) => account.uid !== 0)
  const account =
    accounts.find(({ name }) => name === 'postgres') ??
    accounts.find(({ name }) => name === 'nobody') ??
    accounts[0]
  if (!account) {
    throw new Error(
      'Postgres refuses to run as root and /etc/passwd has no other account. ' +
        'Add one (`adduser --system postgres`) or run this command as an ordinary user.',
    )
  }
  return account
}

function readAccounts(): Account[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .flatMap(([name, , uid, gid]) =>
      name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [],
    )
}

/** Whether `account` may pass through every existing folder on the way to `target`. */
export function canTraverse(target: string, account: Account): boolean {
  for (let folder = path.resolve(target); ; folder = path.dirname(folder)) {
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (stats?.isDirectory()) {
      const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0
      if (((stats.mode >> shift) & 1) === 0) return false
    }
    if (folder === path.dirname(folder)) return true
  }
}
