import { isHigher, type RiskLevel } from '../../risk-level.ts'
import type { Crisis } from './detect.ts'

/** The rule that is stored where the language model found more than the readings before it. */
export const LANGUAGE_MODEL = 'language-model'

/**
 * What the crisis check found, with the reading of a language model: raised to what the model says where that is higher, and otherwise
 * as it was. Nothing that a model says, keeps to itself or is talked into lowers it.
 *
 * @param model `none` where it was not asked, refused or gave nothing that can be read
 */
export function combineReadings(found: Crisis, model: RiskLevel): Crisis {
  return isHigher(model, found.level) ? { level: model, rule: LANGUAGE_MODEL } : found
}
