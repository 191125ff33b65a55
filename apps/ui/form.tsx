import { type FormEvent, Fragment, type ReactNode, useRef, useState } from 'react'
import * as Aria from 'react-aria-components'
import { draftsOf, type Fields, FieldsContext, useDrafts, useTypedBefore } from './drafts.tsx'
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
  const initial = useTypedBefore(props.name, props.defaultValue)
  return (
    <Aria.TextField {...props} defaultValue={initial} className="field">
      <Aria.Label>{t(label)}</Aria.Label>
      {rows ? <Aria.TextArea rows={rows} /> : <Aria.Input />}
      {hint && <Aria.Text slot="description">{t(hint)}</Aria.Text>}
      <Aria.FieldError>
        {({ validationDetails, defaultChildren }) => {
          if (validationDetails.valueMissing) return t('field.missing')
          if (validationDetails.patternMismatch) return t('field.other-form')
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
  /** Which one it is of several on the screen with the same button. */
  of?: string
  children?: ReactNode
}

const FORMS = draftsOf<Fields>()

/** What is kept of a field while nobody has sent it: no secret, and nothing that is more than text. */
function textOf({ target: field }: FormEvent): [name: string, text: string] | null {
  const isText =
    field instanceof HTMLTextAreaElement ||
    field instanceof HTMLSelectElement ||
    (field instanceof HTMLInputElement && !['password', 'file', 'checkbox', 'radio'].includes(field.type))
  if (!isText || field.name === '' || field.autocomplete === 'one-time-code') return null
  return [field.name, field.value]
}

/** A change that is under way once, however often somebody taps before the button says so. */
function useSending<Input>(change: (input: Input) => Promise<unknown>) {
  const isUnderWay = useRef(false)
  const { mutate, ...sending } = useChange(async (input: Input) => {
    try {
      return await change(input)
    } finally {
      isUnderWay.current = false
    }
  })
  function send(input: Input) {
    if (isUnderWay.current) return
    isUnderWay.current = true
    mutate(input)
  }
  return { ...sending, send }
}

/**
 * Fields with a button. What was typed stays when it does not work, and what went wrong is shown above the button; it also stays where
 * the app locks or the screen is left, and is said to be there when the form is opened again.
 */
export function Form({ onSubmit, submit, done, kind = 'primary', cancel, of = '', children }: FormProps) {
  const { client } = useService()
  const drafts = useDrafts(FORMS, `${submit} ${of}`)
  const [before, setBefore] = useState(() => drafts.read() ?? null)
  const [times, setTimes] = useState(0)
  const sending = useSending(async (typed: Typed) => {
    const sent = drafts.read()
    drafts.drop()
    try {
      return await onSubmit(typed, client)
    } catch (error) {
      if (sent) drafts.keep(new Map([...sent, ...(drafts.read() ?? [])]))
      throw error
    }
  })
  function discard() {
    drafts.drop()
    setBefore(null)
    setTimes(times + 1)
  }
  return (
    <form
      onInput={(event) => {
        const text = textOf(event)
        if (text) drafts.keep(new Map([...(drafts.read() ?? []), text]))
      }}
      onSubmit={(event) => {
        event.preventDefault()
        const data = new FormData(event.currentTarget)
        sending.send((name) => {
          const text = String(data.get(name) ?? '')
          // A password may begin or end with a space.
          return name.endsWith('password') ? text : text.trim()
        })
      }}
    >
      {before && !sending.isSuccess && (
        <div className="row">
          <P className="muted" role="status" id="form.typed-before" />
          <Button label="form.discard" onPress={discard} />
        </div>
      )}
      <FieldsContext value={before}>
        <Fragment key={times}>{children}</Fragment>
      </FieldsContext>
      {sending.error && <Problem error={sending.error} />}
      <div className="row">
        <Button kind={kind} type="submit" isPending={sending.isPending} label={submit} />
        {cancel && (
          <Button
            label="action.cancel"
            onPress={() => {
              drafts.drop()
              cancel()
            }}
          />
        )}
      </div>
      <p role="status">{sending.isSuccess && done && <T id={done} />}</p>
    </form>
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
  const action = useSending(async () => run(client))
  function act() {
    setIsAsking(false)
    action.send(null)
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
