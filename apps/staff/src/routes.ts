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
    screen: lazy(() => import('./reviews/queue.tsx')),
    roles: ['counselor'],
    label: 'reviews.title',
  },
  '/incidents': {
    screen: lazy(() => import('./security/incidents.tsx')),
    roles: ['security_admin'],
    label: 'security.incidents',
  },
  '/incidents/new': { screen: lazy(() => import('./security/record.tsx')), roles: ['security_admin'] },
  '/incidents/:id': { screen: lazy(() => import('./security/incident.tsx')), roles: ['security_admin'] },
  '/policies': {
    screen: lazy(() => import('./security/policies.tsx')),
    roles: ['security_admin'],
    label: 'security.policies',
  },
  '/policies/new': { screen: lazy(() => import('./security/new-policy.tsx')), roles: ['security_admin'] },
  '/policies/:id': { screen: lazy(() => import('./security/policy.tsx')), roles: ['security_admin'] },
  '/policies/:id/change': {
    screen: lazy(() => import('./security/change-policy.tsx')),
    roles: ['security_admin'],
  },
  '/blocks': {
    screen: lazy(() => import('./security/blocks.tsx')),
    roles: ['security_admin'],
    label: 'security.blocks',
  },
  '/accounts': {
    screen: lazy(() => import('./security/accounts.tsx')),
    roles: ['security_admin'],
    label: 'security.accounts',
  },
  '/accounts/:id': { screen: lazy(() => import('./security/account.tsx')), roles: ['security_admin'] },
  '/roles': {
    screen: lazy(() => import('./security/roles.tsx')),
    roles: ['security_admin'],
    label: 'security.staff',
  },
  '/audit': {
    screen: lazy(() => import('./security/audit.tsx')),
    roles: ['security_admin'],
    label: 'security.audit',
  },
  '/schema': {
    screen: lazy(() => import('./security/schema.tsx')),
    roles: ['security_admin'],
    label: 'security.schema',
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
