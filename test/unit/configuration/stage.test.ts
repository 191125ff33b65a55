import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../../../scripts/root.ts'
import { declaredFiles } from '../../../scripts/schema.ts'
import { readRelease, sourceDigests } from '../../../scripts/stage/release.ts'
import { functionSettings, requireValidSettings } from '../../../scripts/stage/settings.ts'
import { openNamedStage, openStage } from '../../../scripts/stage/stage.ts'

const API_URL = 'https://abcdefghijklmnopqrst.supabase.co'

describe('the release of this checkout', () => {
  const release = readRelease(ROOT)

  test('has every cron job of the schema', () => {
    const sql = declaredFiles().map((file) => readFileSync(join(ROOT, file), 'utf8'))
    expect(release.cronJobs).toHaveLength(sql.join().match(/cron\.schedule\(/g)?.length ?? 0)
    expect(release.cronJobs).toContainEqual({
      ...{ name: 'daily-rollup', schedule: '12 * * * *' },
      command: ' select private.roll_up_days() ',
    })
    for (const { command } of release.cronJobs)
      expect(command.trim()).toMatch(/^select private\.|^select public\./)
  })

  test('has every bucket with its limit in bytes, and the assets of the functions', () => {
    expect(release.buckets).toContainEqual({
      ...{ name: 'check-in-images', public: false, fileSizeLimit: 10 * 1024 * 1024 },
      allowedMimeTypes: null,
    })
    expect(release.assets.map(({ bucket, name }) => `${bucket}/${name}`)).toContain(
      'analysis-assets/aac.wasm',
    )
  })
})

describe('the digest of a function’s sources', () => {
  let root: string
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'release-'))
    const declare = (name: string) =>
      `[functions.${name}]\nverify_jwt = false\nentrypoint = "../functions/${name}/index.ts"\n`
    write(
      'supabase/config.toml',
      `[auth]\nsite_url = "https://app.example.edu"\n[storage.buckets]\n${declare('one')}${declare('two')}`,
    )
    write('supabase/migrations/20260101000000_first.sql', '')
    write('sql/queue/cron.sql', '')
    write('functions/deno.json', '{ "imports": {} }')
    write('functions/_shared/number.ts', 'export const number = 1\n')
    write('functions/_shared/unused.ts', 'export const unused = 1\n')
    write(
      'functions/one/index.ts',
      "import * as z from 'zod'\nimport { number } from '../_shared/number.ts'\nDeno.serve(() => new Response(z.string().parse(String(number))))\n",
    )
    write('functions/two/index.ts', 'Deno.serve(() => new Response())\n')
  })
  afterAll(() => rmSync(root, { recursive: true }))

  test('changes with what the function imports, and with nothing else', async () => {
    const before = await sourceDigests(readRelease(root))
    appendFileSync(join(root, 'functions/_shared/unused.ts'), '// changed\n')
    expect(await sourceDigests(readRelease(root))).toEqual(before)
    appendFileSync(join(root, 'functions/_shared/number.ts'), '// changed\n')
    const after = await sourceDigests(readRelease(root))
    expect(after.get('one')).not.toBe(before.get('one'))
    expect(after.get('two')).toBe(before.get('two'))
  })

  test('changes with the versions of the packages', async () => {
    const before = await sourceDigests(readRelease(root))
    write('functions/deno.json', '{ "imports": { "zod": "npm:zod@4.6.7" } }')
    const after = await sourceDigests(readRelease(root))
    expect(after.get('two')).not.toBe(before.get('two'))
  })
})

describe('the settings of a stage', () => {
  test('go to the functions, but for what the platform sets and what no stage may have', () => {
    const settings = {
      ...{ PIPELINE_SECRET: 'a', EMAIL_FROM: '', PUBLIC_PAGES_URL: 'b', PATH: '/bin', SMTP_PASS: 'c' },
      ...{ SUPABASE_URL: 'd', SUPABASE_ACCESS_TOKEN: 'e', INBOX_URL: 'f' },
    }
    expect(functionSettings(settings)).toEqual([
      ['PIPELINE_SECRET', 'a'],
      ['PUBLIC_PAGES_URL', 'b'],
    ])
  })

  test('are refused when the functions would refuse them, without showing a value', () => {
    const short = () => requireValidSettings({ PIPELINE_SECRET: 'short-and-secret' }, API_URL)
    expect(short).toThrow(/PIPELINE_SECRET/)
    expect(short).not.toThrow(/short-and-secret/)
    expect(() => requireValidSettings({ RESEND_API_KEY: 're_invented' }, API_URL)).toThrow(
      /EMAIL_FROM must be set too/,
    )
    expect(() => requireValidSettings({}, API_URL)).not.toThrow()
  })
})

describe('opening a stage', () => {
  test.each([
    [
      'a name that nothing explains',
      { name: 'nowhere', env: { SUPABASE_ACCESS_TOKEN: 'sbp' } },
      /no stage nowhere.*local/,
    ],
    ['a missing token', { name: 'abcdefghijklmnopqrst', env: {} }, /SUPABASE_ACCESS_TOKEN must be set/],
    ['a missing file', { name: 'local', envFile: '/nowhere/.env', env: {} }, /There is no \/nowhere\/\.env/],
  ])('fails on %s, and says so', async (_, options, message) => {
    await expect(openStage(options)).rejects.toThrow(message)
  })

  test('opens the stack of a data folder, whatever the shell names', async () => {
    const data = mkdtempSync(join(tmpdir(), 'stage-'))
    onTestFinished(() => rmSync(data, { recursive: true }))
    const stack = {
      api_url: 'http://127.0.0.1:57001',
      database_url: 'postgresql://postgres@127.0.0.1:57002/postgres',
      inbox_url: 'http://127.0.0.1:57004',
      publishable_key: 'publishable',
      secret_key: 'secret',
    }
    writeFileSync(join(data, 'stack.json'), JSON.stringify(stack))
    const another = {
      SUPABASE_URL: 'http://127.0.0.1:57011',
      SUPABASE_PUBLISHABLE_KEY: 'another',
      SUPABASE_SECRET_KEY: 'another',
      DATABASE_URL: 'postgresql://postgres@127.0.0.1:57012/postgres',
    }
    const stage = await openStage({ name: 'local', data, env: another })
    onTestFinished(() => stage.close())
    expect([stage.apiUrl, stage.option]).toEqual([stack.api_url, `--stage local --data ${data}`])
    expect(await stage.keys()).toEqual({ publishable: 'publishable', secret: 'secret' })
  })

  test('fails where a command line names no stage, or a stage and a branch', () => {
    const named = (values: Parameters<typeof openNamedStage>[0]) => () => openNamedStage(values, 'Usage: …')
    expect(named({})).toThrow(/--stage, or --branch.*Usage/s)
    expect(named({ stage: 'production', branch: 'add-journal' })).toThrow(/--stage, or --branch/)
    expect(named({ stage: 'production', data: '.stack-2' })).toThrow(/add --stage local.*Usage/s)
  })

  test('takes a reference, its file’s settings after the shell’s, and an empty value for none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'settings-'))
    const envFile = join(folder, '.env.stage')
    writeFileSync(envFile, 'EMAIL_FROM=from@example.edu\nTWILIO_FROM=+12025550100\nRESEND_API_KEY=re_file\n')
    const env = { SUPABASE_ACCESS_TOKEN: 'sbp', TWILIO_FROM: '+12025550199', RESEND_API_KEY: '' }
    const stage = await openStage({ name: 'abcdefghijklmnopqrst', envFile, env })
    rmSync(folder, { recursive: true })
    expect(stage.functionsUrl).toBe(`${API_URL}/functions/v1`)
    expect(stage.settings).toMatchObject({
      ...{ EMAIL_FROM: 'from@example.edu', TWILIO_FROM: '+12025550199', RESEND_API_KEY: 're_file' },
    })
  })
})
