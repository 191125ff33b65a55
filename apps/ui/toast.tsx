import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { Button } from './elements.tsx'
import { Action } from './form.tsx'
import { type Id, P, type Values } from './language.tsx'
import type { Client } from './service.tsx'

/** What has been done, and how to undo it where that is possible. */
export type Toast = {
  message: Id
  values?: Values
  undo?: (client: Client) => Promise<unknown>
}

const ToastContext = createContext<(toast: Toast | null) => void>(() => {})

/** Tells at the foot of the app what has been done. What can be undone stays until it is closed, or something else has been done. */
export const useToast = () => useContext(ToastContext)

/** Shows what has been done over whatever screen is open. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [told, setTold] = useState<{ key: number; toast: Toast } | null>(null)
  const tell = useCallback((next: Toast | null) => {
    setTold((before) => next && { toast: next, key: (before?.key ?? 0) + 1 })
  }, [])
  return (
    <ToastContext value={tell}>
      {children}
      <div role="status" className="toasts">
        {told && <Told key={told.key} {...told.toast} close={() => tell(null)} />}
      </div>
    </ToastContext>
  )
}

const READ_MS = 10_000

function Told({ message, values, undo, close }: Toast & { close: () => void }) {
  const leave = useEffectEvent(close)
  useEffect(() => {
    if (undo) return
    const read = setTimeout(() => leave(), READ_MS)
    return () => clearTimeout(read)
  }, [undo])
  const run = async (client: Client) => {
    await undo?.(client)
    close()
  }
  return (
    <div className="toast row">
      <P {...values} id={message} />
      {undo && <Action label="toast.undo" run={run} />}
      <Button label="action.close" onPress={close} />
    </div>
  )
}
