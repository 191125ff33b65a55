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
    roles: ['counselor'],
    label: 'reviews.cover',
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
  '/overview': {
    screen: lazy(() => import('./university/overview.tsx')),
    roles: ['university_admin'],
    label: 'university.university',
  },
  '/compliance/facts': {
    screen: lazy(() => import('./checks/compliance-facts.tsx')),
    roles: ['security_admin'],
  },
  '/compliance/controls/:id': {
    screen: lazy(() => import('./checks/compliance-control.tsx')),
    roles: ['security_admin'],
  },
  '/compliance/:id': {
    screen: lazy(() => import('./checks/compliance-report.tsx')),
    roles: ['security_admin'],
  },
  '/security-tests': {
    screen: lazy(() => import('./checks/security-tests.tsx')),
    roles: ['security_admin'],
    label: 'checks.tests',
  },
  '/security-tests/:id': {
    screen: lazy(() => import('./checks/security-test.tsx')),
    roles: ['security_admin'],
  },
  '/security-tests/:id/runs/:run': {
    screen: lazy(() => import('./checks/security-run.tsx')),
    roles: ['security_admin'],
  },
  '/vulnerabilities': {
    screen: lazy(() => import('./checks/vulnerabilities.tsx')),
    roles: ['security_admin'],
    label: 'checks.vulnerabilities',
  },
  '/vulnerabilities/:id': {
    screen: lazy(() => import('./checks/vulnerability.tsx')),
    roles: ['security_admin'],
  },
  '/training-modules': {
    screen: lazy(() => import('./checks/training-modules.tsx')),
    roles: ['security_admin'],
    label: 'checks.modules',
  },
  '/training-modules/new': {
    screen: lazy(() => import('./checks/module-editor.tsx')),
    roles: ['security_admin'],
  },
  '/training-modules/:id': {
    screen: lazy(() => import('./checks/training-module.tsx')),
    roles: ['security_admin'],
  },
  '/training-modules/:id/edit': {
    screen: lazy(() => import('./checks/module-editor.tsx')),
    roles: ['security_admin'],
  },
  '/analytics': {
    screen: lazy(() => import('./university/analytics.tsx')),
    roles: ['university_admin'],
    label: 'university.analytics',
  },
  '/university/staff': {
    screen: lazy(() => import('./university/staff.tsx')),
    roles: ['university_admin'],
    label: 'university.staff',
  },
  '/university/contacts': {
    screen: lazy(() => import('./university/contacts.tsx')),
    roles: ['university_admin'],
    label: 'university.contacts',
  },
  '/university/cover': {
    screen: lazy(() => import('./university/cover.tsx')),
    roles: ['university_admin'],
    label: 'university.cover',
  },
  '/university/delivery': {
    screen: lazy(() => import('./university/delivery.tsx')),
    roles: ['university_admin'],
    label: 'university.delivery',
  },
  '/university/register': {
    screen: lazy(() => import('./university/register.tsx')),
    roles: ['university_admin'],
    label: 'university.register',
  },
  '/university/help': {
    screen: lazy(() => import('./university/help.tsx')),
    roles: ['university_admin'],
    label: 'university.help',
  },
  '/university/appearance': {
    screen: lazy(() => import('./university/appearance.tsx')),
    roles: ['university_admin'],
    label: 'university.appearance',
  },
  '/university/settings': {
    screen: lazy(() => import('./university/settings.tsx')),
    roles: ['university_admin'],
    label: 'university.settings',
  },
  '/university/terms': {
    screen: lazy(() => import('./university/terms.tsx')),
    roles: ['university_admin', 'security_admin'],
    label: 'university.terms',
  },
  '/training': { screen: lazy(() => import('./checks/my-training.tsx')), label: 'checks.training' },
  '/training/:id': { screen: lazy(() => import('./checks/my-training-module.tsx')) },
  '/training/:id/sections/:section': { screen: lazy(() => import('./checks/my-training-section.tsx')) },
  '/training/:id/questions': { screen: lazy(() => import('./checks/my-training-questions.tsx')) },
  '/account': { screen: lazy(() => import('./account/account.tsx')), label: 'account.title' },
  '/account/password': { screen: lazy(() => import('./account/password.tsx')) },
}
