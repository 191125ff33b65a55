import { readFile } from 'node:fs/promises'
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
 * A statement of a transaction whose connection was lost meanwhile is written to no socket, from a timer, where nobody can
 * catch the error: it would end the isolate with all that runs in it. So would a connection that is lost while the library
 * asks about types of arrays, for which nobody waits; the statement that the connection is for is rejected by itself. What
 * waits to be written when a connection is lost would keep the next one from ever writing. All in `postgres` 3.4.9.
 */
const lostConnections: Plugin = {
  name: 'lost connections',
  setup({ onLoad }) {
    const mends = [
      [
        'return fetchArrayTypes()',
        'return fetchArrayTypes().catch(error => { if (!/^(EPIPE|ECONN|CONNECTION_|57P0)/.test(error.code)) throw error })',
      ],
      ['const x = socket.write(chunk, fn)', 'const x = socket === null || socket.write(chunk, fn)'],
      [
        'incomings = null\n    clearImmediate(nextWriteTimer)',
        'incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null',
      ],
    ] as const
    onLoad({ filter: /postgres\/src\/connection\.js$/ }, async ({ path }) => {
      let contents = await readFile(path, 'utf8')
      for (const [fault, mended] of mends) {
        if (!contents.includes(fault)) throw new Error(`postgres no longer reads: ${fault}`)
        contents = contents.replace(fault, mended)
      }
      return { contents }
    })
  },
}

/** Builds the client of Postgres: `postgres.js`. */
export async function buildPostgresClient({ bundles }: OutDirs): Promise<void> {
  await writeBundle(bundles, {
    name: 'postgres',
    entry: ENTRY,
    // The log names an error by its class.
    options: { plugins: [nodeModules, lostConnections], mainFields: ['module'], keepNames: true },
  })
}
