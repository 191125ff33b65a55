import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../../../scripts/root.ts'
import { bundle, missingModules, unpack } from './bundle.ts'
import { type ManagementApi, startManagementApi, type Upload } from './management-api.ts'
import { declaredFunctions, type Operator, operatorOf, scratchProject } from './operator.ts'
import { largest, packWhole, printSizes, type Sizes, sizesOf } from './sizes.ts'

const MB = 1_000_000
const SERVER_BUNDLE_LIMIT = 5 * MB
const FUNCTION_LIMIT = 20 * MB

const declared = await declaredFunctions()
let folder: string

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'deploy-')))
})
afterAll(() => rm(folder, { recursive: true }))

describe('deploying with the Supabase CLI', () => {
  let api: ManagementApi
  let printed: { stdout: string; stderr: string }
  const sizes: Sizes[] = []

  beforeAll(async () => {
    api = await startManagementApi()
    const operator = await operatorOf(api, join(folder, 'operator'))
    printed = await operator(['functions', 'deploy', '--use-api'])
    for (const upload of api.received.uploads) await unpack(upload, folderOf(upload))
  })
  afterAll(async () => {
    printSizes(sizes)
    await api.close()
  })

  const folderOf = ({ slug }: Upload) => join(folder, 'server', slug)
  function uploadOf(slug: string): Upload {
    const [upload, ...more] = api.received.uploads.filter((each) => each.slug === slug)
    if (!upload || more.length > 0)
      throw new Error(`${slug} was uploaded ${upload ? more.length + 1 : 0} times`)
    return upload
  }

  test('all declared functions and no others go live, in one step', () => {
    expect(api.received.activations).toHaveLength(1)
    const live = api.received.activations.flat().filter(({ status }) => status === 'ACTIVE')
    expect(live.map(({ slug }) => slug).sort()).toEqual(declared.map(({ slug }) => slug).sort())
    expect(api.received.errors).toEqual([])
  })

  test('the CLI warns of nothing: no unknown key in config.toml, no file that it cannot find', () => {
    const lines = `${printed.stdout}\n${printed.stderr}`.split('\n')
    expect(lines.filter((line) => /warn|deprecated|skipping|failed/i.test(line))).toEqual([])
  })

  describe.each(declared)('$slug', ({ slug, verifyJwt, entrypoint, importMap }) => {
    test('is uploaded once, with its entrypoint, its import map and its token check', () => {
      const { metadata, files } = uploadOf(slug)
      expect(metadata).toMatchObject({
        name: slug,
        verify_jwt: verifyJwt,
        entrypoint_path: entrypoint,
        import_map_path: importMap,
      })
      const paths = files.map(({ path }) => path)
      expect(paths).toContain(entrypoint)
      expect(paths).toContain(importMap)
      expect(new Set(paths).size).toBe(paths.length)
    })

    test('finds every module it imports among the uploaded files', async () => {
      const upload = uploadOf(slug)
      expect(await missingModules(upload, folderOf(upload))).toEqual([])
    })

    test('uploads its own code, shared code, the descriptions that api serves and the database’s types, and nothing else', () => {
      const descriptions = slug === 'api' ? '|[\\w-]+/routes?\\.ts' : ''
      const ships = new RegExp(
        `^(types/database\\.ts|functions/(deno\\.json|(${slug}|_[a-z]+)/([\\w-]+/)*[\\w-]+\\.(ts|js|d\\.ts|json)${descriptions}))$`,
      )
      const paths = uploadOf(slug).files.map(({ path }) => path)
      expect(paths.filter((path) => !ships.test(path))).toEqual([])
    })

    test('fits the 5 MB of a bundle that the server makes, and the 20 MB of any function', async () => {
      const upload = uploadOf(slug)
      const bundled = await bundle(upload, folderOf(upload))
      const packages = await packWhole(bundled.packages)
      const measured = await sizesOf(upload, bundled, packages)
      sizes.push(measured)

      expect(measured.uploaded).toBeLessThan(SERVER_BUNDLE_LIMIT)
      expect(measured.bundled, `bundled, most of it: ${largest(bundled.parts)}`).toBeLessThan(
        SERVER_BUNDLE_LIMIT,
      )
      expect(measured.compressed, `packed: ${largest(packages)}`).toBeLessThan(SERVER_BUNDLE_LIMIT)
      expect(measured.whole, `all files of its packages: ${largest(packages)}`).toBeLessThan(FUNCTION_LIMIT)
    })
  })
})

describe('an operator', () => {
  async function signIn(): Promise<{ api: ManagementApi; operator: Operator }> {
    const api = await startManagementApi()
    onTestFinished(() => api.close())
    return { api, operator: await operatorOf(api, join(folder, randomUUID())) }
  }

  test('sets the secret that the workers and the database share', async () => {
    const { api, operator } = await signIn()
    const value = 'a-secret-of-thirty-two-characters'
    await operator(['secrets', 'set', `PIPELINE_SECRET=${value}`])
    expect(api.received.secrets).toEqual([{ name: 'PIPELINE_SECRET', value }])
  })

  test('is warned by the CLI of a key that config.toml does not have', async () => {
    const { operator } = await signIn()
    const workdir = await scratchProject(join(folder, 'misspelt'), {}, '[api]\nmax_rowss = 1000')
    const { stderr } = await operator(['secrets', 'set', 'ANY=value'], { workdir })
    expect(stderr).toContain('api.max_rowss')
  })

  test('gives a stage its own settings without a warning', async () => {
    const { api, operator } = await signIn()
    const text = await readFile(join(ROOT, 'docs', 'deployment.md'), 'utf8')
    const example = /```toml\n(.*?)```/s.exec(text)?.[1] ?? ''
    const settings = example.replace('"REF"', `"${api.ref}"`)
    const workdir = await scratchProject(join(folder, 'stage'), {}, settings)
    const { stdout, stderr } = await operator(['secrets', 'set', 'ANY=value'], { workdir })
    expect(stdout + stderr).toContain('[remotes.production]')
    expect(stdout + stderr).not.toMatch(/warn/i)
  })

  test('learns that one function was rejected, while the others go live', async () => {
    const { api, operator } = await signIn()
    const source = 'Deno.serve(() => new Response())'
    const workdir = await scratchProject(join(folder, 'partly'), {
      first: source,
      lost: undefined,
      third: source,
    })
    await expect(operator(['functions', 'deploy', '--use-api'], { workdir })).rejects.toThrow(
      /lost\/index\.ts/,
    )
    expect(api.received.activations.at(-1)?.map(({ slug }) => slug)).toEqual(['first', 'third'])
  })

  test('cannot deploy a function that lacks a module without this test noticing', async () => {
    const { api, operator } = await signIn()
    const source = "import { gone } from './gone.ts'\nDeno.serve(() => new Response(gone))"
    const workdir = await scratchProject(join(folder, 'incomplete'), { incomplete: source })
    await operator(['functions', 'deploy', '--use-api'], { workdir })
    const upload = api.received.uploads.find(({ slug }) => slug === 'incomplete')
    if (!upload) throw new Error('Nothing was uploaded')
    const server = join(folder, 'incomplete-on-server')
    await unpack(upload, server)
    expect(await missingModules(upload, server)).toEqual([
      expect.stringMatching(/^functions\/incomplete\/index\.ts imports \.\/gone\.ts/),
    ])
    await expect(bundle(upload, server)).rejects.toThrow(/gone\.ts/)
  })

  test('is rejected with a token of another account', async () => {
    const { api } = await signIn()
    const stranger = await operatorOf({ ...api, token: `sbp_${'f'.repeat(40)}` }, join(folder, randomUUID()))
    await expect(stranger(['secrets', 'set', 'ANY=value'])).rejects.toThrow(/Unauthorized/)
  })
})
