import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './root.ts'

const FOLDER = join(ROOT, 'training')

/** A module as `private.ship_training_module` takes it, and its version. */
export type ShippedModule = {
  version: number
  module: {
    id: string
    title: string
    category: string
    difficulty: string
    /** Minutes. */
    estimated_duration: number
    mandatory: boolean
    published: boolean
    content: { sections: { title: string; text: string }[] }
    assessments: { pass_score: number; questions_per_attempt: number; questions: Question[] }
  }
}

type Question = { prompt: string; options: { text: string; correct: boolean }[] }

/** Reads the modules of `training/`: `NAME.md` with what is read, `NAME.questions.md` with what is asked. */
export function readShippedModules(): ShippedModule[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.md') && !file.endsWith('.questions.md'))
    .sort()
    .map((file) => {
      const name = file.replace(/\.md$/, '')
      const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8')
      return moduleOf(name, read(file), questionsOf(name, read(`${name}.questions.md`)))
    })
}

/** SQL that stores the modules where they are not stored yet. */
export function trainingRows(): string {
  const statements = readShippedModules().map(
    ({ module, version }) =>
      `select private.ship_training_module($module$\n${moduleLines(module)}\n$module$, ${version});`,
  )
  return `${statements.join('\n')}\n`
}

/** JSON with one line for each section and each question. */
function moduleLines(module: ShippedModule['module']): string {
  const { content, assessments, ...head } = module
  const { questions, ...assessment } = assessments
  const lines = (items: object[]) => `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`
  const open = (record: object) => JSON.stringify(record).slice(0, -1)
  return `${open(head)},\n"content": {"sections": ${lines(content.sections)}},\n"assessments": ${open(assessment)}, "questions": ${lines(questions)}}}`
}

function moduleOf(name: string, text: string, questions: Question[]): ShippedModule {
  const [, head = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? []
  const fields = new Map(head.split('\n').map((line) => [line.split(':')[0], line.replace(/^[^:]*: */, '')]))
  const field = (key: string) => {
    const value = fields.get(key)
    if (value === undefined) throw new Error(`training/${name}.md lacks ${key} at its beginning.`)
    return value
  }
  const sections = partsOf(body).map(({ title, text }) => ({ title, text }))
  return {
    version: Number(field('version')),
    module: {
      id: field('id'),
      title: field('title'),
      category: field('category'),
      difficulty: field('difficulty'),
      estimated_duration: Number(field('estimated_duration')),
      mandatory: field('mandatory') === 'true',
      published: field('published') === 'true',
      content: { sections },
      assessments: {
        pass_score: Number(field('pass_score')),
        questions_per_attempt: Number(field('questions_per_attempt')),
        questions,
      },
    },
  }
}

function questionsOf(name: string, text: string): Question[] {
  return partsOf(text).map(({ title, text }) => ({
    prompt: title,
    options: text.split('\n').map((line) => {
      const [, mark, option] = /^- \[([ x])\] (.+)$/.exec(line) ?? []
      if (option === undefined) throw new Error(`training/${name}.questions.md has no option in: ${line}`)
      return { text: option, correct: mark === 'x' }
    }),
  }))
}

/** What stands under each heading of the second level. */
function partsOf(text: string): { title: string; text: string }[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n')
      return { title, text: lines.join('\n').trim() }
    })
}
