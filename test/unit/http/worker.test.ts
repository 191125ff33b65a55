import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../../functions/_shared/database.ts'
import { serve } from '../../../functions/_shared/http/serve.ts'
import { worker } from '../../../functions/_shared/http/worker.ts'
import { dispatchToObjectRemover } from '../../../functions/remove-objects/routes.ts'
import { startedFunctions } from '../../../scripts/doctor/functions.ts'
import { openStage } from '../../../scripts/stage/stage.ts'

/** A function that only the database calls, at an address, and the kinds of events that it has recorded. */
async function serveWebhook() {
  const recorded: unknown[] = []
  const record = async (_: TemplateStringsArray, ...values: unknown[]) => {
    recorded.push(values[0])
    return []
  }
  // Only called as a template, which is all that is needed of it.
  const database = record as unknown as Database
  const environment = { pipelineSecret: 's'.repeat(32), previousPipelineSecret: undefined }
  const remove = worker(dispatchToObjectRemover, () => ({ accepted: {}, work: Promise.resolve() }))
  const webhook = serve('remove-objects', { environment, database }, [remove])
  const server = createServer(async (incoming, outgoing) => {
    const headers = { 'cf-connecting-ip': '203.0.113.7' }
    const request = new Request(`http://127.0.0.1${incoming.url}`, { method: incoming.method ?? '', headers })
    const response = await webhook(request)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(await response.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, recorded }
}

test('a call without the secret is recorded as an attempt to guess it', async () => {
  const { address, recorded } = await serveWebhook()
  expect((await fetch(`${address}/remove-objects`, { method: 'POST' })).status).toBe(401)
  expect(recorded).toEqual(['worker_secret_refused'])
})

test('its one address takes a slash at the end, no other method, and has nothing below it', async () => {
  const { address, recorded } = await serveWebhook()
  expect((await fetch(`${address}/remove-objects/`, { method: 'POST' })).status).toBe(401)
  expect(recorded).toHaveLength(1)
  const other = await fetch(`${address}/remove-objects`, { method: 'PUT' })
  expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST'])
  expect((await fetch(`${address}/remove-objects/more`, { method: 'POST' })).status).toBe(404)
  expect(recorded).toHaveLength(1)
})

test('the doctor sees that it starts, and is not taken for who guesses', async () => {
  const { address: functionsUrl, recorded } = await serveWebhook()
  const stage = await openStage({
    name: 'abcdefghijklmnopqrst',
    env: { SUPABASE_ACCESS_TOKEN: 'sbp_invented' },
  })
  const functions = stage.release.functions.filter(({ slug }) => slug === 'remove-objects')
  expect(functions).toHaveLength(1)
  const seen = { ...stage, functionsUrl, release: { ...stage.release, functions } }
  expect(await startedFunctions.read(seen)).toEqual([])
  expect(recorded).toEqual([])
})
