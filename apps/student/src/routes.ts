import { lazy } from 'react'

/** The screens of who is signed in, each loaded when it is opened. */
export const SCREENS = {
  '/': lazy(() => import('./screens/home.tsx')),
  '/check-in': lazy(() => import('./screens/check-in.tsx')),
  '/check-ins/:id': lazy(() => import('./screens/result.tsx')),
  '/history': lazy(() => import('./screens/history.tsx')),
  '/sessions/:id': lazy(() => import('./screens/session.tsx')),
  '/circle': lazy(() => import('./screens/circle.tsx')),
  '/circle/:id': lazy(() => import('./screens/contact.tsx')),
  '/reminders': lazy(() => import('./screens/reminders.tsx')),
  '/consents': lazy(() => import('./screens/consents.tsx')),
  '/account': lazy(() => import('./screens/account.tsx')),
  '/account/data': lazy(() => import('./screens/my-data.tsx')),
  '/account/password': lazy(() => import('./screens/new-password.tsx')),
} as const

/** What is there for everybody, signed in or not. */
export const EVERYBODY = {
  '/crisis': lazy(() => import('./screens/crisis.tsx')),
  '/code/:kind': lazy(() => import('./screens/code.tsx')),
  '/sign-up': lazy(() => import('./screens/sign-up.tsx')),
} as const

/** What everybody else sees instead of a screen. */
export const ENTRANCE = lazy(() => import('./screens/sign-in.tsx'))
