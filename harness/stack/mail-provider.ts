import { setTimeout } from 'node:timers/promises'
import { type Behaviour, type ProviderServer, startProvider } from './provider.ts'

/** One mail that arrived at the provider. */
export type Arrival = { subject: string; atMs: number }

/** A stand-in of Resend that notes what arrives, and in which order. */
export type MailProvider = {
  /** What makes the functions send with it. */
  env: Record<string, string>
  arrivals: Arrival[]
  /** Does something else with mails from now on. */
  answer(behave: (subject: string) => Behaviour | Promise<Behaviour>): void
  stop: ProviderServer['stop']
}

/** Accepts a mail after so many milliseconds. */
export async function acceptAfter(ms: number): Promise<Behaviour> {
  await setTimeout(ms)
  return { status: 200, body: { id: crypto.randomUUID() } }
}

export async function startMailProvider(): Promise<MailProvider> {
  const arrivals: Arrival[] = []
  let answer: Parameters<MailProvider['answer']>[0] = () => acceptAfter(0)
  const server = await startProvider(({ body }) => {
    const subject = String(JSON.parse(body).subject)
    arrivals.push({ subject, atMs: performance.now() })
    return answer(subject)
  })
  return {
    env: {
      RESEND_API_KEY: 're_invented',
      RESEND_BASE_URL: server.url,
      EMAIL_FROM: 'Student Wellbeing <wellbeing@example.edu>',
    },
    arrivals,
    answer(behave) {
      answer = behave
    },
    stop: server.stop,
  }
}
