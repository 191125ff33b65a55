import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { type OutDirs, packageDir, writeBundle } from './bundle.ts'

const twilio = packageDir('twilio')
const part = (path: string) => JSON.stringify(join(twilio, 'lib', `${path}.js`))

/** Version 2010-04-01 of Twilio's API is 40 resources; this builds its message resource in the same way; webhooks are checked apart. */
const ENTRY = `
import BaseTwilio from ${part('base/BaseTwilio')}
import Domain from ${part('base/Domain')}
import Version from ${part('base/Version')}
import { MessageListInstance } from ${part('rest/api/v2010/account/message')}
export { validateRequest } from ${part('webhooks/webhooks')}

/** The messages of an account, sent by \`httpClient\`. */
export function twilioMessages({ accountSid, authToken, baseUrl = 'https://api.twilio.com', httpClient }) {
  const client = new BaseTwilio.Client(accountSid, authToken, { httpClient })
  return MessageListInstance(new Version(new Domain(client, baseUrl), '2010-04-01'), accountSid)
}
`

/** The client's own HTTP client is Node's; the functions give it one that fetches, which is among its options. */
const withoutItsHttpClient: Plugin = {
  name: 'without its HTTP client',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/RequestClient$/ }, ({ path }) => ({ path, namespace: 'absent' }))
    onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = class {}' }))
  },
}

/** Node's modules as imports, because a module has no `require`. */
const nodeModules: Plugin = {
  name: 'modules of Node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(crypto|os|querystring|url|util)$/ }, ({ path }) => ({ path, namespace: 'node' }))
    onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
      contents: `export * from 'node:${path}'; export { default } from 'node:${path}'`,
    }))
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true }))
  },
}

/** Builds the message resource of Twilio's client and its check of signatures, of which the npm package is 21 MB: `twilio.js`. */
export async function buildTwilioClient({ bundles }: OutDirs): Promise<void> {
  await writeBundle(bundles, {
    name: 'twilio',
    entry: ENTRY,
    options: {
      // Region, edge and log level come from the settings, not from variables that only the client knows.
      define: { 'process.env': '{}', 'process.version': '""' },
      mainFields: ['main'],
      plugins: [withoutItsHttpClient, nodeModules],
    },
  })
}
