import { ask, type Probe, Report } from '../target.ts'

/** Functions that the database alone calls; a test compares them with the description of all calls. */
export const WORKERS = [
  'deliver-messages',
  'export-data',
  'pipeline-audio',
  'pipeline-crisis',
  'pipeline-fusion',
  'pipeline-text',
  'pipeline-transcription',
  'pipeline-visual',
  'probe-security',
  'remove-objects',
] as const

/** Calls the workers without their secret, with a body that none of them takes: an open door shows, and nothing is done. */
export const workerDoors: Probe = async (target) => {
  const report = new Report(target)
  const credentials: Record<string, string | undefined> = {
    nobody: undefined,
    'empty-secret': '',
    'guessed-secret': '0'.repeat(64),
    'publishable-key': target.publishableKey,
    student: target.attacker.token,
  }
  for (const worker of WORKERS) {
    for (const [name, token] of Object.entries(credentials)) {
      const answer = await ask(target, 'POST', `/functions/v1/${worker}`, {
        ...(token !== undefined && { token }),
        body: { type: 'probe' },
      })
      report.attack(
        ![401, 403].includes(answer.status),
        {
          fault: `${worker}:${name}`,
          severity: 'critical',
          title: `The worker ${worker} can be called without its secret`,
        },
        answer,
      )
    }
  }
  return report
}
