import type { ServedLanguage } from '@student-wellbeing/client'
import { FormattedMessage } from 'react-intl'
import { LANGUAGES, useLanguage } from '../language.tsx'

/** Every language by its own name. */
export function LanguageChoice({ onChange }: { onChange?: (language: ServedLanguage) => void }) {
  const { language, choose } = useLanguage()
  return (
    <label className="field">
      <span className="label">
        <FormattedMessage id="language.label" />
      </span>
      <select
        value={language}
        onChange={({ target }) => {
          const chosen = LANGUAGES.find((one) => one === target.value) ?? language
          void choose(chosen)
          onChange?.(chosen)
        }}
      >
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {new Intl.DisplayNames([one], { type: 'language' }).of(one)}
          </option>
        ))}
      </select>
    </label>
  )
}
