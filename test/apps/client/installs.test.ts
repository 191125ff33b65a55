import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import sirv from 'sirv'
import { afterAll, beforeAll, expect, inject, onTestFinished, type TestContext, test } from 'vitest'
import { SPEECH } from '../../../harness/factories/check-ins.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { ROOT } from '../../../scripts/root.ts'
import { hasChromium, sharedChromium, visit, withoutChromium } from '../../browser/chromium.ts'

const project = inject('project')
const run = promisify(execFile)
const BIN = join(ROOT, 'node_modules', '.bin')
const PASSWORD = 'invented-password-1'

const versions: { devDependencies: Record<string, string>; dependencies: Record<string, string> } =
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const SUPABASE = `@supabase/supabase-js@${versions.dependencies['@supabase/supabase-js']}`

const folder = mkdtempSync(join(tmpdir(), 'installs-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The package as it is published. */
let tarball = ''
beforeAll(async () => {
  await run('npm', ['run', '--silent', 'build', '-w', '@student-wellbeing/client'], {
    cwd: ROOT,
    env: { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH}` },
  })
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(ROOT, 'client'),
  })
  const [file] = packed.stdout.match(/student-wellbeing-client-[\d.]+\.tgz/) ?? []
  tarball = join(folder, file ?? '')
})

/** An empty app with the package and others of the registry in it; the test is skipped, visibly, where there is no registry. */
async function appWith(name: string, packages: string[], { task, skip }: TestContext): Promise<string> {
  const app = join(folder, name)
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }))
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--no-save', '--fetch-retries=0']
  try {
    await run('npm', ['install', ...flags, tarball, SUPABASE, ...packages], { cwd: app })
  } catch (error) {
    const reached = await run('npm', ['ping', '--fetch-retries=0'], { cwd: app }).catch(() => null)
    if (reached) throw error
    task.meta.skippedBecause = 'needs the registry of npm'
    skip()
  }
  return app
}

/** A recording of some seconds that is large enough for an upload that resumes: the same words three times. */
function recording(): Buffer {
  const [header, samples] = ((wav: Buffer) => [wav.subarray(0, 44), wav.subarray(44)])(
    readFileSync(join(SPEECH, 'short.wav')),
  )
  const data = Buffer.concat([samples, samples, samples])
  const longer = Buffer.from(header)
  longer.writeUInt32LE(36 + data.length, 4)
  longer.writeUInt32LE(data.length, 40)
  return Buffer.concat([longer, data])
}

/** What an app writes to send a check-in and print its score, and to end. */
const SCRIPT = `
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { createWellbeingClient, isWellbeingError } from '@student-wellbeing/client'
import { createClient } from '@supabase/supabase-js'

const [url = '', key = '', email = '', password = '', file = ''] = process.argv.slice(2)

/** Node 20 has no WebSocket, without which supabase-js does not start: then results are asked for every few seconds. */
class NoWebSocket {
  constructor() {
    throw new Error('This platform has no WebSocket.')
  }
}
const supabase = createClient(url, key, {
  auth: { persistSession: false, autoRefreshToken: false },
  ...('WebSocket' in globalThis ? {} : { realtime: { transport: NoWebSocket as never } }),
})
const wellbeing = createWellbeingClient(supabase, { language: 'de' })
const refused = await wellbeing.history().catch((error: unknown) => error)
if (!isWellbeingError(refused)) throw new Error('Nobody was signed in.')
console.log(refused.code, refused.words.title)
const { error } = await supabase.auth.signInWithPassword({ email, password })
if (error) throw await wellbeing.explain(error)
const steps = new Set<string>()
const audio = new Blob([await readFile(file)], { type: 'audio/wav' })
const ended = await wellbeing.checkIn(
  { audio, transcript: 'I walked to the lake with a friend, and slept well.', mood: 7 },
  { onProgress: ({ step }) => steps.add(step) },
)
console.log([...steps].join(' '))
console.log('WebSocket' in globalThis, ended.status, ended.result?.score)
await wellbeing.close()
// supabase-js would keep its connection for most of a minute.
await supabase.realtime.disconnect()
`

/** Writes the script into an app; its arguments. */
async function scriptIn(app: string): Promise<string[]> {
  writeFileSync(join(app, 'check-in.ts'), SCRIPT)
  writeFileSync(join(app, 'speech.wav'), recording())
  const { email } = await newStudent(project, ['audio', 'text'])
  return [project.apiUrl, project.publishableKey, email, PASSWORD, 'speech.wav']
}

/** A Node of that major version: the one on the path, else a package of it. */
async function nodeOf(major: number, app: string): Promise<string> {
  for (const path of (process.env.PATH ?? '').split(delimiter)) {
    const found = await run(join(path, 'node'), ['--version']).catch(() => null)
    if (found?.stdout.startsWith(`v${major}.`)) return join(path, 'node')
  }
  await run('npm', ['install', '--prefer-offline', '--no-save', `node@${major}`], { cwd: app })
  return join(app, 'node_modules', 'node', 'bin', 'node')
}

const HEARD = /^session_ended Du bist abgemeldet\.\n.*uploading.*submitting.*complete\n/

test('an empty script of Node 20, which has no WebSocket, gets a score; the types of the package suffice, also for the code of its page', async (context) => {
  const app = await appWith('node', [`@types/node@${versions.devDependencies['@types/node']}`], context)
  const args = await scriptIn(app)
  const readme = readFileSync(join(ROOT, 'client', 'README.md'), 'utf8')
  const modules = [...readme.matchAll(/```ts\n\/\/ ([\w-]+\.ts)\n(.*?)```/gs)]
  for (const [, name = '', code = ''] of modules) writeFileSync(join(app, name), code)
  const files = ['check-in.ts', ...modules.map(([, name = '']) => name)]
  expect(files).toHaveLength(3)
  const strict = [
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--outDir',
    '.',
    '--types',
    'node',
  ]
  // It emits in spite of errors, and those of Supabase's own types, against newer ones of the DOM, are not ours.
  const checked = run(join(BIN, 'tsc'), [...strict, '--lib', 'es2022,dom', ...files], { cwd: app })
  const faults = await checked.then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
  expect(faults).not.toMatch(/^(?!node_modules\/@supabase\/)\S+\(\d+,\d+\): error/m)
  const node = await nodeOf(20, app)
  const { stdout } = await run(node, ['check-in.js', ...args], { cwd: app })
  expect(stdout).toMatch(HEARD)
  expect(stdout).toMatch(/^false complete \d+(\.\d+)?$/m)
})

test('an empty script of Deno gets a score', async (context) => {
  const app = await appWith('deno', [], context)
  const args = await scriptIn(app)
  const flags = ['run', '--quiet', '--node-modules-dir=manual', '--no-lock', '--allow-all']
  const { stdout } = await run(join(BIN, 'deno'), [...flags, 'check-in.ts', ...args], { cwd: app })
  expect(stdout).toMatch(HEARD)
  expect(stdout).toMatch(/^true complete \d+(\.\d+)?$/m)
})

test.skipIf(!hasChromium)(
  `an empty app of Vite gets a score in a browser${withoutChromium}`,
  async (context) => {
    const vite: { devDependencies: Record<string, string> } = JSON.parse(
      readFileSync(join(ROOT, 'apps', 'student', 'package.json'), 'utf8'),
    )
    const app = await appWith('vite', [`vite@${vite.devDependencies.vite}`], context)
    mkdirSync(join(app, 'public'))
    writeFileSync(join(app, 'public', 'speech.wav'), recording())
    writeFileSync(
      join(app, 'index.html'),
      '<!doctype html><title>App</title><body><script type="module" src="/main.ts"></script></body>',
    )
    writeFileSync(
      join(app, 'main.ts'),
      `
    import { createWellbeingClient } from '@student-wellbeing/client'
    import { browserDevice } from '@student-wellbeing/client/browser'
    import { createClient } from '@supabase/supabase-js'

    const { url, key, email, password } = Object.fromEntries(new URLSearchParams(location.search))
    const supabase = createClient(url, key)
    const wellbeing = createWellbeingClient(supabase, { device: browserDevice(), language: navigator.language })
    await supabase.auth.signInWithPassword({ email, password })
    const audio = await (await fetch('/speech.wav')).blob()
    const ended = await wellbeing.checkIn({ audio, mood: 7 }, {
      onProgress: ({ step }) => document.body.append(step, ' '),
    })
    document.body.append('Score: ' + ended.result?.score)
  `,
    )
    await run(join(app, 'node_modules', '.bin', 'vite'), ['build', '--logLevel', 'error'], { cwd: app })
    const server = createServer(sirv(join(app, 'dist')))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('There is no port.')
    const { email } = await newStudent(project, ['audio'])
    const given = { url: project.apiUrl, key: project.publishableKey, email, password: PASSWORD }
    const { page, close } = await visit(await sharedChromium())
    onTestFinished(close)
    await page.goto(`http://127.0.0.1:${address.port}/?${new URLSearchParams(given)}`)
    await page.getByText(/Score: \d/).waitFor({ timeout: 120_000 })
    expect(await page.textContent('body')).toMatch(/uploading.*complete.*Score: \d+/)
  },
)
