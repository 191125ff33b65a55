import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the doctor asks Resend and Twilio, for a test to change. */
export type MessageProviders = {
  url: string
  domain: { name: string; status: string }
  number: { phone_number: string; sms_url: string }
  /** Whether Resend is asked with a key that may only send. */
  mayOnlySend: boolean
  close(): void
}

/** Answers for both providers on this machine: Resend's `GET /domains`, Twilio's list of numbers. */
export async function startMessageProviders(webhook: string): Promise<MessageProviders> {
  const domain = { name: 'example.edu', status: 'verified' }
  const number = { phone_number: '+12025550100', sms_url: webhook }
  const server = createServer((request, response) => {
    const asksResend = request.url?.startsWith('/domains')
    const isRefused = asksResend && providers.mayOnlySend
    const body = isRefused
      ? {
          statusCode: 401,
          name: 'restricted_api_key',
          message: 'This API key is restricted to only send emails',
        }
      : asksResend
        ? { data: [domain] }
        : { incoming_phone_numbers: [number] }
    response.writeHead(isRefused ? 401 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const providers = { url, domain, number, mayOnlySend: false, close: () => void server.close() }
  return providers
}
