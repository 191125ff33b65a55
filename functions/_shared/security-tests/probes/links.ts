import {
  type Answer,
  ask,
  jsonOf,
  type Probe,
  Report,
  requireControl,
  served,
  type Target,
} from '../target.ts'

/** How long a signed address is valid, and how long the probe waits for its end. */
const SIGNED_S = 1
const WAIT_MS = 2_500

/** Links that were used, have expired, or were made up; and addresses of files that were signed for a moment. */
export const replayedLinks: Probe = async (target) => {
  const report = new Report(target)
  await replayLink(target, report)
  await outlastSignedAddress(target, report)
  return report
}

async function replayLink(target: Target, report: Report): Promise<void> {
  const { links, database } = target
  const page = (token: string) => `/functions/v1/buddy/checkin/${token}`
  const send = (token: string, response: string): Promise<Answer> =>
    ask(target, 'POST', page(token), {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `response=${response}`,
    })
  const stored = async (token: string) => {
    const [row] = await database<{ response_type: string | null }[]>`
      select r.response_type
      from private.buddy_links l
      join public.buddy_check_in_requests r on r.id = l.request_id
      where l.token_hash = private.link_token_hash(${token})`
    return row?.response_type ?? null
  }
  // An earlier attempt may have used it up, which is what this one needs.
  await send(links.open, 'called')
  requireControl((await stored(links.open)) === 'called', 'link_unusable')
  const replayed = await send(links.open, 'unavailable')
  report.attack(
    (await stored(links.open)) !== 'called',
    { fault: 'buddy-link:replayed', severity: 'high', title: 'A link that allows one answer takes another' },
    replayed,
  )
  const late = await send(links.expired, 'called')
  report.attack(
    (await stored(links.expired)) !== null || served(late),
    { fault: 'buddy-link:expired', severity: 'high', title: 'A link that has expired is still taken' },
    late,
  )
  const near = links.open.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  const guessed = await ask(target, 'GET', page(near))
  report.attack(
    served(guessed),
    { fault: 'buddy-link:guessed', severity: 'critical', title: 'A link that nobody was sent opens a page' },
    guessed,
  )
  for (const path of ['/api/buddy/verify?action=accept&token=', '/api/privacy/download?token=']) {
    const answer = await ask(target, 'GET', `/functions/v1${path}${near}`)
    report.attack(
      served(answer),
      {
        fault: `guessed:${path.replace(/^\/api\/|\?.*/g, '')}`,
        severity: 'critical',
        title: `A link that nobody was sent is taken: ${path.replace(/\?.*/, '')}`,
      },
      answer,
    )
  }
}

async function outlastSignedAddress(target: Target, report: Report): Promise<void> {
  const { victim, supabase } = target
  const name = `${victim.id}/${victim.id}/signed`
  const bucket = supabase.storage.from('check-in-images')
  const uploaded = await bucket.upload(name, new Blob(['probe'], { type: 'image/png' }), {
    contentType: 'image/png',
    upsert: true,
  })
  requireControl(uploaded.error === null, 'file_not_uploaded')
  const signed = await bucket.createSignedUrl(name, SIGNED_S)
  requireControl(signed.data !== null, 'address_not_signed')
  const { pathname, search, searchParams } = new URL(signed.data?.signedUrl ?? target.supabaseUrl)
  const tampered = `${pathname}?token=${tamperedWith(searchParams.get('token') ?? '')}`
  const changed = await ask(target, 'GET', tampered)
  report.attack(
    served(changed),
    {
      fault: 'signed-address:changed',
      severity: 'critical',
      title: 'The signature of a file’s address is not verified',
    },
    { status: changed.status },
  )
  await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  const late = await ask(target, 'GET', pathname + search)
  report.attack(
    served(late),
    {
      fault: 'signed-address:expired',
      severity: 'high',
      title: 'The signed address of a file outlasts its time',
    },
    { status: late.status },
  )
}

/** The token with an expiry far ahead, and the signature that it had. */
function tamperedWith(token: string): string {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const decoded = jsonOf({ text: atob(claims.replaceAll('-', '+').replaceAll('_', '/')) })
  const later = { ...(typeof decoded === 'object' ? decoded : {}), exp: 4_000_000_000 }
  return `${header}.${btoa(JSON.stringify(later)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.${signature}`
}
