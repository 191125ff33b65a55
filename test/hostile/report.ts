import type { Failure, Outcome } from './campaign.ts'

const SHOWN = 2_000
const HEADER_SHOWN = 300
const HEADERS_SHOWN = 20

/** How a campaign went, in lines. */
export function summary({ requests, seconds, failures, answers }: Outcome): string {
  const statuses = new Map<string, number>()
  for (const [key, count] of answers) {
    const status = key.split(' ').at(-1) ?? ''
    statuses.set(status, (statuses.get(status) ?? 0) + count)
  }
  const counted = [...statuses].sort().map(([status, count]) => `${count} × ${status}`)
  return [
    `${requests} requests in ${seconds.toFixed(0)} s (${(requests / seconds).toFixed(0)} a second): ${counted.join(', ')}`,
    `${failures.length} answered wrongly`,
  ].join('\n')
}

/** One failure of each kind, in full. */
export function describeFailures(failures: readonly Failure[]): string {
  const kinds = Map.groupBy(failures, ({ attempt, answer, faults }) =>
    [attempt.name, statusOf(answer), faults[0]?.replace(/[\d-]{8,}/g, '…')].join(' '),
  )
  return [...kinds]
    .map(([kind, of]) => `── ${of.length} × ${kind}\n${of[0] ? describe(of[0]) : ''}`)
    .join('\n\n')
}

function describe({ attempt, answer, faults }: Failure): string {
  const { number, attacker, places, request } = attempt
  const headers = request.headers.map(([name, value]) => {
    const secret = ['authorization', 'cookie', 'apikey'].includes(name.toLowerCase())
    return `${name}: ${secret ? `(${value.length} characters)` : cut(value, HEADER_SHOWN)}`
  })
  return [
    ...faults.map((fault) => `fault: ${fault}`),
    `number ${number}, ${attacker.name}, hostile in ${places.join(' and ')}`,
    `${request.method} ${cut(request.target, SHOWN)}`,
    ...headers.slice(0, HEADERS_SHOWN),
    ...(headers.length > HEADERS_SHOWN ? [`… ${headers.length} headers`] : []),
    '',
    cut(request.body ?? '', SHOWN),
    '',
    `answer: ${statusOf(answer)} ${typeof answer === 'string' ? '' : cut(answer.body, SHOWN)}`,
  ].join('\n')
}

function statusOf(answer: Failure['answer']): string {
  return typeof answer === 'string' ? answer : String(answer.status)
}

function cut(text: string, most: number): string {
  const shown = JSON.stringify(text.slice(0, most)).slice(1, -1).replaceAll('\\"', '"')
  return text.length > most ? `${shown}… (${text.length} bytes)` : shown
}
