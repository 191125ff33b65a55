import { useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { useService } from '../service.tsx'

/** Says, from the time of today's reminder on, that there was no check-in yet. */
export function DueReminder() {
  const { client } = useService()
  const { $t } = useIntl()
  const { data: isDue } = useQuery({
    queryKey: ['reminder', 'due'],
    async queryFn() {
      const reminder = await client.reminders.get()
      return reminder !== null && client.reminders.isDue(reminder)
    },
    networkMode: 'always',
    staleTime: 0,
    refetchInterval: 60_000,
  })
  return isDue ? (
    <p role="status" className="notice">
      {$t({ id: 'reminders.due' })}
    </p>
  ) : null
}
