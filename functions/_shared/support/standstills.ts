import type { Database } from '../database.ts'
import { log } from '../log.ts'

/** Logs each alert that stands still once, as the database found it; ids and the kind of fault, nobody's name. */
export async function reportStandstills(database: Database): Promise<void> {
  const standstills = await database<{ id: string; kind: string; alert_id: string | null }[]>`
    select id, kind, alert_id from private.report_standstills()`
  for (const { id, kind, alert_id } of standstills) {
    log('error', 'support_standstill', { standstill: id, kind, alert: alert_id })
  }
}
