import { useEffect, useState } from 'react'

/** After so long without a key, a touch or a pointer the app locks. */
const IDLE_MS = 15 * 60_000

/** Where the tabs of the app tell each other when somebody was last active: a time, and nothing of whom. */
const KEY = 'wellbeing.staff-active'

/** Not more often than this does activity write. */
const WRITE_MS = 5_000

const EVENTS = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart'] as const

const lastActive = () => Number(localStorage.getItem(KEY))

/** A clock that was put back ends nothing: a time to come is none, and what is no time either. */
function isIdle(): boolean {
  const idleMs = Date.now() - lastActive()
  return !(idleMs < IDLE_MS && idleMs >= -WRITE_MS)
}

/** Somebody is here: in every tab the time begins anew, and the app is unlocked. */
export function stayActive(): void {
  localStorage.setItem(KEY, String(Date.now()))
}

/** Locks every tab at once. */
export function lock(): void {
  localStorage.setItem(KEY, '0')
  dispatchEvent(new StorageEvent('storage', { key: KEY }))
}

/**
 * Whether the app is locked, in all tabs alike, also where it is loaded again or was closed meanwhile. It keeps whoever passes by from
 * reading along; the session is as it was, and the service ends it by terms of its own.
 */
export function useLocked(isSignedIn: boolean): [isLocked: boolean, unlock: () => void] {
  const [isLocked, setIsLocked] = useState(isIdle)
  useEffect(() => {
    if (!isSignedIn) return
    const look = () => {
      const isLockedNow = isIdle()
      // From then on it does not depend on the clock.
      if (isLockedNow && lastActive() !== 0) localStorage.setItem(KEY, '0')
      setIsLocked(isLockedNow)
    }
    look()
    const stay = () => {
      // A tab that slept finds out that its time is over before anybody touches it.
      if (isIdle()) look()
      else if (Date.now() - lastActive() > WRITE_MS) stayActive()
    }
    const clock = setInterval(look, 1000)
    for (const event of EVENTS) addEventListener(event, stay, { passive: true, capture: true })
    addEventListener('storage', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(clock)
      for (const event of EVENTS) removeEventListener(event, stay, { capture: true })
      removeEventListener('storage', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [isSignedIn])
  return [
    isLocked && isSignedIn,
    () => {
      stayActive()
      setIsLocked(false)
    },
  ]
}
