import { createContext, useContext, useEffect, useState } from 'react'
import { useLocation } from 'wouter'

/** Whose page it is. Another object stands for whoever comes next: of what was typed before nothing is left to them. */
export const AuthorContext = createContext<object | null>(null)

/** Drafts of one kind, by author and place. */
type Drafts<Value> = WeakMap<object, Map<string, Value>>

/** Where drafts of one kind are kept: in the memory of the page, and nowhere else. */
export const draftsOf = <Value,>(): Drafts<Value> => new WeakMap()

/** Keeps what is typed here and not stored yet: it outlives the screen, which a lock or a slip of the hand takes away. */
export function useDrafts<Value extends object>(drafts: Drafts<Value>, name: string) {
  const author = useContext(AuthorContext)
  const [path] = useLocation()
  const place = `${path} ${name}`
  return {
    read: () => author && drafts.get(author)?.get(place),
    keep(value: Value) {
      if (author) drafts.set(author, (drafts.get(author) ?? new Map<string, Value>()).set(place, value))
    },
    drop() {
      if (author) drafts.get(author)?.delete(place)
    },
  }
}

type Draft<Value> = { value: Value; isChanged: boolean; change: (value: Value) => void; drop: () => void }

/** A state that is kept until it is stored or dropped; whoever closes the page before is asked. */
export function useDraft<Value extends object>(
  drafts: Drafts<Value>,
  name: string,
  initial: Value,
): Draft<Value> {
  const { read, keep, drop } = useDrafts(drafts, name)
  const [changed, setChanged] = useState<Value | null>(() => read() ?? null)
  const isChanged = changed !== null
  useEffect(() => {
    if (!isChanged) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isChanged])
  return {
    value: changed ?? initial,
    isChanged,
    change(value) {
      keep(value)
      setChanged(value)
    },
    drop() {
      drop()
      setChanged(null)
    },
  }
}

/** What is typed into the fields of a form, by their names. */
export type Fields = ReadonlyMap<string, string>

/** What was typed into the fields of a form before. */
export const FieldsContext = createContext<Fields | null>(null)

/** What a field begins with: what was typed into it before, or what is stored. */
export function useTypedBefore(name: string | undefined, stored: string | undefined): string | undefined {
  const before = useContext(FieldsContext)
  const [first] = useState(name === undefined ? undefined : before?.get(name))
  return first ?? stored
}
