import postgres, { type Sql } from 'postgres'
import { vi } from 'vitest'

/** A connection, and the number of the process that serves it. */
export type Connection = { sql: Sql; pid: number }

/** Opens a connection whose transactions are begun and ended by statements. */
export async function connect(url: string): Promise<Connection> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const [row] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
  return { sql, pid: row.pid }
}

/** One of several transactions at once, each over a connection of its own. */
export class Racer {
  /** The code of the error that ended it; null once it is committed. */
  ended: Promise<string | null> = Promise.resolve(null)
  readonly name: string
  readonly #observer: Sql
  readonly #connection: Connection
  readonly #step: () => Promise<unknown> | undefined
  #done = false
  #isOpen = false

  /**
   * @param observer a connection that sees who waits for whom
   * @param step what it does, over its connection
   */
  constructor(observer: Sql, connection: Connection, name: string, step: () => Promise<unknown> | undefined) {
    this.#observer = observer
    this.#connection = connection
    this.name = name
    this.#step = step
  }

  /** Begins its transaction, whose time is that of now; nothing when it has. */
  async open(): Promise<void> {
    if (this.#isOpen) return
    this.#isOpen = true
    await this.#connection.sql`begin`
    await this.#connection.sql`select now()`
  }

  /** Begins the step and the end of its transaction. */
  go(): void {
    this.ended = this.#run()
      .then(
        () => null,
        async (error: unknown) => {
          await this.#connection.sql`rollback`
          if (!(error instanceof postgres.PostgresError)) throw error
          return error.code
        },
      )
      .finally(() => {
        this.#done = true
      })
  }

  async #run(): Promise<void> {
    await this.#step()
    await this.#connection.sql`commit`
  }

  /** Resolves when it is over, or waits for somebody's lock. */
  async isBlockedOrDone(): Promise<void> {
    await vi.waitFor(
      async () => {
        const [row] = await this.#observer<[{ free: boolean }]>`
          select pg_blocking_pids(${this.#connection.pid}) = '{}' as free`
        if (row.free && !this.#done) throw new Error(`${this.name} goes on`)
      },
      { timeout: 60_000, interval: 1 },
    )
  }
}
