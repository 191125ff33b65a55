import * as z from 'zod'
import { remoteOption } from '../stage/cli.ts'
import type { Management } from '../stage/management.ts'
import { ASSETS_BUCKET, sourceDigests } from '../stage/release.ts'
import type { Stage } from '../stage/stage.ts'
import type { Check, Finding } from './finding.ts'
import { storageOf } from './storage.ts'

const deployedFunctions = z.array(
  z.object({
    slug: z.string(),
    status: z.string(),
    version: z.number(),
    verify_jwt: z.boolean().nullish(),
    ezbr_sha256: z.string().nullish(),
  }),
)

/** The functions that the platform has. */
export function listFunctions(management: Management) {
  return management.get('/functions', deployedFunctions)
}

/**
 * What a deployment notes of each function: digests of its sources, and of what the platform made of them, so that it
 * shows when somebody deploys past it. The platform's own figures do not tell which sources they were made of.
 */
const deployment = z.object({
  functions: z.record(z.string(), z.object({ sources: z.string(), deployed: z.string() })),
})
export type Deployment = z.infer<typeof deployment>

/** The note's name, in the bucket of what the functions load. */
const NOTE = 'deployment.json'

/** What stands for a deployed version of a function. */
export function versionOf(deployed: z.infer<typeof deployedFunctions>[number]): string {
  return deployed.ezbr_sha256 ?? String(deployed.version)
}

/** The last deployment's note; null where there is none. */
export async function readDeployment(stage: Stage): Promise<Deployment | null> {
  const { data } = await (await storageOf(stage))
    .from(ASSETS_BUCKET)
    .download(NOTE, {}, { cache: 'no-store' })
  const parsed = data && deployment.safeParse(JSON.parse(await data.text()))
  return parsed?.data ?? null
}

export async function noteDeployment(stage: Stage, note: Deployment): Promise<void> {
  const body = new Blob([JSON.stringify(note, null, 2)], { type: 'application/json' })
  const { error } = await (await storageOf(stage))
    .from(ASSETS_BUCKET)
    .upload(NOTE, body, { upsert: true, cacheControl: '0' })
  if (error) throw new Error(`The deployment could not be recorded in ${ASSETS_BUCKET}: ${error.message}`)
}

const DEPLOY = 'npm run deploy -- --stage NAME --only functions'

export const deployedVersions: Check = {
  name: 'functions',
  needsPlatform: true,
  async read(stage) {
    const { management, release } = stage
    if (!management) return []
    const [deployed, sources, note] = await Promise.all([
      listFunctions(management),
      sourceDigests(release),
      readDeployment(stage),
    ])
    const declared = release.functions.flatMap(({ slug, verifyJwt }): Finding[] => {
      const found = deployed.find((each) => each.slug === slug)
      const finding = (id: string, problem: string, mend = DEPLOY) => [
        { id, about: slug, problem: `Function ${slug} ${problem}`, mend },
      ]
      if (!found) return finding('function_missing', 'is not deployed')
      if (found.status !== 'ACTIVE')
        return finding('function_inactive', `is ${found.status}`, 'See its page in the dashboard for why')
      const recorded = note?.functions[slug]
      return [
        ...((found.verify_jwt ?? true) === verifyJwt
          ? []
          : finding('function_verifies_jwt', `has verify_jwt = ${!verifyJwt}, config.toml ${verifyJwt}`)),
        ...(recorded === undefined
          ? finding(
              'function_outdated',
              'was not deployed by npm run deploy: which version it is cannot be told',
            )
          : recorded.sources !== sources.get(slug)
            ? finding('function_outdated', 'is of another version than this checkout')
            : recorded.deployed !== versionOf(found)
              ? finding('function_outdated', 'was deployed again past npm run deploy')
              : []),
      ]
    })
    const unknown = deployed
      .filter(({ slug }) => !release.functions.some((each) => each.slug === slug))
      .map(({ slug }) => ({
        id: 'function_unknown',
        about: slug,
        problem: `Function ${slug} is deployed and not in config.toml`,
        mend: `npx supabase functions delete ${slug} ${remoteOption(stage)}, if nobody needs it`,
      }))
    return [...declared, ...unknown]
  },
}

/** How long a function may take to answer, milliseconds: a cold start among them. */
const ANSWER_MS = 30_000

/**
 * Whether each function starts: it answers whatever it is asked, and never with a status of 500 or more. Asked by GET, which those that
 * the database calls answer before they look for the secret: without it, a POST is recorded as an attempt to guess it.
 */
export const startedFunctions: Check = {
  name: 'whether the functions start',
  needsPlatform: false,
  async read(stage) {
    const { release, functionsUrl } = stage
    const log = stage.management
      ? `npx supabase logs ${remoteOption(stage)} --service functions`
      : 'The log of the functions'
    const findings: Finding[] = []
    for (const { slug } of release.functions) {
      const problem = await problemOf(`${functionsUrl}/${slug}`)
      if (problem)
        findings.push({
          id: 'function_not_answering',
          about: slug,
          problem: `Function ${slug} ${problem}`,
          mend: `${log} says why: often a missing secret; a quarantine is lifted with its incident`,
        })
    }
    return findings
  },
}

async function problemOf(address: string): Promise<string | null> {
  const response = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS) }).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  )
  if (typeof response === 'string') return `does not answer: ${response}`
  const text = await response.text()
  if (response.status >= 500) return `answers ${response.status}`
  // The platform's own 404, where the service's has another form.
  if (response.status === 404 && /"code":\s*"NOT_FOUND"/.test(text)) return 'is not there'
  return null
}
