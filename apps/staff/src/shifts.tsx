import type { ReactNode } from 'react'
import type { Database } from '../../../types/database.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { DateField, minuteOf } from '../../ui/filters.tsx'
import type { Id } from '../../ui/language.tsx'
import { done } from '../../ui/service.tsx'
import { useToast } from '../../ui/toast.tsx'

/** A shift of a counselor on call. */
export type Shift = Database['public']['Functions']['read_cover']['Returns']['shifts'][number]

export const HOUR_MS = 3_600_000

/** When a new shift begins and ends: eight hours from `start` on, until somebody says otherwise. */
export function ShiftTimes({ start, begins, ends }: { start: number; begins: Id; ends: Id }) {
  return (
    <>
      <DateField
        label={begins}
        type="datetime-local"
        name="starts"
        defaultValue={minuteOf(start)}
        isRequired
      />
      <DateField
        label={ends}
        type="datetime-local"
        name="ends"
        defaultValue={minuteOf(start + 8 * HOUR_MS)}
        isRequired
      />
    </>
  )
}

type RemoveProps = {
  shift: Shift
  university: string
  label: Id
  title: Id
  question: Id
  removed: Id
  target: ReactNode
}

/** Removes a shift, which can be entered again. */
export function RemoveShift({ shift, university, removed, ...words }: RemoveProps) {
  const tell = useToast()
  const { id, user_id, starts_at, ends_at } = shift
  const again = { starts_at, ends_at, counselor_id: user_id, university_id: university }
  return (
    <Confirm
      {...words}
      run={async (_, client) => {
        await done(client.rpc('remove_shift', { shift_id: id }))
        tell({ message: removed, undo: (client) => done(client.rpc('add_shift', again)) })
      }}
    />
  )
}
