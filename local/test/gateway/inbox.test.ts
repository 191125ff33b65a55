import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Inbox } from '../../src/inbox/inbox.ts'
import { type InboxServer, startInbox } from '../../src/inbox/server.ts'

let dir: string
let inbox: Inbox
let server: InboxServer
let url: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'inbox-test-'))
  inbox = await Inbox.open()
  server = await startInbox({ port: 0, inbox })
  url = `http://127.0.0.1:${server.port}`
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

const post = (message: unknown) =>
  fetch(`${url}/api/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
  })

describe('the inbox', () => {
  it('takes texts and emails and gives them back by recipient, newest first', async () => {
    for (const text of ['one', 'two']) {
      expect((await post({ channel: 'sms', to: '+15550100', from: '+15550199', text })).status).toBe(201)
    }
    await post({ channel: 'email', to: 'sam@example.edu', subject: 'Hello', text: 'Hi', html: '<p>Hi</p>' })
    const { messages } = await (
      await fetch(`${url}/api/messages?to=${encodeURIComponent('+15550100')}`)
    ).json()
    expect(messages).toMatchObject([{ text: 'two' }, { text: 'one', channel: 'sms', from: '+15550199' }])
    expect((await (await fetch(`${url}/api/messages?to=SAM@example.edu`)).json()).messages).toHaveLength(1)
  })

  it('rejects what is no message', async () => {
    expect((await post({ channel: 'pigeon', to: 'x' })).status).toBe(400)
    expect((await post('text')).status).toBe(400)
  })

  it('shows a message: its HTML apart and without scripts, its links to follow, its text escaped', async () => {
    const { id } = await inbox.add({
      channel: 'email',
      to: 'kim@example.edu',
      subject: '<b>Subject</b>',
      text: 'Go to https://example.edu/x?a=1&b=2 <script>alert(1)</script>',
      html: '<a href="https://example.edu">link</a><script>alert(1)</script>',
    })
    const page = await (await fetch(`${url}/messages/${id}`)).text()
    expect(page).toContain('&lt;b&gt;Subject&lt;/b&gt;')
    expect(page).toContain('<a href="https://example.edu/x?a=1&amp;b=2">')
    expect(page).not.toContain('<script>alert')
    expect(page).toMatch(/<iframe title="[^"]+" src="[^"]+" sandbox="allow-popups/)
    const html = await fetch(`${url}/messages/${id}/html`)
    expect(html.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await html.text()).toContain('<a href="https://example.edu">link</a>')
    expect(await (await fetch(url)).text()).toContain('kim@example.edu')
  })

  it('keeps messages between starts, also after a write that was cut short', async () => {
    const path = join(dir, 'kept', 'inbox.jsonl')
    const first = await Inbox.open(path)
    await first.add({ channel: 'sms', to: '+15550111', text: 'kept' })
    await appendFile(path, '{"channel":"sms","to":"+1555')
    const second = await Inbox.open(path)
    expect(second.list()).toMatchObject([{ text: 'kept' }])
    await second.add({ channel: 'sms', to: '+15550111', text: 'after' })
    expect((await Inbox.open(path)).list().map(({ text }) => text)).toEqual(['after', 'kept'])
    await second.clear()
    expect((await Inbox.open(path)).list()).toEqual([])
  })

  it('is emptied on request', async () => {
    const own = await Inbox.open()
    const other = await startInbox({ port: 0, inbox: own })
    await own.add({ channel: 'sms', to: '+15550122', text: 'x' })
    const response = await fetch(`http://127.0.0.1:${other.port}/api/messages`, { method: 'DELETE' })
    expect(response.status).toBe(204)
    expect(own.list()).toEqual([])
    await other.stop()
  })
})
