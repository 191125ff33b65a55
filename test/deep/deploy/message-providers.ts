import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the doctor asks Resend and Twilio, for a test to change. */
export type MessageProviders = {
  url: string
  domain: { name: string; status: string }
  number: { phone_number: string; sms_url: string }
  close(): void
}

/** Answers for both providers on this machine: Resend's `GET /domains`, Twilio's list of numbers. */
export async function startMessageProviders(webhook: string): Promise<MessageProviders> {
  const domain = { name: 'example.edu', status: 'verified' }
  const number = { phone_number: '+12025550100', sms_url: webhook }
  const server = createServer((request, response) => {
    const body = request.url?.startsWith('/domains')
      ? { data: [domain] }
      : { incoming_phone_numbers: [number] }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, domain, number, close: () => server.close() }
}
