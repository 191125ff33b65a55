import { type ReactNode, useState } from 'react'
import * as Aria from 'react-aria-components'
import { Button, type Look, Problem } from './elements.tsx'
import { type Id, LANGUAGES, P, type ServedLanguage, T, useLanguage, useTexts } from './language.tsx'
import { type Client, useChange, useService } from './service.tsx'

type FieldProps = Aria.TextFieldProps & {
  label: Id
  hint?: Id
  /** Several lines. */
  rows?: number
}

/** A field with its label, a hint, and what is wrong with what was typed. */
export function Field({ label, hint, rows, ...props }: FieldProps) {
  const { t } = useTexts()
  return (
    <Aria.TextField {...props} className="field">
      <Aria.Label>{t(label)}</Aria.Label>
      {rows ? <Aria.TextArea rows={rows} /> : <Aria.Input />}
      {hint && <Aria.Text slot="description">{t(hint)}</Aria.Text>}
      <Aria.FieldError>
        {({ validationDetails, defaultChildren }) => {
          if (validationDetails.valueMissing) return t('field.missing')
          return validationDetails.typeMismatch ? t('field.not-email') : defaultChildren
        }}
      </Aria.FieldError>
    </Aria.TextField>
  )
}

type Token = 'email' | 'current-password' | 'new-password' | 'given-name' | 'family-name' | 'one-time-code'

/** What an account consists of, by the name that browsers and password managers know it by. */
export function AccountField({ is, ...props }: { is: Token } & Aria.TextFieldProps) {
  const type = is === 'email' ? 'email' : is.endsWith('password') ? 'password' : 'text'
  return <Field {...props} name={is} autoComplete={is} type={type} label={`field.${is}`} isRequired />
}

/** What was typed into the field of a name. */
export type Typed = (name: string) => string

type FormProps = {
  onSubmit: (typed: Typed, client: Client) => Promise<unknown>
  submit: Id
  /** What to say once it has worked. */
  done?: Id
  kind?: 'primary' | 'danger'
  /** Leaves it, where it stands in a dialog. */
  cancel?: () => void
  children?: ReactNode
}

/** Fields with a button. What was typed stays when it does not work, and what went wrong is shown above the button. */
export function Form({ onSubmit, submit, done, kind = 'primary', cancel, children }: FormProps) {
  const { client } = useService()
  const sending = useChange((typed: Typed) => onSubmit(typed, client))
  return (
    <Aria.Form
      onSubmit={(event) => {
        event.preventDefault()
        const data = new FormData(event.currentTarget)
        sending.mutate((name) => {
          const text = String(data.get(name) ?? '')
          // A password may begin or end with a space.
          return name.endsWith('password') ? text : text.trim()
        })
      }}
    >
      {children}
      {sending.error && <Problem error={sending.error} />}
      <div className="row">
        <Button kind={kind} type="submit" isPending={sending.isPending} label={submit} />
        {cancel && <Button label="action.cancel" onPress={cancel} />}
      </div>
      <p role="status">{sending.isSuccess && done && <T id={done} />}</p>
    </Aria.Form>
  )
}

type ActionProps = Look & {
  run: (client: Client) => unknown
  isDisabled?: boolean
  /** What the button says meanwhile. */
  pending?: Id
  /** Asked before it is done. */
  question?: Id
}

/** A button that does something, and says what went wrong. */
export function Action({ run, question, pending, ...look }: ActionProps) {
  const { client } = useService()
  const [isAsking, setIsAsking] = useState<boolean>()
  const action = useChange(async () => run(client))
  function act() {
    setIsAsking(false)
    action.mutate()
  }
  if (isAsking && question)
    return (
      <section className="notice">
        <P {...look.values} id={question} />
        <div className="row">
          <Button {...look} onPress={act} />
          <Button autoFocus label="action.keep" onPress={() => setIsAsking(false)} />
        </div>
      </section>
    )
  const label = action.isPending && pending ? pending : look.label
  const press = question ? () => setIsAsking(true) : act
  return (
    <>
      {action.error && <Problem error={action.error} />}
      {/* Whoever decides against it is where they were. */}
      <Button
        {...look}
        label={label}
        isPending={action.isPending}
        onPress={press}
        autoFocus={isAsking === false}
      />
    </>
  )
}

/** Every language by its own name. */
export function LanguageChoice({ onChange }: { onChange?: (language: ServedLanguage) => void }) {
  const { t } = useTexts()
  const { language, choose } = useLanguage()
  function change(chosen: ServedLanguage) {
    void choose(chosen)
    onChange?.(chosen)
  }
  return (
    <label className="field">
      <span>{t('language.label')}</span>
      <select
        value={language}
        onChange={({ target }) => LANGUAGES.filter((one) => one === target.value).forEach(change)}
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
