import { randomBytes } from 'node:crypto'
import { type BinaryBroadcast, encode, type JsonObject, type Version } from './frames.ts'

/** A channel of a client, as the others in the topic see it. */
export type Member = {
  readonly version: Version
  /** Whether it is to get broadcasts. */
  readonly hearsBroadcast: boolean
  /** Whether it is to get the presence of the others. */
  readonly hearsPresence: boolean
  /** Whether it already got the stored message of this id. */
  hasReplayed(id: string): boolean
  deliver(frame: string | Buffer): void
}

export type Meta = JsonObject & { phx_ref: string }
export type PresenceState = Record<string, { metas: Meta[] }>

/** A public and a private channel of the same name have nothing in common. */
export type Address = { topic: string; private: boolean }

export type Broadcast = { payload: JsonObject | BinaryBroadcast; id?: string }

type Presence = { key: string; meta: Meta }
type Topic = { members: Set<Member>; present: Map<Member, Presence> }

const nameOf = (address: Address): string => `${address.private ? 'private' : 'public'}:${address.topic}`

/** Who is in which topic, and who is present there. */
export class Hub {
  readonly #topics = new Map<string, Topic>()

  join(address: Address, member: Member): void {
    const name = nameOf(address)
    const topic = this.#topics.get(name) ?? { members: new Set(), present: new Map() }
    this.#topics.set(name, topic)
    topic.members.add(member)
  }

  leave(address: Address, member: Member): void {
    const name = nameOf(address)
    const topic = this.#topics.get(name)
    if (!topic) return
    topic.members.delete(member)
    this.untrack(address, member)
    if (topic.members.size === 0) this.#topics.delete(name)
  }

  /** Sends to everybody in the topic who may read it, but `except`. */
  broadcast(address: Address, { payload, id }: Broadcast, except?: Member): void {
    this.#send(
      address,
      'broadcast',
      payload,
      (member) => member !== except && member.hearsBroadcast && (id === undefined || !member.hasReplayed(id)),
    )
  }

  /** Everybody who is present, by key. */
  presence(address: Address): PresenceState {
    return group(this.#topics.get(nameOf(address))?.present.values() ?? [])
  }

  /** Makes a member present, or changes what it tells of itself. */
  track(address: Address, member: Member, key: string, payload: JsonObject): void {
    const topic = this.#topics.get(nameOf(address))
    if (!topic) return
    const previous = topic.present.get(member)
    const ref = { phx_ref: randomBytes(9).toString('base64url') }
    const meta = { ...payload, ...ref, ...(previous && { phx_ref_prev: previous.meta.phx_ref }) }
    topic.present.set(member, { key, meta })
    this.#tellPresence(address, [{ key, meta }], previous ? [previous] : [])
  }

  untrack(address: Address, member: Member): void {
    const topic = this.#topics.get(nameOf(address))
    const previous = topic?.present.get(member)
    if (!topic || !previous) return
    topic.present.delete(member)
    this.#tellPresence(address, [], [previous])
  }

  #tellPresence(address: Address, joins: Presence[], leaves: Presence[]): void {
    const payload = { joins: group(joins), leaves: group(leaves) }
    this.#send(address, 'presence_diff', payload, (member) => member.hearsPresence)
  }

  #send(
    address: Address,
    event: string,
    payload: JsonObject | BinaryBroadcast,
    hears: (member: Member) => boolean,
  ): void {
    const frames = new Map<Version, string | Buffer | undefined>()
    for (const member of this.#topics.get(nameOf(address))?.members ?? []) {
      if (!hears(member)) continue
      if (!frames.has(member.version)) {
        const message = { joinRef: null, ref: null, topic: `realtime:${address.topic}`, event, payload }
        frames.set(member.version, encode(member.version, message))
      }
      const frame = frames.get(member.version)
      if (frame !== undefined) member.deliver(frame)
    }
  }
}

function group(presences: Iterable<Presence>): PresenceState {
  // Without a prototype, so that no key is special.
  const state: PresenceState = Object.create(null)
  for (const { key, meta } of presences) {
    const entry = state[key] ?? { metas: [] }
    entry.metas.push(meta)
    state[key] = entry
  }
  return state
}
