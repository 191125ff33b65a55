import type { Calls, Reply } from './calls.ts'
import { createFeed, type Unsubscribe } from './channels.ts'
import { isWellbeingError } from './errors.ts'
import type { components } from './generated/api.ts'

type ExportEvent = components['schemas']['ExportEvent']

/** A copy of what is stored about the person, with its volumes. */
export type Export = Reply<'get', '/api/privacy/exports/{id}'>
export type ExportSummary = Reply<'get', '/api/privacy/exports'>['exports'][number]

export type Exports = {
  /**
   * Asks for a copy of everything, which is built in the background.
   *
   * @throws {WellbeingError} `export_running`, `export_limit`
   */
  request(options?: { includeName?: boolean }): Promise<Export>
  /** Those of the last 90 days, the newest first. */
  list(): Promise<ExportSummary[]>
  /** With addresses to download from, once it is ready; they work for an hour. */
  get(id: string): Promise<Export>
  /** Cancels one that is being built, or deletes its files. */
  remove(id: string): Promise<void>
  /** How far exports are. What was missed without a connection is in `list`. */
  subscribe(listener: (change: ExportEvent) => void): Unsubscribe
  close(): Promise<void>
}

export function createExports({ supabase, call, userId }: Calls): Exports {
  const feed = createFeed<ExportEvent>(
    supabase,
    async () => `account:${await userId()}`,
    (channel, tell) => {
      channel.on<ExportEvent>('broadcast', { event: 'export' }, ({ payload }) => tell(payload))
    },
  )
  const path = (id: string) => ({ params: { path: { id } } })
  return {
    request({ includeName = false } = {}) {
      return call('post', '/api/privacy/exports', { body: { include_name: includeName } })
    },
    async list() {
      const { exports } = await call('get', '/api/privacy/exports')
      return exports
    },
    get: (id) => call('get', '/api/privacy/exports/{id}', path(id)),
    async remove(id) {
      await call('delete', '/api/privacy/exports/{id}', { ...path(id), repeatable: true })
    },
    subscribe: feed.subscribe,
    close: feed.close,
  }
}

export type Erasure = {
  /** Null: nothing was asked for. */
  status(): Promise<Reply<'get', '/api/privacy/erasure'> | null>
  /**
   * Asks to delete the account with everything; it can be cancelled until `final_at`.
   *
   * @throws {WellbeingError} `wrong_password`, `rate_limited`
   */
  request(password: string): Promise<Reply<'post', '/api/privacy/erasure'>>
  /** @throws {WellbeingError} `erasure_final`, `erasure_not_found` */
  cancel(): Promise<void>
}

export function createErasure({ call }: Calls): Erasure {
  return {
    async status() {
      try {
        return await call('get', '/api/privacy/erasure')
      } catch (error) {
        if (isWellbeingError(error) && error.code === 'erasure_not_found') return null
        throw error
      }
    },
    request: (password) => call('post', '/api/privacy/erasure', { body: { password }, repeatable: true }),
    async cancel() {
      await call('delete', '/api/privacy/erasure', { repeatable: false })
    },
  }
}
