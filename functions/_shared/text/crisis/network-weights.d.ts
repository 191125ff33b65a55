import type { StoredNetwork } from './network.ts'

/** Of what `npm run fit:crisis` writes: JavaScript, because megabytes of text take twice the CPU to start as TypeScript. */
export const STORED_NETWORK: StoredNetwork
