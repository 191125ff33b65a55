import type { StoredNetwork } from './network.ts'

/** Made by `npm run train:crisis`. JavaScript, because what is megabytes of text takes twice the CPU to start as TypeScript. */
export const STORED_NETWORK: StoredNetwork
