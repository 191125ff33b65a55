import type { Plugin } from 'esbuild'
import { type OutDirs, packageDir, writeBundle } from './bundle.ts'

const ENTRY = `export { Resend } from ${JSON.stringify(packageDir('resend'))}`

/** Dependencies of Resend's client for inbound mail, webhooks and React templates, which are not used here. */
const plainEmailsOnly: Plugin = {
  name: 'plain emails only',
  setup({ onResolve, onLoad }) {
    const absent = /^(postal-mime|standardwebhooks|@react-email\/render)$/
    onResolve({ filter: absent }, ({ path }) => ({ path, namespace: 'absent' }))
    onLoad({ filter: /.*/, namespace: 'absent' }, () => ({
      contents: 'export default class {}; export class Webhook {}',
    }))
  },
}

/**
 * The client passes its request options on to `fetch`, but hides the failure and the status that result. Both are
 * recorded in the option `exchange`, to distinguish a request that was never sent from one that may have arrived.
 */
const OBSERVED_FETCH = `
const fetch = async (address, { exchange, ...options }) => {
  try {
    const response = await globalThis.fetch(address, options)
    Object.assign(exchange ?? {}, { status: response.status, retryAfter: response.headers.get('retry-after') })
    return response
  } catch (error) {
    Object.assign(exchange ?? {}, { failure: error })
    throw error
  }
}`

/** Builds Resend's client, which reads no environment and logs nothing: `resend.js`. */
export async function buildResendClient({ bundles }: OutDirs): Promise<void> {
  await writeBundle(bundles, {
    name: 'resend',
    entry: ENTRY,
    prelude: OBSERVED_FETCH,
    options: { define: { process: 'undefined' }, plugins: [plainEmailsOnly], mainFields: ['module', 'main'] },
  })
}
