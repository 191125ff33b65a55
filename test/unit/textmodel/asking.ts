import {
  type AskModel,
  type LanguageModelSettings,
  languageModel,
} from '../../../functions/_shared/textmodel/language-model.ts'
import type { FakeProvider } from './provider.ts'

/** A model behind the provider, with the product's client. `timeoutMs` is for tests of providers that never respond. */
export function askingOf(provider: FakeProvider, timeoutMs = 20_000): AskModel {
  return languageModel(settingsOf(provider, timeoutMs), async () => {})
}

export function settingsOf(provider: FakeProvider, timeoutMs = 20_000): LanguageModelSettings {
  return {
    apiKey: 'sk-invented',
    baseUrl: provider.baseUrl,
    model: 'invented-model',
    timeoutMs,
    retryPauseMs: 1,
  }
}

/** Enough to be scored, with no mood and no crisis language. */
export const ORDINARY_WEEK =
  'I had an okay week with my friends. The exam is close and I study in the library every day. I slept well most nights and went for a run on Sunday.'

/** The result of a failed model, as the interface has it. */
export const FALLBACK = {
  text_score: 50,
  mood_score: 5,
  uncertainty: 0.9,
  themes: [],
  keywords: [],
  risk_level: 'none',
  direction_of_change: 'same',
  conversation_summary: 'Assessment completed.',
  drivers_positive: [],
  drivers_negative: [],
}
