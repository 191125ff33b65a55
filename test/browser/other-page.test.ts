import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isByOtherPage } from '../../functions/_shared/http/fetch-metadata.ts'
import { hasChromium, sharedChromium, visit, withoutChromium } from './chromium.ts'

let browser: Browser
let service: string
let otherSite: string
const servers: ReturnType<typeof createServer>[] = []

/** What came to the service, by path, and whether it is taken for a request that a page of another site had sent. */
const came = new Map<string, boolean>()

async function start(respond: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(respond)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return port
}

beforeAll(async () => {
  if (!hasChromium) return
  const port = await start((incoming, outgoing) => {
    const { url = '', method, headers } = incoming
    if (method !== 'OPTIONS') {
      const given = Object.entries(headers).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as [string, string]] : [],
      )
      came.set(url, isByOtherPage(new Request(`${service}${url}`, { headers: given })))
    }
    // As the functions do: any page may ask.
    outgoing.setHeader('access-control-allow-origin', '*')
    outgoing.setHeader('access-control-allow-headers', 'content-type, authorization')
    outgoing.setHeader('content-type', 'text/html')
    outgoing.end('<!doctype html><title>The service</title>')
  })
  service = `http://127.0.0.1:${port}`
  const otherPort = await start(({ url }, outgoing) => {
    outgoing.setHeader('content-type', 'text/html')
    if (url === '/redirect') outgoing.writeHead(302, { location: `${service}/redirected` })
    outgoing.end('<!doctype html><title>Another site</title>')
  })
  otherSite = `http://localhost:${otherPort}`
  browser = await sharedChromium()
})

afterAll(async () => {
  for (const server of servers) server.close()
})

/** Opens a page, runs a script in it, and waits for what it sends to the service. */
async function sends(page: string, path: string, script: string): Promise<boolean> {
  const shown = await visit(browser)
  try {
    await shown.page.goto(page)
    await shown.page.evaluate(script.replaceAll('$', `${service}${path}`)).catch(() => {})
    await expect.poll(() => came.has(path), { timeout: 5000 }).toBe(true)
    return came.get(path) === true
  } finally {
    await shown.close()
  }
}

const JSON_POST = `fetch('$', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then(() => {})`

describe.skipIf(!hasChromium)(
  `a browser says${withoutChromium} that a page of another site has it send`,
  () => {
    test.each([
      ['an image', '/image', `new Image().src = '$'`],
      ['a text', '/text', `fetch('$', { method: 'POST', mode: 'no-cors', body: '{}' }).then(() => {})`],
      [
        'a body without a type',
        '/blob',
        `fetch('$', { method: 'POST', mode: 'no-cors', body: new Blob(['{}']) }).then(() => {})`,
      ],
      ['JSON', '/json', JSON_POST],
      ['a token', '/token', `fetch('$', { headers: { authorization: 'Bearer a.b.c' } }).then(() => {})`],
      ['a beacon', '/beacon', `navigator.sendBeacon('$', '{}')`],
      [
        'a form',
        '/form',
        `document.body.innerHTML = '<form method="post" action="$">'; document.forms[0].submit()`,
      ],
      ['a frame', '/frame', `document.body.innerHTML = '<iframe src="$">'`],
      ['a visit', '/visit', `location.href = '$'`],
      ['a style sheet', '/style', `document.head.innerHTML = '<link rel="stylesheet" href="$">'`],
      ['a request in advance', '/prefetch', `document.head.innerHTML = '<link rel="prefetch" href="$">'`],
      [
        'JSON, without where it comes from',
        '/hidden',
        `document.head.innerHTML = '<meta name="referrer" content="no-referrer">'; ${JSON_POST}`,
      ],
    ])('%s', async (_, path, script) => {
      expect(await sends(otherSite, path, script)).toBe(true)
    })

    test('an image by way of itself', async () => {
      expect(await sends(otherSite, '/redirected', `new Image().src = '/redirect'`)).toBe(true)
    })

    test('and not what a page of the service sends, or somebody who types the address', async () => {
      expect(await sends(service, '/own', JSON_POST)).toBe(false)
      expect(came.get('/')).toBe(false)
    })
  },
)
