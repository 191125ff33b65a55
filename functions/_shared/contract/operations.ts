import * as textmodel from '../textmodel/operations.ts'
import type { Operation } from './operation.ts'

/** Every call of the service, in the order of its description. */
export const OPERATIONS: Operation[] = [textmodel].flatMap((domain) => Object.values(domain))
