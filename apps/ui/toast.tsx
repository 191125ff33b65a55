import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { useLocation } from 'wouter'
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

/** Tells at the foot of the app what has been done. It stays until it is closed, the screen is left, or something else has been done. */
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

function Told({ message, values, undo, close }: Toast & { close: () => void }) {
  const [path] = useLocation()
  const [ofScreen] = useState(path)
  const leave = useEffectEvent(close)
  // On the screen of somebody else it would be about them.
  useEffect(() => {
    if (path !== ofScreen) leave()
  }, [path, ofScreen])
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
