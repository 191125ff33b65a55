import type postgres from 'postgres'

/**
 * Lets time pass for one student: what happened to them moves into the past by so many hours. Nothing else on the stack
 * changes, so that it can be in use meanwhile.
 */
export async function letPass(sql: postgres.Sql, student: string, hours: number): Promise<void> {
  const ago = `${hours} hours`
  await sql.begin(async (sql) => {
    await sql`
      update checkin.check_ins
      set created_at = created_at - ${ago}::interval, submitted_at = submitted_at - ${ago}::interval,
        completed_at = completed_at - ${ago}::interval
      where user_id = ${student}`
    // By way of a far day, so that no two days meet while they move.
    await sql`
      update private.worrying_days
      set day = day - 10000, stored_at = stored_at - ${ago}::interval
      where user_id = ${student}`
    await sql`
      update private.worrying_days
      set day = day + 10000 - ${Math.floor(hours / 24)}::integer
      where user_id = ${student}`
    await sql`
      update public.support_alerts
      set opened_at = opened_at - ${ago}::interval, step_began_at = step_began_at - ${ago}::interval,
        crisis_contact_told_at = crisis_contact_told_at - ${ago}::interval, ended_at = ended_at - ${ago}::interval
      where user_id = ${student}`
    await sql`
      update private.buddy_links l set expires_at = l.expires_at - ${ago}::interval
      from public.buddy_check_in_requests r
      where r.id = l.request_id and r.user_id = ${student}`
    await sql`
      update public.buddy_check_in_requests
      set created_at = created_at - ${ago}::interval, sent_at = sent_at - ${ago}::interval,
        link_clicked_at = link_clicked_at - ${ago}::interval,
        response_received_at = response_received_at - ${ago}::interval
      where user_id = ${student}`
    await sql`
      update private.outbox
      set created_at = created_at - ${ago}::interval, send_at = send_at - ${ago}::interval,
        provider_called_at = provider_called_at - ${ago}::interval, ended_at = ended_at - ${ago}::interval
      where user_id = ${student}`
  })
}
