import { createClient } from '@supabase/supabase-js'
import { describe, expect, inject, test } from 'vitest'
import { authLinkTo, takeLink } from '../../../harness/factories/mails.ts'
import { localOnly } from '../../../harness/stack/project.ts'
import type { Database } from '../../../types/database.ts'

const project = inject('project')

describe('sign-up', () => {
  test(
    'sends a mail whose link confirms the account, which has a profile at its university',
    localOnly('reads the inbox'),
    async () => {
      const email = `newcomer-${crypto.randomUUID()}@northfield.example.edu`
      const password = 'invented-password-1'
      const client = createClient<Database>(project.apiUrl, project.publishableKey, {
        auth: { persistSession: false },
      })
      const signedUp = await client.auth.signUp({
        email,
        password,
        options: { data: { first_name: 'New', last_name: 'Comer', university_id: 'eastbrook' } },
      })
      expect(signedUp.error).toBeNull()
      expect(signedUp.data.session).toBeNull()
      const early = await client.auth.signInWithPassword({ email, password })
      expect(early.error?.code).toBe('email_not_confirmed')

      expect(await takeLink(project, await authLinkTo(email))).toMatchObject({ error: null })

      const signedIn = await client.auth.signInWithPassword({ email, password })
      expect(signedIn.error).toBeNull()
      const profile = await client.from('profiles').select('first_name, last_name, university_id').single()
      // The university that the app named is not believed; the mail domain is.
      expect(profile.data).toEqual({ first_name: 'New', last_name: 'Comer', university_id: 'northfield' })
      const university = await client.from('universities').select('short_name').single()
      expect(university.data).toEqual({ short_name: 'Northfield' })
    },
  )

  test('refuses a password that is short or has no digits, with the reason', async () => {
    const client = createClient<Database>(project.apiUrl, project.publishableKey, {
      auth: { persistSession: false },
    })
    for (const password of ['short1', 'onlyletterswithoutdigits']) {
      const { error } = await client.auth.signUp({
        email: `weak-${crypto.randomUUID()}@example.edu`,
        password,
      })
      expect(error?.code).toBe('weak_password')
    }
  })
})
