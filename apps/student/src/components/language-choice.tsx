import { FormattedMessage } from 'react-intl'
import { LANGUAGES, useLanguage } from '../language.tsx'

/** Every language by its own name. */
export function LanguageChoice({ onChange }: { onChange?: (language: string) => void }) {
  const { language, choose } = useLanguage()
  return (
    <label className="field">
      <span className="label">
        <FormattedMessage id="language.label" />
      </span>
      <select
        value={language}
        onChange={({ target }) => {
          void choose(target.value)
          onChange?.(target.value)
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
