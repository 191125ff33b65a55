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

/** Builds the client of Postgres: `postgres.js`. */
export async function buildPostgresClient({ bundles }: OutDirs): Promise<void> {
  await writeBundle(bundles, {
    name: 'postgres',
    entry: ENTRY,
    // The log names an error by its class.
    options: { plugins: [nodeModules], mainFields: ['module'], keepNames: true },
  })
}
