import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newModule } from '../../../functions/_shared/training/module.ts'
import { ROOT } from '../../../scripts/root.ts'
import { readShippedModules, trainingRows } from '../../../scripts/training.ts'

const WORDS_A_MINUTE = 200

const shipped = readShippedModules()
const modules = shipped.map(({ module }) => module)

test('the default modules are those of the specification', () => {
  const facts = modules.map(({ title, category, estimated_duration, assessments, published }) => [
    title,
    category,
    estimated_duration,
    assessments.pass_score,
    published,
  ])
  expect(facts).toEqual([
    ['HIPAA Fundamentals', 'hipaa_compliance', 30, 80, true],
    ['Phishing Awareness Training', 'phishing_awareness', 25, 85, true],
  ])
})

describe.each(modules.map((module) => [module.title, module] as const))('%s', (_, module) => {
  const { content, assessments, estimated_duration } = module

  test('takes as long to read as it says, with a case in each section but a list', () => {
    const texts = content.sections.map(({ title, text }) => `${title} ${text}`)
    const words = texts
      .join(' ')
      .split(/\s+/)
      .filter((word) => /\w/.test(word)).length
    expect(Math.abs(words / WORDS_A_MINUTE - estimated_duration)).toBeLessThan(estimated_duration * 0.05)
    expect(content.sections.filter(({ text }) => !text.includes('> **Case: '))).toEqual([])
  })

  test('is one that an administrator could store', () => {
    expect(newModule.safeParse(module).error?.issues ?? []).toEqual([])
  })

  test('has a bank of which an attempt asks less than half', () => {
    expect(assessments.questions.length).toBeGreaterThan(2 * assessments.questions_per_attempt)
  })

  test('asks each question once, with options of which none is there twice', () => {
    const prompts = assessments.questions.map(({ prompt }) => prompt)
    expect(new Set(prompts).size).toBe(prompts.length)
    for (const { options } of assessments.questions) {
      expect(new Set(options.map(({ text }) => text)).size).toBe(options.length)
    }
  })

  test('is not passed by choosing the longest option', () => {
    const guessed = assessments.questions.filter(({ options }) => {
      const longest = options.toSorted((one, other) => other.text.length - one.text.length)[0]
      return longest?.correct && options.filter(({ correct }) => correct).length === 1
    })
    expect((100 * guessed.length) / assessments.questions.length).toBeLessThan(assessments.pass_score)
  })
})

test('the last migration with modules has them as they are', () => {
  const folder = join(ROOT, 'supabase', 'migrations')
  const last = readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .findLast((migration) => migration.includes('private.ship_training_module($module$'))
  expect(last).toContain(trainingRows())
})
