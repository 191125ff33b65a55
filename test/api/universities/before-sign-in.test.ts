import { describe, expect, inject, test } from 'vitest'
import { call, send } from '../../../harness/client/call.ts'
import { newUniversityWith } from '../../../harness/factories/universities.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

const find = (domain: string) =>
  call(project, null, 'GET', `api/public/universities?domain=${encodeURIComponent(domain)}`)

describe('before somebody signs in, the university of a domain', () => {
  test('is found with its name, branding, languages and crisis resources, and nothing else', async () => {
    const { id } = await newUniversityWith(project, {
      ...{ name: 'University of Invention', short_name: 'Invention', country: 'GB' },
      ...{ languages: ['en-GB', 'cy'], time_zone: 'Europe/London', primary_color: '#112233' },
      ...{ logo_url: 'https://invented.example.edu/logo.png', support_email: 'office@invented.example.edu' },
      ...{ crisis_phone: '+1-202-555-0130', privacy_settings: { contact_office: 'privacy@example.edu' } },
      resources: [{ name: 'Wellbeing Office', website: 'https://invented.example.edu/help' }],
    })
    const { status, headers, body } = await find(`${id}.example.edu`)
    expect(status).toBe(200)
    expect(body).toEqual({
      universities: [
        {
          id,
          name: 'University of Invention',
          short_name: 'Invention',
          branding: {
            logo_url: 'https://invented.example.edu/logo.png',
            primary_color: '#112233',
            secondary_color: '#f2a900',
          },
          languages: ['en-GB', 'cy'],
          crisis_resources: [
            { name: 'Invention crisis line', phone: '+1-202-555-0130', website: null },
            { name: 'Wellbeing Office', phone: null, website: 'https://invented.example.edu/help' },
            { name: 'Emergency services', phone: '999', website: null },
            { name: 'Find a helpline in your country', phone: null, website: 'https://findahelpline.com' },
          ],
        },
      ],
    })
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect([...headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([])
  })

  test('is that of a domain above, in any case, and none that is archived or unknown', async () => {
    const { id } = await newUniversityWith(project, { languages: ['en'] })
    const idsOf = async (domain: string) => JSON.stringify((await find(domain)).body)
    expect(await idsOf(`Students.${id.toUpperCase()}.example.edu`)).toContain(`"id":"${id}"`)
    expect(await idsOf(`not-${id}.example.edu`)).toBe('{"universities":[]}')
    await withDatabase(
      project,
      (sql) => sql`update public.universities set archived_at = now() where id = ${id}`,
    )
    expect(await idsOf(`${id}.example.edu`)).toBe('{"universities":[]}')
  })

  test('is not sent again to who has it, nor that there is none', async () => {
    for (const domain of ['northfield.example.edu', 'nowhere.example.com']) {
      const address = `${project.apiUrl}/functions/v1/api/public/universities?domain=${domain}`
      const first = await fetch(address, { headers: { apikey: project.publishableKey } })
      const etag = first.headers.get('etag') ?? ''
      expect([first.status, etag.length]).toEqual([200, 66])
      const again = await fetch(address, {
        headers: { apikey: project.publishableKey, 'if-none-match': `"other", W/${etag}` },
      })
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
      expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'))
    }
  })

  test.each([
    '',
    'example',
    '@example.edu',
    'a@example.edu',
    '.example.edu',
    'example..edu',
    '%',
    'exa mple.edu',
    `${'a'.repeat(64)}.edu`,
    `${'a.'.repeat(130)}edu`,
  ])('is asked for by a domain, and not by "%s"', async (domain) => {
    const { status, headers, body } = await find(domain)
    expect([status, body.code, headers.get('cache-control')]).toEqual([400, 'invalid_parameters', 'no-store'])
  })

  test('is refused to an address that asks too often', async () => {
    await withDatabase(project, async (sql) => {
      await find('nowhere.example.com')
      await sql`
        update private.rate_limit_uses u set used_at = array_fill(now(), array[r.requests])
        from private.rate_limit_rules r where r.scope = u.scope and u.scope = 'universities'`
      const answer = await send(project, null, 'GET', 'api/public/universities?domain=nowhere.example.com')
      await sql`delete from private.rate_limit_uses where scope = 'universities'`
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([429, 'no-store'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    })
  })
})
