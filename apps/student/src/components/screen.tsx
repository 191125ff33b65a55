import type { ReactNode } from 'react'

/** One screen: its title, and what is on it. */
export function Screen({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <main>
      <h1>{title}</h1>
      {children}
    </main>
  )
}
