import { type ComponentType, lazy } from 'react'
import type { Id } from '../../ui/language.tsx'
import type { Role } from './person.tsx'

/**
 * A screen: who it is for (everybody in staff where nothing is said), and its name in the navigation (none: it is reached from others),
 * where it stands below the area that its name begins with.
 */
export type ScreenRoute = { screen: ComponentType; roles?: readonly Role[]; label?: Id }

/** The screens of who is signed in. Each is loaded when it is opened; what somebody may do there the database says. */
export const SCREENS: Record<string, ScreenRoute> = {
  '/reviews': {
    screen: lazy(() => import('./reviews/reviews.tsx')),
    roles: ['counselor'],
    label: 'reviews.title',
  },
  '/reviews/*': { screen: lazy(() => import('./reviews/reviews.tsx')), roles: ['counselor'] },
  '/students': {
    screen: lazy(() => import('./reviews/students.tsx')),
    roles: ['counselor'],
    label: 'reviews.students',
  },
  '/students/:id': { screen: lazy(() => import('./reviews/student.tsx')), roles: ['counselor'] },
  '/cover': {
    screen: lazy(() => import('./reviews/cover.tsx')),
    roles: ['counselor', 'university_admin'],
    label: 'reviews.cover',
  },
  '/incidents': {
    screen: lazy(() => import('./security/incidents.tsx')),
    roles: ['security_admin'],
    label: 'security.incidents',
  },
  '/compliance': {
    screen: lazy(() => import('./checks/compliance.tsx')),
    roles: ['security_admin'],
    label: 'checks.compliance',
  },
  '/analytics': {
    screen: lazy(() => import('./university/analytics.tsx')),
    roles: ['university_admin', 'security_admin'],
    label: 'university.analytics',
  },
  '/account': { screen: lazy(() => import('./account/account.tsx')), label: 'account.title' },
  '/account/password': { screen: lazy(() => import('./account/password.tsx')) },
}
