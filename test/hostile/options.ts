import { parseArgs } from 'node:util'

/** How much is attacked. */
export type HostileOptions = {
  requests: number
  seed: string
  /** Only the request with this number. */
  only: number | null
}

/** Fewest requests of a test run. */
export const USUAL_REQUESTS = 20_000

export const HELP = `npm run test:hostile -- [--requests N] [--seed TEXT] [--only NUMBER]

  --requests  how many hostile requests; ${USUAL_REQUESTS} where unsaid
  --seed      any text; the same seed makes the same requests; 1 where unsaid
  --only      send just the request with this number, which a failure names`

/** Reads the command line. Throws what is wrong with it. */
export function readOptions(args: string[]): HostileOptions | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      requests: { type: 'string' },
      seed: { type: 'string' },
      only: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return 'help'
  return {
    requests: whole('requests', values.requests) ?? USUAL_REQUESTS,
    seed: values.seed ?? '1',
    only: whole('only', values.only),
  }
}

function whole(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} takes a whole number`)
  return Number(text)
}
