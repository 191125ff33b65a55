import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { type OutDirs, packageDir, writeBundle } from './bundle.ts'

const ENTRY = `export { default } from ${JSON.stringify(packageDir('postgres'))}`

/**
 * Node's modules by their full names. Of `fs`, for statements in files, and `os`, for the name of the machine's user where the
 * address names none, nothing is used here, and Deno takes longer to load them than the whole client.
 */
const nodeModules: Plugin = {
  name: 'modules of Node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(crypto|net|perf_hooks|stream|tls)$/ }, ({ path }) => ({
      path: `node:${path}`,
      external: true,
    }))
    onResolve({ filter: /^(fs|os)$/ }, ({ path }) => ({ path, namespace: 'absent' }))
    onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'export default {}' }))
  },
}

/**
 * What `postgres` 3.4.9 does wrong where a connection is lost, and what it is to do:
 * - Nobody waits for the types of arrays that it asks about: the statement that the connection is for is rejected by itself.
 * - A statement of a transaction whose connection is gone would be written to no socket, from a timer, where nobody can catch the
 *   error and the process ends; or within the next transaction that has the connection.
 * - What waits to be written keeps the next connection from ever writing.
 * - A statement that is sent between a socket's error and its end is never ended, and whatever waits for it waits for ever; so does every
 *   statement after the next. The answer to one that was being run would be taken for that to the next.
 */
const MENDS: Record<string, [fault: string, mend: string][]> = {
  'connection.js': [
    [
      'return fetchArrayTypes()',
      'return fetchArrayTypes().catch(error => { if (!/^(EPIPE|ECONN|CONNECTION_|57P0)/.test(error.code)) throw error })',
    ],
    ['function write(x, fn) {\n', 'function write(x, fn) {\n    if (socket === null)\n      return true\n\n'],
    [
      'incomings = null\n    clearImmediate(nextWriteTimer)',
      'incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null',
    ],
    [
      "if (initial)\n      return reconnect()\n\n    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))",
      "if (query || sent.length)\n      error(Errors.connection('CONNECTION_CLOSED', options, socket))\n    query = results = errorResponse = null\n    result = new Result()\n\n    if (initial)\n      return reconnect()\n",
    ],
  ],
  'index.js': [
    [
      'new Promise((_, reject) => connection.onclose = reject)',
      'new Promise((_, reject) => connection.onclose = error => reject(lost = error))',
    ],
    ['let savepoints = 0\n', 'let lost = null\n      , savepoints = 0\n'],
    [
      'q.catch(e => uncaughtError || (uncaughtError = e))\n',
      'q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)\n',
    ],
  ],
}

/** Mends the installed package, which the functions, the local stack, the commands and the tests have in common; again does nothing. */
async function mendPackage(): Promise<void> {
  for (const [file, mends] of Object.entries(MENDS)) {
    const path = join(packageDir('postgres'), 'src', file)
    const installed = await readFile(path, 'utf8')
    const mended = mends.reduce((source, [fault, mend]) => {
      if (source.includes(mend)) return source
      if (!source.includes(fault)) throw new Error(`postgres no longer reads: ${fault}`)
      return source.replace(fault, mend)
    }, installed)
    if (mended !== installed) await writeFile(path, mended)
  }
}

/** Builds the client of Postgres, `postgres.js`, of the package, which it mends first. */
export async function buildPostgresClient({ bundles }: OutDirs): Promise<void> {
  await mendPackage()
  await writeBundle(bundles, {
    name: 'postgres',
    entry: ENTRY,
    // The log names an error by its class.
    options: { plugins: [nodeModules], mainFields: ['module'], keepNames: true },
  })
}
