import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import type { Database } from '../types/database.ts'
import { signInStudent } from './account.ts'
import { letPass } from './clock.ts'
import { Contact, messagesTo, unusedPhone } from './contact.ts'
import { call, checkIn, grantConsents, subscribed } from './mobile-client.ts'
import type { Narrator } from './narrator.ts'
import type { RunningStack } from './stack.ts'

const TRANSCRIPT = readFileSync(
  join(import.meta.dirname, '..', 'corpora', 'speech', 'struggling.txt'),
  'utf8',
)

/** What the student's channel says of an alert. */
type AlertNotice = { status: string; asked: { name: string }[] }

type World = {
  stack: RunningStack
  narrator: Narrator
  /** What the service's operator sees, and cron does. */
  sql: postgres.Sql
  /** The student's app. */
  app: SupabaseClient<Database>
  student: { id: string; email: string }
  /** What the app heard of alerts, oldest first. */
  heard: AlertNotice[]
}

type Circle = Record<'ottoline' | 'marigold' | 'percival' | 'clementine' | 'barnaby', Contact>

/** Plays the support circle through, from naming five people to "I'm all right". @throws Error when a step did not happen */
export async function playSupportCircle(stack: RunningStack, narrator: Narrator): Promise<void> {
  const email = `quentin-${crypto.randomUUID().slice(0, 8)}@northfield.example.edu`
  const app = await signInStudent(stack, {
    ...{ email, password: 'demonstration-1', firstName: 'Quentin', lastName: 'Example' },
  })
  const { data } = await app.auth.getUser()
  if (!data.user) throw new Error('The student is not signed in')
  const sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
  const world: World = { stack, narrator, sql, app, student: { id: data.user.id, email }, heard: [] }
  try {
    await listen(world)
    const circle = await nameContacts(world)
    await askWhetherTheyAgree(world, circle)
    await decide(world, circle)
    await confirmNumbers(world, circle)
    await requestCheckIn(world, circle)
    await checkInOnThreeHardDays(world)
    await alertFirstTwo(world, circle)
    await askNextTwo(world, circle)
    await answer(world, circle)
    await stop(world, circle)
    await sayAllRight(world, circle)
  } finally {
    await app.removeAllChannels()
    await sql.end()
  }
}

async function listen({ app, student, heard }: World): Promise<void> {
  await app.realtime.setAuth()
  const channel = app.channel(`support:${student.id}`, { config: { private: true } })
  channel.on('broadcast', { event: 'support_alert' }, ({ payload }) => heard.push(payload as AlertNotice))
  await subscribed(channel)
}

async function nameContacts({ stack, narrator, app }: World): Promise<Circle> {
  narrator.step('Quentin agrees to the support circle and names five people')
  await grantConsents(app, ['text', 'support_circle'])
  const named = async (name: string) => {
    const phone = await unusedPhone(stack.inboxUrl)
    const email = `${name.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@example.com`
    const { data, error } = await app
      .from('buddy_contacts')
      .insert({ name, phone, email })
      .select('id, priority_rank')
      .single()
    if (error) throw error
    narrator.say(`${data.priority_rank}  ${name.padEnd(12)}${phone}  ${email}`)
    return new Contact({ id: data.id, name, phone, email }, stack.inboxUrl, narrator)
  }
  return {
    ottoline: await named('Ottoline'),
    marigold: await named('Marigold'),
    percival: await named('Percival'),
    clementine: await named('Clementine'),
    barnaby: await named('Barnaby'),
  }
}

async function askWhetherTheyAgree({ narrator, app, student }: World, circle: Circle): Promise<void> {
  narrator.step('Each is asked by email')
  for (const { id } of Object.values(circle)) {
    await call(app, 'api/buddy/send-verification', { buddyContactId: id, userId: student.id })
  }
  narrator.quote(await circle.ottoline.readMail())
  for (const contact of Object.values(circle)) {
    await contact.readMail()
    await contact.scan()
  }
  narrator.expect('Contacts who agreed', await agreed(app), 0)
  narrator.say('Their mail services open every link first: nobody has agreed by that.')
}

async function decide({ narrator, app }: World, circle: Circle): Promise<void> {
  narrator.step('Four agree, one declines')
  const { ottoline, marigold, percival, clementine, barnaby } = circle
  const slip = await clementine.submit({ ...AGREEMENT, time_zone: '' })
  narrator.say(`Clementine chooses no time zone, and sees: ${slip}`)
  narrator.expect('Contacts who agreed', await agreed(app), 0)
  for (const contact of [ottoline, marigold, percival, clementine]) {
    const asked = await contact.open()
    const thanks = await contact.submit(AGREEMENT)
    narrator.say(`${contact.name.padEnd(12)}${asked}  →  ${thanks}`)
  }
  const declined = await barnaby.submit({ decision: 'decline', why: 'not_now' })
  narrator.say(`${barnaby.name.padEnd(12)}declines: ${declined}`)
  narrator.expect('Contacts who agreed', await agreed(app), 4)
  narrator.aside('all allow texts at night, so that this can be played at any hour')
}

async function confirmNumbers(world: World, circle: Circle): Promise<void> {
  const { narrator, app } = world
  const { ottoline, marigold, percival, clementine } = circle
  narrator.step('Their numbers agree too, each asked by one text')
  narrator.expect('Numbers that agreed', await numbersAgreed(app), 0)
  const text = await ottoline.glanceAtText('our email')
  narrator.quote(text)
  const slip = await ottoline.submit({ decision: 'confirm', code: '12345' })
  narrator.say(`Ottoline mistypes its code on the page, and sees: ${slip}`)
  const code = /\d{6}/.exec(text)?.[0] ?? ''
  narrator.say(`She types it right, and sees: ${await ottoline.submit({ decision: 'confirm', code })}`)
  for (const contact of [marigold, percival, clementine]) {
    await contact.glanceAtText('our email')
    const replies = await contact.reply('Yes')
    narrator.say(`${contact.name.padEnd(12)}replies: Yes  →  ${replies.join(' ')}`)
  }
  narrator.expect('Numbers that agreed', await numbersAgreed(app), 4)
}

/** The form of somebody who agrees. */
const AGREEMENT = { decision: 'accept', time_zone: 'America/New_York', texts_at_night: 'yes', agreed: 'yes' }

async function numbersAgreed(app: SupabaseClient<Database>): Promise<number | null> {
  const { count } = await app
    .from('buddy_contacts')
    .select('id', { count: 'exact', head: true })
    .not('phone_confirmed_at', 'is', null)
  return count
}

async function agreed(app: SupabaseClient<Database>): Promise<number | null> {
  const { count } = await app
    .from('buddy_contacts')
    .select('id', { count: 'exact', head: true })
    .is('verified', true)
  return count
}

async function requestCheckIn(world: World, { marigold }: Circle): Promise<void> {
  const { narrator, app } = world
  narrator.step('Quentin asks Marigold to check in')
  const { message } = await call<{ message: string }>(app, 'api/buddy/request-check-in', {
    buddyContactId: marigold.id,
  })
  narrator.say(message)
  narrator.quote(await marigold.readText('asks you to check in'))
  narrator.say(`Marigold opens the link: ${await marigold.open()}`)
  narrator.say(`She answers that she called: ${await marigold.submit({ response: 'called' })}`)
  await deliveredTo(world, marigold, 'called')
  narrator.say('Quentin sees that the text was delivered, opened and answered.')
}

/** Waits until Twilio's signed callback has said that a contact's newest text arrived, and their answer is stored. */
async function deliveredTo(
  { narrator, app }: World,
  { id, name }: Contact,
  response: string | null,
): Promise<void> {
  await narrator.until(`The delivery to ${name}`, async () => {
    const { data } = await app
      .from('buddy_check_in_requests')
      .select('delivery_status, response_type')
      .eq('buddy_contact_id', id)
      .order('created_at', { ascending: false })
      .limit(1)
      .single()
    return data?.delivery_status === 'delivered' && data.response_type === response ? data : null
  })
}

async function checkInOnThreeHardDays({ narrator, app, sql, student }: World): Promise<void> {
  narrator.step('Three hard days')
  for (const day of ['Monday', 'Tuesday', 'Wednesday']) {
    const recording = { audio: null, images: [], transcript: TRANSCRIPT, moodScore: 2 }
    const { result } = await checkIn(app, recording, () => undefined)
    narrator.say(`${day.padEnd(12)}check-in: risk ${result?.risk_level}`)
    narrator.expect(`Risk on ${day}`, result?.risk_level, 'moderate')
    if (day !== 'Wednesday') await timePasses(narrator, sql, student.id, 24)
  }
}

async function timePasses(
  narrator: Narrator,
  sql: postgres.Sql,
  student: string,
  hours: number,
): Promise<void> {
  await letPass(sql, student, hours)
  narrator.aside(`${hours} hours pass: Quentin's rows are moved into the past`)
}

async function alertFirstTwo(world: World, { ottoline, marigold }: Circle): Promise<void> {
  const { narrator, stack, student } = world
  narrator.step('The pattern opens an alert: the first two are asked, and Quentin is told')
  narrator.aside('the job that cron runs each minute is run at once, here and below')
  await runAlertJob(world)
  narrator.quote(await ottoline.readText('(automated)'))
  narrator.quote(await marigold.readText('(automated)'))
  for (const contact of [ottoline, marigold]) await deliveredTo(world, contact, null)
  const mail = await narrator.until(
    'The email to the student',
    async () => (await messagesTo(stack.inboxUrl, student.email))[0]?.text,
  )
  narrator.say('The email to Quentin:')
  narrator.quote(mail)
  await hear(world, 'open', 'Ottoline, Marigold')
}

/** Does what cron does each minute. */
async function runAlertJob({ sql }: World): Promise<void> {
  await sql`select private.tick_support_alerts(now())`
}

/** Waits until the app has heard on the student's channel of an alert in this state that asked these people, in order. */
async function hear({ narrator, heard }: World, status: string, asked: string): Promise<void> {
  await narrator.until(`The channel's event "${status}", asked ${asked}`, async () =>
    heard.find(
      (notice) => notice.status === status && notice.asked.map(({ name }) => name).join(', ') === asked,
    ),
  )
  narrator.say(`Quentin's app hears: alert ${status}, asked ${asked}`)
}

async function askNextTwo(world: World, { ottoline, marigold, percival, clementine }: Circle): Promise<void> {
  const { narrator, sql, student } = world
  narrator.step('Marigold is unavailable, Ottoline stays silent: after six hours the next two are asked')
  narrator.say(`Marigold answers that she can't: ${await marigold.submit({ response: 'unavailable' })}`)
  await runAlertJob(world)
  narrator.expect('Alerts to Percival', await percival.texts('(automated)'), 0)
  await timePasses(narrator, sql, student.id, 6)
  await runAlertJob(world)
  for (const contact of [percival, clementine]) {
    await contact.readText('(automated)')
    await deliveredTo(world, contact, null)
    narrator.say(`${contact.name} gets the text.`)
  }
  narrator.expect('Alerts to Ottoline', await ottoline.texts('(automated)'), 1)
  await hear(world, 'open', 'Ottoline, Marigold, Percival, Clementine')
}

async function answer(world: World, { percival, barnaby }: Circle): Promise<void> {
  const { narrator } = world
  narrator.step('Percival answers, which ends the alert')
  narrator.say(`Percival opens the link: ${await percival.open()}`)
  narrator.say(`He answers that he wrote: ${await percival.submit({ response: 'messaged' })}`)
  await hear(world, 'answered', 'Ottoline, Marigold, Percival, Clementine')
  narrator.expect('Texts to Barnaby, who declined', await barnaby.texts(), 0)
}

async function stop({ narrator }: World, { ottoline }: Circle): Promise<void> {
  narrator.step('Ottoline has had enough')
  const before = await ottoline.texts()
  narrator.say('She replies: Please stop texting me')
  for (const reply of await ottoline.reply('Please stop texting me')) narrator.quote(reply)
  narrator.expect('Confirmations', (await ottoline.texts()) - before, 1)
}

async function sayAllRight(world: World, { ottoline, marigold, percival }: Circle): Promise<void> {
  const { narrator, app, sql, student } = world
  narrator.step("The pattern lasts: another alert, and Quentin says “I'm all right”")
  await runAlertJob(world)
  const { count } = await app.from('support_alerts').select('id', { count: 'exact', head: true })
  narrator.expect('Alerts before 72 hours have passed', count, 1)
  const before = await ottoline.texts()
  await timePasses(narrator, sql, student.id, 72)
  await runAlertJob(world)
  await hear(world, 'open', 'Marigold, Percival')
  for (const contact of [marigold, percival]) await contact.readText('(automated)')
  const { error } = await app.rpc('report_all_right')
  if (error) throw error
  narrator.say('Quentin ends it in the app, and those who were asked are told:')
  for (const contact of [marigold, percival])
    narrator.quote(await contact.readText('says they are all right'))
  await hear(world, 'resolved', 'Marigold, Percival')
  narrator.expect('Texts to Ottoline since she stopped', (await ottoline.texts()) - before, 0)
}
