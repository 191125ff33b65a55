import { useLocation, useParams } from 'wouter'
import { Constants } from '../../../../types/database.ts'
import { Tick } from '../../../ui/choices.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { draftsOf, useDraft } from '../../../ui/drafts.tsx'
import { Button, ButtonLink, Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { Select } from '../../../ui/filters.tsx'
import { Field, Form } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { type Client, done, useRead } from '../../../ui/service.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { Amount } from './amount.tsx'
import { Markdown } from './markdown.tsx'
import {
  type Draft,
  emptyDraft,
  MOST,
  missingIn,
  moduleOf,
  newQuestion,
  newSection,
  nextKey,
  type Question,
} from './module-draft.ts'
import './checks.css'

const { training_category: CATEGORIES, training_difficulty: DIFFICULTIES } = Constants.public.Enums

async function draftOf(client: Client, id: string): Promise<Draft | null> {
  const [module, kept] = await Promise.all([
    done(client.from('training_modules').select().eq('id', id).maybeSingle()),
    done(client.rpc('list_training_questions', { module_id: id })),
  ])
  return (
    module && {
      title: module.title,
      category: module.category,
      difficulty: module.difficulty,
      minutes: module.estimated_duration,
      passScore: module.assessments.pass_score,
      perAttempt: module.assessments.questions_per_attempt,
      mandatory: module.mandatory,
      published: module.published,
      sections: module.content.sections.map(({ title, text }) => ({ key: nextKey(), title, text })),
      kept,
      questions: [],
    }
  )
}

export default function ModuleEditor() {
  const { id = null } = useParams<{ id?: string }>()
  const stored = useRead(
    ['training-draft', id],
    async (client) => (id === null ? emptyDraft() : draftOf(client, id)),
    // What is being written is never replaced by what is stored.
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  )
  return (
    <Screen title={id === null ? 'checks.module-new' : 'checks.module-edit'}>
      <ButtonLink
        to={id === null ? '/training-modules' : `/training-modules/${id}`}
        label={id === null ? 'checks.modules' : 'checks.to-module'}
      />
      <Loaded query={stored}>
        {(draft) => (draft ? <Editor key={id} id={id} initial={draft} /> : <P id="checks.missing" />)}
      </Loaded>
    </Screen>
  )
}

/** Modules that are being written. */
const MODULES = draftsOf<Draft>()

function Editor({ id, initial }: { id: string | null; initial: Draft }) {
  const { value: draft, isChanged, change: setDraft, drop } = useDraft(MODULES, 'module', initial)
  const [, go] = useLocation()
  const tell = useToast()
  const missing = missingIn(draft)
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const parts = { draft, change }
  return (
    <>
      <P className="muted" id={id === null ? 'checks.module-new-about' : 'checks.module-edit-about'} />
      <Tabs
        label="checks.module"
        tabs={[
          { label: 'checks.text', content: () => <Texts {...parts} /> },
          { label: 'checks.questions', content: () => <Questions {...parts} /> },
          { label: 'checks.preview', content: () => <Preview draft={draft} /> },
        ]}
      />
      {missing.length > 0 && (
        <div className="notice" role="status">
          {missing.map((one) => (
            <P key={one} id={one} />
          ))}
        </div>
      )}
      <div className="row">
        <Form
          submit={id === null ? 'checks.create' : 'checks.store-version'}
          onSubmit={async (_, client) => {
            if (missing.length > 0) return
            const stored = await done(client.rpc('create_training_module', { module: moduleOf(draft, id) }))
            drop()
            tell({ message: 'checks.module-stored', values: { version: stored.version } })
            go(`/training-modules/${stored.id}`)
          }}
        />
        {isChanged && (
          <Confirm
            label="checks.discard"
            title="checks.discard"
            question="checks.discard-question"
            target={draft.title}
            run={async () => {
              drop()
            }}
          />
        )}
      </div>
    </>
  )
}

type Parts = { draft: Draft; change: (part: Partial<Draft>) => void }

/** A list with one of its parts replaced, told by its key. */
function replaced<Part extends { key: number }>(parts: readonly Part[], part: Part): Part[] {
  return parts.map((one) => (one.key === part.key ? part : one))
}

/** A list with one of its parts a place further up or down. */
function moved<Part>(parts: readonly Part[], from: number, by: -1 | 1): Part[] {
  const rest = parts.toSpliced(from, 1)
  return rest.toSpliced(from + by, 0, ...parts.slice(from, from + 1))
}

function Texts({ draft, change }: Parts) {
  const { t } = useTexts()
  const { sections } = draft
  return (
    <>
      <Field
        label="checks.title"
        value={draft.title}
        onChange={(title) => change({ title })}
        maxLength={200}
        isRequired
      />
      <div className="columns">
        <Select
          label="checks.category"
          options={CATEGORIES}
          value={draft.category}
          onChange={(category) => change({ category })}
        >
          {(category) => t(`checks.category.${category}`)}
        </Select>
        <Select
          label="checks.difficulty"
          options={DIFFICULTIES}
          value={draft.difficulty}
          onChange={(difficulty) => change({ difficulty })}
        >
          {(difficulty) => t(`checks.difficulty.${difficulty}`)}
        </Select>
        <Amount
          label="checks.minutes-to-read"
          value={draft.minutes}
          max={MOST.minutes}
          onChange={(minutes) => change({ minutes })}
        />
      </div>
      <Tick isSelected={draft.published} onChange={(published) => change({ published })}>
        <T id="checks.is-published" />
      </Tick>
      <Tick isSelected={draft.mandatory} onChange={(mandatory) => change({ mandatory })}>
        <T id="checks.is-mandatory" />
      </Tick>
      {sections.map((section, place) => (
        <fieldset key={section.key} className="card">
          <legend>{t('checks.section', { place: place + 1 })}</legend>
          <Field
            label="checks.section-heading"
            value={section.title}
            onChange={(title) => change({ sections: replaced(sections, { ...section, title }) })}
            maxLength={200}
            isRequired
          />
          <Field
            label="checks.section-text"
            hint="checks.section-text-hint"
            rows={12}
            value={section.text}
            onChange={(text) => change({ sections: replaced(sections, { ...section, text }) })}
            maxLength={50_000}
            isRequired
          />
          <div className="row">
            <Button
              label="checks.up"
              isDisabled={place === 0}
              onPress={() => change({ sections: moved(sections, place, -1) })}
            />
            <Button
              label="checks.down"
              isDisabled={place === sections.length - 1}
              onPress={() => change({ sections: moved(sections, place, 1) })}
            />
            <Button
              label="checks.remove"
              isDisabled={sections.length === 1}
              onPress={() => change({ sections: sections.toSpliced(place, 1) })}
            />
          </div>
        </fieldset>
      ))}
      {sections.length < MOST.sections && (
        <Button
          label="checks.section-add"
          onPress={() => change({ sections: [...sections, newSection()] })}
        />
      )}
    </>
  )
}

function Questions({ draft, change }: Parts) {
  const { t } = useTexts()
  const { kept, questions } = draft
  return (
    <>
      <div className="columns">
        <Amount
          label="checks.per-attempt"
          value={draft.perAttempt}
          max={MOST.percent}
          onChange={(perAttempt) => change({ perAttempt })}
        />
        <Amount
          label="checks.pass-score-percent"
          value={draft.passScore}
          max={MOST.percent}
          onChange={(passScore) => change({ passScore })}
        />
      </div>
      {kept.length > 0 && (
        <Section title="checks.questions-kept">
          <P className="muted" id="checks.questions-kept-about" />
          <ul className="list kept">
            {kept.map((question) => (
              <li key={question.id} className="row">
                <span dir="auto">{question.prompt}</span>
                <Button
                  label="checks.remove"
                  aria-label={t('checks.remove-named', { name: question.prompt })}
                  onPress={() => change({ kept: kept.filter(({ id }) => id !== question.id) })}
                />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="checks.questions-new">
        {questions.map((question, place) => (
          <QuestionFields
            key={question.key}
            question={question}
            place={place + 1}
            onChange={(next) => change({ questions: replaced(questions, next) })}
            onRemove={() => change({ questions: questions.toSpliced(place, 1) })}
          />
        ))}
        {kept.length + questions.length < MOST.questions && (
          <Button
            label="checks.question-add"
            onPress={() => change({ questions: [...questions, newQuestion()] })}
          />
        )}
      </Section>
    </>
  )
}

type QuestionProps = {
  question: Question
  place: number
  onChange: (question: Question) => void
  onRemove: () => void
}

function QuestionFields({ question, place, onChange, onRemove }: QuestionProps) {
  const { t } = useTexts()
  const { options } = question
  return (
    <fieldset className="card">
      <legend>{t('checks.question-new', { place })}</legend>
      <Field
        label="checks.prompt"
        rows={2}
        value={question.prompt}
        onChange={(prompt) => onChange({ ...question, prompt })}
        maxLength={1000}
        isRequired
      />
      {options.map((option, at) => (
        <fieldset key={option.key} className="option">
          <legend>{t('checks.option', { place: at + 1 })}</legend>
          <Field
            label="checks.option-text"
            value={option.text}
            onChange={(text) => onChange({ ...question, options: replaced(options, { ...option, text }) })}
            maxLength={500}
            isRequired
          />
          <div className="row">
            <Tick
              isSelected={option.correct}
              onChange={(correct) =>
                onChange({ ...question, options: replaced(options, { ...option, correct }) })
              }
            >
              <T id="checks.is-right" />
            </Tick>
            <Button
              label="checks.remove"
              isDisabled={options.length === 2}
              onPress={() => onChange({ ...question, options: options.toSpliced(at, 1) })}
            />
          </div>
        </fieldset>
      ))}
      <div className="row">
        <Button
          label="checks.option-add"
          isDisabled={options.length === MOST.options}
          onPress={() =>
            onChange({ ...question, options: [...options, { key: nextKey(), text: '', correct: false }] })
          }
        />
        <Button label="checks.question-remove" onPress={onRemove} />
      </div>
    </fieldset>
  )
}

/** The module as it is read. */
function Preview({ draft: { title, sections } }: { draft: Draft }) {
  return (
    <article className="list">
      <h2 dir="auto">{title}</h2>
      {sections.map((section) => (
        <section key={section.key} className="card">
          <h3 dir="auto">{section.title}</h3>
          <Markdown text={section.text} level={4} />
        </section>
      ))}
    </article>
  )
}
