import { createClient } from '@supabase/supabase-js'
import { afterAll, expect } from 'vitest'
import { createWellbeingClient } from '../../../client/src/index.ts'
import { createTestService, type TestServiceOptions } from '../../../client/src/testing/index.ts'
import { openApiDocumentOf } from '../../../functions/_shared/openapi/document.ts'
import type { OpenApiDocument } from '../../../functions/_shared/openapi/openapi.ts'
import { CHANNELS } from '../../../functions/api/channels.ts'
import { ROUTES } from '../../../functions/api/routes.ts'
import { describedPath, problemsOf } from '../../../harness/client/described-response.ts'
import { describeContract, type Person } from '../../apps/client-contract.ts'

const FUNCTIONS = '/functions/v1'
const document: OpenApiDocument = JSON.parse(
  JSON.stringify(openApiDocumentOf(ROUTES, 'https://wellbeing.example.edu', CHANNELS)),
)

const undescribed: string[] = []

/** Whatever the double responds is something that the service's own description has, but for the rates, as it limits none. */
function described(respond: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await respond(input, init)
    const { method, url } = new Request(input, init)
    const address = new URL(url).pathname
    if (!address.startsWith(FUNCTIONS)) return response
    const path = address.slice(FUNCTIONS.length)
    const template = describedPath(document, { path, method }) ?? path
    const problems = await problemsOf(document, { path: template, method }, response)
    const told = problems.filter((problem) => !problem.startsWith('the header RateLimit-'))
    undescribed.push(...told.map((problem) => `${method} ${path}: ${response.status}: ${problem}`))
    return response
  }
}

afterAll(() => expect(undescribed).toEqual([]))

const mails = new WeakMap<Person, { to: string; code: string }[]>()

async function person(options: TestServiceOptions, signsIn: boolean): Promise<Person> {
  const service = createTestService(options)
  const { realtime, global } = service.options
  const supabase = createClient(service.url, service.key, {
    realtime,
    global: { fetch: described(global.fetch) },
    auth: { persistSession: false, autoRefreshToken: false },
  })
  if (signsIn) await supabase.auth.signInWithPassword(service.student)
  const made: Person = {
    wellbeing: createWellbeingClient(supabase),
    supabase,
    password: signsIn ? service.student.password : null,
  }
  mails.set(made, service.mails)
  return made
}

describeContract('the test service', {
  student: (consents) => person({ consents }, true),
  stranger: () => person({}, false),
  mailedCode: async (made, email) => mails.get(made)?.find(({ to }) => to === email)?.code ?? '',
  recorded: async () => ({
    audio: new Blob([new Uint8Array(2000)], { type: 'audio/webm;codecs=opus' }),
    images: Array.from(
      { length: 8 },
      (_, at) => new Blob([new Uint8Array(100 + at)], { type: 'image/jpeg' }),
    ),
  }),
})
