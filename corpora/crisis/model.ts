import { readFileSync } from 'node:fs'
import {
  CRISIS_ASSET,
  type CrisisModel,
  loadCrisisModel,
} from '../../functions/_shared/text/crisis/encoder.ts'

let loaded: CrisisModel | undefined

/** The encoder as it is deployed; throws where `npm ci` has not built it. */
export function crisisModel(): CrisisModel {
  loaded ??= loadCrisisModel(readFileSync(new URL(`../../vendor/assets/${CRISIS_ASSET}`, import.meta.url)))
  return loaded
}
