import { createClient } from '@supabase/supabase-js'
import { expect, inject, test, vi } from 'vitest'
import { type CircleEvent, createWellbeingClient } from '../../../client/src/index.ts'
import { linkTo, mailsTo, pressButton } from '../../../harness/factories/mails.ts'
import { nameContact, newAddress, newStudentWithCircle } from '../../../harness/factories/support-contacts.ts'
import { localOnly } from '../../../harness/stack/project.ts'

const project = inject('project')

test(
  'the circle tells what a contact decided, to every listener, and no more to one that has left',
  localOnly('reads the inbox'),
  async () => {
    const student = await newStudentWithCircle(project)
    const { buddies } = createWellbeingClient(student.client)
    const one: CircleEvent[] = []
    const other: CircleEvent[] = []
    const left: CircleEvent[] = []
    buddies.subscribe((event) => one.push(event))
    buddies.subscribe((event) => other.push(event))
    buddies.subscribe((event) => left.push(event))()
    await vi.waitFor(() => expect(one).toEqual([{ type: 'joined' }]), 20_000)
    const email = newAddress()
    const contact = await nameContact(student, { email })
    await buddies.askToAgree(contact)
    await vi.waitFor(async () => expect(await mailsTo(email)).toHaveLength(1), 20_000)
    const declined = await pressButton(await linkTo(email), { decision: 'decline', why: 'not_now' })
    expect(declined).toMatchObject({ status: 200 })
    await vi.waitFor(() => expect(one).toHaveLength(2), 20_000)
    expect(one[1]).toMatchObject({ type: 'contact', data: { contact_id: contact, verified: false } })
    expect(other).toEqual(one)
    expect(left).toEqual([])
    await buddies.close()
    expect(student.client.getChannels()).toEqual([])
  },
)

test('a channel that was closed is joined again, which is told, as what was missed can be read then', async () => {
  const { client } = await newStudentWithCircle(project)
  const { buddies } = createWellbeingClient(client)
  let joined = 0
  const leave = buddies.subscribe(() => {
    joined++
  })
  await vi.waitFor(() => expect(joined).toBe(1), 20_000)
  await client.removeAllChannels()
  await vi.waitFor(() => expect(joined).toBe(2), 20_000)
  leave()
  // Somebody who comes back at once, as a screen that is shown again.
  buddies.subscribe(() => {
    joined++
  })
  await vi.waitFor(() => expect(joined).toBe(3), 20_000)
  await buddies.close()
})

test('another person’s session is refused, and not asked for again', async () => {
  const owner = await newStudentWithCircle(project)
  const { id } = await createWellbeingClient(owner.client).session()
  const stranger = await newStudentWithCircle(project)
  const error = await createWellbeingClient(stranger.client)
    .session({ id })
    .catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'session_not_found' })
})

test('without a WebSocket nothing is told, and nothing fails', async () => {
  const { client } = await newStudentWithCircle(project)
  const { data } = await client.auth.getSession()
  class NoWebSocket {
    constructor() {
      throw new Error('This platform has no WebSocket.')
    }
  }
  const supabase = createClient(project.apiUrl, project.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    // biome-ignore lint/suspicious/noExplicitAny: what throws makes no socket, whatever its type says.
    realtime: { transport: NoWebSocket as any },
  })
  if (data.session) await supabase.auth.setSession(data.session)
  const { buddies } = createWellbeingClient(supabase)
  const heard: CircleEvent[] = []
  buddies.subscribe((event) => heard.push(event))
  expect(await buddies.list()).toEqual([])
  await buddies.close()
  expect(heard).toEqual([])
})
