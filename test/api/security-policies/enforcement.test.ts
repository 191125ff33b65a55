import { createClient } from '@supabase/supabase-js'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { signInCall } from '../../../harness/factories/accounts.ts'
import {
  newAgent,
  newPersonAt,
  newUniversity,
  ofAgent,
  ofUniversity,
  triggersOf,
  whilePolicy,
} from '../../../harness/factories/security-policies.ts'
import { subscribed } from '../../../harness/factories/session-channel.ts'
import { newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'
import type { Database } from '../../../types/database.ts'

const project = inject('project')

let student: Student
beforeAll(async () => {
  student = await newStudent(project, [])
})

/** Calls a function with a user agent of its own. */
async function asAgent(agent: string, token: string | null, path = 'api/database/health') {
  const response = await fetch(`${project.apiUrl}/functions/v1/${path}`, {
    headers: {
      apikey: project.publishableKey,
      'user-agent': agent,
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** A person's client that sends a user agent of its own. */
function clientOf(agent: string, token: string) {
  return createClient<Database>(project.apiUrl, project.publishableKey, {
    auth: { persistSession: false },
    accessToken: async () => token,
    global: { headers: { 'user-agent': agent } },
  })
}

const blocked = [{ action: 'block_access' }]

describe('block_access', () => {
  test('refuses requests to functions, with help, and nobody else’s', async () => {
    const agent = newAgent()
    expect((await asAgent(agent, student.token)).status).toBe(200)
    await whilePolicy(project, { conditions: ofAgent(agent), actions: blocked }, async () => {
      const { status, body } = await asAgent(agent, student.token)
      expect([status, body.code]).toEqual([403, 'access_blocked'])
      expect(body.details.crisis_resources).toContainEqual({
        name: 'Emergency services',
        phone: '911',
        website: null,
      })
      expect((await asAgent(newAgent(), student.token)).status).toBe(200)
      const open = await asAgent(agent, null, 'api/openapi.json')
      expect([open.status, open.body.code]).toEqual([403, 'access_blocked'])
    })
    expect((await asAgent(agent, student.token)).status).toBe(200)
  })

  test('refuses reads and writes over REST', async () => {
    const agent = newAgent()
    const client = clientOf(agent, student.token)
    await whilePolicy(project, { conditions: ofAgent(agent), actions: blocked }, async () => {
      const read = await client.from('profiles').select('user_id')
      expect([read.status, read.error?.hint]).toEqual([403, 'access_blocked'])
      expect(read.error?.message).toContain('call the emergency services')
      const write = await client.from('profiles').update({ first_name: 'Blocked' }).eq('user_id', student.id)
      expect([write.status, write.error?.hint]).toEqual([403, 'access_blocked'])
    })
    const { data, status } = await client.from('profiles').select('first_name')
    expect([status, data]).toEqual([200, [{ first_name: '' }]])
  })

  test('refuses downloads and uploads of Storage, and channels of Realtime', async () => {
    const university = await newUniversity(project)
    const person = await newPersonAt(project, university)
    const path = `${university}/students/${person.id}/note.txt`
    const files = () => person.client.storage.from('university-files')
    const upload = (name: string) => files().upload(name, 'text', { contentType: 'text/plain' })
    const join = async () => {
      const channel = person.client.channel(`account:${person.id}`, { config: { private: true } })
      const joined = await subscribed(channel).then(
        () => 'joined',
        () => 'refused',
      )
      await person.client.removeChannel(channel)
      return joined
    }
    expect((await upload(path)).error).toBeNull()
    expect(await join()).toBe('joined')
    await whilePolicy(project, { conditions: ofUniversity(university), actions: blocked }, async () => {
      expect((await files().download(path)).error).not.toBeNull()
      expect((await upload(`${path}2`)).error?.message).toContain('row-level security')
      expect(await join()).toBe('refused')
    })
    expect((await files().download(path)).error).toBeNull()
    expect((await upload(`${path}2`)).error).toBeNull()
    expect(await join()).toBe('joined')
  })

  test('refuses to sign in and to refresh, here and straight at Auth', async () => {
    const university = await newUniversity(project)
    const person = await newPersonAt(project, university)
    const credentials = { email: person.email, password: 'invented-password-1' }
    const before = await signInCall(project, 'signin', credentials)
    expect(before.status).toBe(200)
    const { refresh_token } = Object(before.body.tokens)
    const policy = {
      conditions: ofUniversity(university),
      actions: blocked,
      enforcement_points: ['sign_in'] as const,
    }
    await whilePolicy(project, policy, async () => {
      const ours = await signInCall(project, 'signin', credentials)
      expect([ours.status, ours.body.code]).toEqual([403, 'access_blocked'])
      const refreshed = await signInCall(project, 'refresh', { refresh_token })
      expect([refreshed.status, refreshed.body.code]).toEqual([403, 'access_blocked'])
      const direct = await createClient(project.apiUrl, project.publishableKey, {
        auth: { persistSession: false },
      }).auth.signInWithPassword(credentials)
      expect([direct.error?.status, direct.error?.message]).toEqual([
        403,
        'A security policy refuses this sign-in.',
      ])
      // What is signed in already goes on: the policy is for sign-ins alone.
      expect((await asAgent(newAgent(), person.token)).status).toBe(200)
    })
    expect((await signInCall(project, 'refresh', { refresh_token })).status).toBe(200)
  })
})

describe('several policies', () => {
  test('the first that blocks decides, and those that only log act all the same', async () => {
    const agent = newAgent()
    const conditions = ofAgent(agent)
    await whilePolicy(project, { conditions, actions: [{ action: 'log_events' }], priority: 900 }, (last) =>
      whilePolicy(project, { conditions, actions: blocked, priority: 20 }, (second) =>
        whilePolicy(
          project,
          { conditions, actions: [{ action: 'require_mfa' }], priority: 10 },
          async (first) => {
            expect((await asAgent(agent, student.token)).body.code).toBe('mfa_required')
            // Nobody signed in can give a code, so that the next one decides.
            expect((await asAgent(agent, null, 'api/openapi.json')).body.code).toBe('access_blocked')
            for (const id of [first, second, last]) expect(await triggersOf(project, id)).toBe(2)
          },
        ),
      ),
    )
  })

  test('a dry run counts, and lets everything pass', async () => {
    const agent = newAgent()
    const policy = {
      conditions: ofAgent(agent),
      actions: [...blocked, { action: 'disable_users' }],
      dry_run: true,
    }
    await whilePolicy(project, policy, async (id) => {
      expect((await asAgent(agent, student.token)).status).toBe(200)
      expect((await asAgent(agent, student.token)).status).toBe(200)
      expect(await triggersOf(project, id)).toBe(2)
    })
    const { data, error } = await student.client.auth.getUser()
    expect([error, data.user?.id]).toEqual([null, student.id])
  })

  test('what was counted is added to the policy each minute, and to its day', async () => {
    const agent = newAgent()
    await whilePolicy(
      project,
      { conditions: ofAgent(agent), actions: [{ action: 'log_events' }] },
      async (id) => {
        await Promise.all(Array.from({ length: 10 }, () => asAgent(agent, student.token)))
        const row = await withDatabase(project, async (sql) => {
          await sql`select private.roll_up_policy_triggers()`
          const [found] = await sql`
          select p.trigger_count, p.last_triggered > now() - interval '5 minutes' as recent, d.triggered::integer as of_day, p.updated_at = p.created_at as unchanged
          from public.security_policies p join private.policy_days d on d.policy_id = p.id
          where p.id = ${id}`
          return found
        })
        expect(row).toEqual({ trigger_count: 10, recent: true, of_day: 10, unchanged: true })
      },
    )
  })
})

describe('apply_rate_limits', () => {
  const limited = [{ action: 'apply_rate_limits', requests: 2, period: 3600 }]

  test('limits each person’s requests to functions, and says how long to wait', async () => {
    const agent = newAgent()
    const other = await newStudent(project, [])
    await whilePolicy(project, { conditions: ofAgent(agent), actions: limited }, async () => {
      expect((await asAgent(agent, student.token)).status).toBe(200)
      expect((await asAgent(agent, student.token)).status).toBe(200)
      const { status, body, headers } = await asAgent(agent, student.token)
      expect([status, body.code]).toEqual([429, 'rate_limited'])
      expect(headers.get('ratelimit-policy')).toBe('2;w=3600')
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(3500)
      expect((await asAgent(agent, other.token)).status).toBe(200)
    })
  })

  test('limits writes over REST, and reads not', async () => {
    const agent = newAgent()
    const client = clientOf(agent, student.token)
    const write = () => client.from('profiles').update({ first_name: '' }).eq('user_id', student.id)
    await whilePolicy(project, { conditions: ofAgent(agent), actions: limited }, async () => {
      expect((await write()).status).toBe(204)
      expect((await write()).status).toBe(204)
      const refused = await write()
      expect([refused.status, refused.error?.code]).toEqual([429, 'PT429'])
      expect(Number(refused.error?.details)).toBeGreaterThan(3500)
      expect((await client.from('profiles').select('user_id')).status).toBe(200)
    })
  })
})

describe('what a policy does besides', () => {
  test('logs, alerts the security administrators once, and writes to the audit log', async () => {
    await newStaff(project, 'security_admin')
    const agent = newAgent()
    const person = await newStudent(project, [])
    const actions = ['log_events', 'send_alerts', 'create_audit_trails'].map((action) => ({ action }))
    await whilePolicy(project, { conditions: ofAgent(agent), actions }, async (id) => {
      for (let made = 0; made < 5; made++) expect((await asAgent(agent, person.token)).status).toBe(200)
      const found = await withDatabase(project, async (sql) => ({
        events: await sql`
          select sum(occurrences)::integer as times from private.security_events
          where kind = 'policy_triggered' and account = ${person.id} and details ? ${id}`,
        alerts: await sql`
          select count(distinct body)::integer as bodies from private.outbox
          where purpose = 'security_alert' and body like ${`%${id}%`} and body like ${`%${person.id}%`}`,
        audit: await sql`
          select count(*)::integer as entries from private.audit_log
          where action = 'policy_triggered' and target_id = ${id} and actor_id = ${person.id}`,
      }))
      expect(found.events[0]?.times).toBe(5)
      expect(found.alerts[0]?.bodies).toBe(1)
      // One a minute at most.
      expect(found.audit[0]?.entries).toBeGreaterThanOrEqual(1)
      expect(found.audit[0]?.entries).toBeLessThan(5)
    })
  })

  test('disables the account, whose sessions end', async () => {
    const agent = newAgent()
    const person = await newStudent(project, [])
    await whilePolicy(
      project,
      { conditions: ofAgent(agent), actions: [{ action: 'disable_users' }] },
      async () => {
        await asAgent(agent, person.token)
        expect((await asAgent(newAgent(), person.token)).status).toBe(401)
        const read = await person.client.from('profiles').select('user_id')
        expect(read.data ?? []).toEqual([])
      },
    )
  })

  test('of a write over REST as well, and of a read nothing, whose transaction cannot write', async () => {
    const agent = newAgent()
    const client = clientOf(agent, student.token)
    await whilePolicy(
      project,
      { conditions: ofAgent(agent), actions: [{ action: 'log_events' }] },
      async (id) => {
        expect((await client.from('profiles').select('user_id')).status).toBe(200)
        expect(await triggersOf(project, id)).toBe(0)
        expect(
          (await client.from('profiles').update({ first_name: '' }).eq('user_id', student.id)).status,
        ).toBe(204)
        expect(await triggersOf(project, id)).toBe(1)
      },
    )
  })

  test('of a request that a function serves, once, however many the function makes of it', async () => {
    const agent = newAgent()
    await whilePolicy(
      project,
      { conditions: ofAgent(agent), actions: [{ action: 'log_events' }] },
      async (id) => {
        expect((await asAgent(agent, student.token, 'api/universities')).status).toBe(200)
        expect(await triggersOf(project, id)).toBe(1)
      },
    )
  })
})
