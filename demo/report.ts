import type { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import type { CheckIn, CheckInResult, Progress } from './mobile-client.ts'

const BAR_WIDTH = 40
const NAMES: Record<string, string> = {
  audio: 'Voice',
  visual: 'Face',
  text: 'Text',
  self_report: 'Mood',
}

/** A check-in as a person reads it in a terminal. */
export function report(checkIn: CheckIn): string {
  const { result, error } = checkIn
  if (!result) {
    const resources = checkIn.crisis_resources?.map(resourceLine) ?? []
    return [`No score: ${error?.message ?? `the check-in is ${checkIn.status}`}`, ...resources].join('\n')
  }
  return [
    `${heading('Wellbeing')}  ${styleText('bold', result.score.toFixed(0))} of 100, uncertainty ${result.uncertainty.toFixed(2)}`,
    `           ${bar(result)}`,
    `           ${interval(result)}`,
    `${heading('Change')}     ${change(result)}`,
    `${heading('Risk')}       ${result.risk_level}`,
    '',
    result.summary,
    '',
    ...componentTable(result),
    '',
    list('Raised it', result.drivers_positive),
    list('Lowered it', result.drivers_negative),
    list('Themes', result.themes),
    '',
    heading('If you need someone now'),
    ...result.crisis_resources.map(resourceLine),
    '',
    styleText('dim', `check-in ${checkIn.id}, algorithm ${result.algorithm_version}`),
  ].join('\n')
}

/** What the interval means: without calibration no more than that a repeated check-in would score within it. */
function interval({ score_interval, calibrated }: CheckInResult): string {
  if (score_interval === null) return 'no interval'
  const [low, high] = score_interval.map((end) => end.toFixed(0))
  return `${low} to ${high} (90% interval, ${calibrated ? 'calibrated' : 'repeatability, not accuracy'})`
}

function bar(result: CheckInResult): string {
  const at = (value: number) => Math.round((Math.min(100, Math.max(0, value)) / 100) * (BAR_WIDTH - 1))
  const [from, to] = result.score_interval ?? [0, 100]
  const low = at(from)
  const high = at(to)
  const mark = at(result.score)
  const cells = Array.from({ length: BAR_WIDTH }, (_, cell) => {
    if (cell === mark) return styleText('bold', '●')
    return cell >= low && cell <= high ? '━' : styleText('dim', '·')
  })
  return `0 ${cells.join('')} 100`
}

function change(result: CheckInResult): string {
  const counted = result.baseline.check_ins
  if (result.baseline.reason === 'other_version') {
    return 'not compared: earlier check-ins were scored by another version'
  }
  if (result.baseline.compared === null) {
    return counted === 0
      ? 'no baseline yet: this check-in begins it'
      : `too early to compare: ${counted} check-in${counted === 1 ? '' : 's'} before this one`
  }
  const points = Math.abs(result.baseline.compared).toFixed(1)
  const side = result.baseline.compared >= 0 ? 'above' : 'below'
  return `${result.direction_of_change}, ${points} points ${side} usual (significance ${result.significance})`
}

function componentTable(result: CheckInResult): string[] {
  const rows = result.components.map((part) => [
    NAMES[part.modality] ?? part.modality,
    part.score === null ? '–' : part.score.toFixed(0),
    `${(part.weight * 100).toFixed(0)} %`,
    part.quality === null ? '–' : part.quality.toFixed(2),
    part.reason?.replaceAll('_', ' ') ?? '',
  ])
  const header = ['Part', 'Score', 'Weight', 'Quality', 'Remark']
  return [header, ...rows].map((cells, index) => {
    const line = cells.map((cell, column) => (column === 0 ? cell.padEnd(10) : cell.padEnd(9))).join('')
    return index === 0 ? styleText('bold', line.trimEnd()) : line.trimEnd()
  })
}

function list(name: string, entries: string[]): string {
  return `${heading(name)}  ${entries.length > 0 ? entries.join(', ') : '–'}`
}

function resourceLine(resource: { name: string; phone: string | null; website: string | null }): string {
  return `  ${[resource.name, resource.phone, resource.website].filter(Boolean).join('  ')}`
}

function heading(text: string): string {
  return styleText('bold', text)
}

/** Shows the progress of a check-in: one growing line in a terminal, one line per step elsewhere. */
export function showProgress(stream: NodeJS.WriteStream | WriteStream): (progress: Progress) => void {
  return ({ status, progress }) => {
    const filled = Math.round(progress * 30)
    const line = `  [${'#'.repeat(filled)}${' '.repeat(30 - filled)}] ${(progress * 100).toFixed(0).padStart(3)} %  ${status}`
    stream.write(stream.isTTY ? `\r${line.padEnd(60)}${progress === 1 ? '\n' : ''}` : `${line}\n`)
  }
}
