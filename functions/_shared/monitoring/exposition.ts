import { FAMILIES, type Family } from './families.ts'

/** One value of `private.metrics`. */
export type Sample = { name: string; labels: Readonly<Record<string, string>>; value: number }

/** Content type of Prometheus' text format. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Samples in Prometheus' text format, those of a family together, each family with its help and type.
 *
 * @param samples the buckets of a histogram in their order
 *
 * Source: https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function expositionOf(samples: readonly Sample[]): string {
  const families = Map.groupBy(samples, ({ name }) => familyOf(name))
  return [...families].map(([name, members]) => `${headOf(name)}${members.map(lineOf).join('')}`).join('')
}

/** Name of the family that a sample belongs to. */
function familyOf(name: string): string {
  const histogram = name.replace(/_(bucket|sum|count)$/, '')
  return FAMILIES[histogram]?.type === 'histogram' ? histogram : name
}

/** A sample that has no description, as of a database that is newer than this function, is shown without one. */
function headOf(name: string): string {
  const family: Family | undefined = FAMILIES[name]
  return family ? `# HELP ${name} ${family.help}\n# TYPE ${name} ${family.type}\n` : ''
}

function lineOf({ name, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${numberOf(value)}\n`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}

function numberOf(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf'
}
