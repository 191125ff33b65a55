import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { BrowserContext, Page } from 'playwright-core'
import type { QueuedCheckIn } from '../../client/src/check-in/types.ts'
import type { Student } from '../../harness/factories/students.ts'
import type { Project } from '../../harness/stack/project.ts'
import { ROOT } from '../../scripts/root.ts'

/** What runs in the page: the package, as an app has it, and what a test asks it to do. */
const SCRIPT = `
  import { createClient } from '@supabase/supabase-js'
  import { createWellbeingClient } from './client/src/index.ts'
  import { browserDevice } from './client/src/browser/index.ts'

  const { url, key } = Object.fromEntries(new URLSearchParams(location.search))
  const supabase = createClient(url, key)
  const client = createWellbeingClient(supabase, { device: browserDevice() })
  window.page = {
    supabase,
    client,
    // As JSON: Playwright takes nothing but its message from an error.
    list: async () => JSON.parse(JSON.stringify(await client.queue.list())),
    seen: [],
    /** Begins a check-in with a sound of so many seconds, and says what becomes of it. */
    begin: async ({ wav, audioType = 'audio/wav', transcript, type, id = 'only' }) => {
      const audio = wav && new Blob([await (await fetch(wav)).arrayBuffer()], { type: audioType })
      const outcome = { ended: null, error: null }
      window.page.outcomes = { ...window.page.outcomes, [id]: outcome }
      client.checkIn({ audio, transcript }, { type }).then(
        (ended) => (outcome.ended = ended),
        (error) => (outcome.error = error.code),
      )
    },
  }
  client.queue.subscribe((list) => {
    for (const { step, problem } of list) {
      const now = problem ? step + ': ' + problem.code : step
      if (window.page.seen.at(-1) !== now) window.page.seen.push(now)
    }
  })
  void client.queue.resume()
`

/** Serves a page with the package, and recordings by their name. */
export async function servePage(
  recordings: Record<string, Uint8Array>,
): Promise<{ url: string; close(): Promise<void> }> {
  const { outputFiles } = await build({
    stdin: { contents: SCRIPT, resolveDir: ROOT, loader: 'js' },
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'error',
    outfile: join(ROOT, 'page.js'),
  })
  const code = outputFiles[0]?.text ?? ''
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page')
    const recording = recordings[pathname.slice(1)]
    if (recording) return response.setHeader('content-type', 'audio/wav').end(recording)
    if (pathname === '/page.js') return response.setHeader('content-type', 'text/javascript').end(code)
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><title>Page</title><script type="module" src="/page.js"></script>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The page has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type PageWindow = {
  page: {
    client: { queue: { resume(): Promise<void>; remove(id: string): Promise<void> } }
    supabase: {
      auth: { signInWithPassword(given: object): Promise<{ error: unknown }>; signOut(): Promise<unknown> }
    }
    list(): Promise<QueuedCheckIn[]>
    seen: string[]
    outcomes: Record<string, { ended: { id: string; status: string } | null; error: string | null }>
    begin(given: {
      wav?: string
      audioType?: string
      transcript?: string
      type?: string
      id?: string
    }): Promise<void>
  }
}

declare const window: PageWindow

/** A tab with the page. */
export type Tab = {
  page: Page
  signIn(student: Student): Promise<void>
  signOut(): Promise<void>
  begin(given: Parameters<PageWindow['page']['begin']>[0]): Promise<void>
  list(): Promise<QueuedCheckIn[]>
  /** Steps that the queue has shown, each with its problem. */
  seen(): Promise<string[]>
  outcome(id?: string): Promise<PageWindow['page']['outcomes'][string] | undefined>
  resume(): Promise<void>
}

export async function openTab(
  context: BrowserContext,
  url: string,
  { apiUrl, publishableKey }: Pick<Project, 'apiUrl' | 'publishableKey'>,
): Promise<Tab> {
  const page = await context.newPage()
  await page.goto(`${url}/?${new URLSearchParams({ url: apiUrl, key: publishableKey })}`)
  await page.waitForFunction(() => 'page' in window)
  return {
    page,
    signIn: ({ email }) =>
      page.evaluate(async (email) => {
        const { error } = await window.page.supabase.auth.signInWithPassword({
          email,
          password: 'invented-password-1',
        })
        if (error) throw error
      }, email),
    signOut: () =>
      page.evaluate(async () => {
        await window.page.supabase.auth.signOut()
      }),
    begin: (given) => page.evaluate((given) => window.page.begin(given), given),
    list: () => page.evaluate(() => window.page.list()),
    seen: () => page.evaluate(() => window.page.seen),
    outcome: (id = 'only') => page.evaluate((id) => window.page.outcomes?.[id], id),
    resume: () => page.evaluate(() => window.page.client.queue.resume()),
  }
}
