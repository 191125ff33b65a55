import { type ComponentType, lazy } from 'react'
import type { Id } from '../../ui/language.tsx'
import type { Role } from './person.tsx'

/**
 * A screen: who it is for (everybody in staff where nothing is said), and its name in the navigation (none: it is reached from others),
 * where it stands below the area that its name begins with.
 */
type ScreenRoute = { screen: ComponentType; roles?: readonly Role[]; label?: Id }

const screensFor =
  (...roles: Role[]) =>
  (load: () => Promise<{ default: ComponentType }>, label?: Id): ScreenRoute => ({
    screen: lazy(load),
    label,
    ...(roles.length > 0 && { roles }),
  })

const counselor = screensFor('counselor')
const security = screensFor('security_admin')
const university = screensFor('university_admin')
const everybody = screensFor()

/** The screens of who is signed in. Each is loaded when it is opened; what somebody may do there the database says. */
export const SCREENS: Record<string, ScreenRoute> = {
  '/reviews': counselor(() => import('./reviews/reviews.tsx'), 'reviews.title'),
  '/reviews/*': counselor(() => import('./reviews/reviews.tsx')),
  '/students': counselor(() => import('./reviews/students.tsx'), 'reviews.students'),
  '/students/:id': counselor(() => import('./reviews/student.tsx')),
  '/cover': counselor(() => import('./reviews/cover.tsx'), 'reviews.cover'),
  '/incidents': security(() => import('./security/incidents.tsx'), 'security.incidents'),
  '/incidents/new': security(() => import('./security/record.tsx')),
  '/incidents/:id': security(() => import('./security/incident.tsx')),
  '/policies': security(() => import('./security/policies.tsx'), 'security.policies'),
  '/policies/new': security(() => import('./security/new-policy.tsx')),
  '/policies/:id': security(() => import('./security/policy.tsx')),
  '/policies/:id/change': security(() => import('./security/change-policy.tsx')),
  '/blocks': security(() => import('./security/blocks.tsx'), 'security.blocks'),
  '/accounts': security(() => import('./security/accounts.tsx'), 'security.accounts'),
  '/accounts/:id': security(() => import('./security/account.tsx')),
  '/roles': security(() => import('./security/roles.tsx'), 'security.staff'),
  '/audit': security(() => import('./security/audit.tsx'), 'security.audit'),
  '/schema': security(() => import('./security/schema.tsx'), 'security.schema'),
  '/compliance': security(() => import('./checks/compliance.tsx'), 'checks.compliance'),
  '/compliance/facts': security(() => import('./checks/compliance-facts.tsx')),
  '/compliance/controls/:id': security(() => import('./checks/compliance-control.tsx')),
  '/compliance/:id': security(() => import('./checks/compliance-report.tsx')),
  '/security-tests': security(() => import('./checks/security-tests.tsx'), 'checks.tests'),
  '/security-tests/:id': security(() => import('./checks/security-test.tsx')),
  '/security-tests/:id/runs/:run': security(() => import('./checks/security-run.tsx')),
  '/vulnerabilities': security(() => import('./checks/vulnerabilities.tsx'), 'checks.vulnerabilities'),
  '/vulnerabilities/:id': security(() => import('./checks/vulnerability.tsx')),
  '/training-modules': security(() => import('./checks/training-modules.tsx'), 'checks.modules'),
  '/training-modules/new': security(() => import('./checks/module-editor.tsx')),
  '/training-modules/:id': security(() => import('./checks/training-module.tsx')),
  '/training-modules/:id/edit': security(() => import('./checks/module-editor.tsx')),
  '/overview': university(() => import('./university/overview.tsx'), 'university.university'),
  '/analytics': university(() => import('./university/analytics.tsx'), 'university.analytics'),
  '/university/staff': university(() => import('./university/staff.tsx'), 'university.staff'),
  '/university/contacts': university(() => import('./university/contacts.tsx'), 'university.contacts'),
  '/university/cover': university(() => import('./university/cover.tsx'), 'university.cover'),
  '/university/delivery': university(() => import('./university/delivery.tsx'), 'university.delivery'),
  '/university/register': university(() => import('./university/register.tsx'), 'university.register'),
  '/university/help': university(() => import('./university/help.tsx'), 'university.help'),
  '/university/appearance': university(() => import('./university/appearance.tsx'), 'university.appearance'),
  '/university/settings': university(() => import('./university/settings.tsx'), 'university.settings'),
  '/university/terms': screensFor('university_admin', 'security_admin')(
    () => import('./university/terms.tsx'),
    'university.terms',
  ),
  '/training': everybody(() => import('./checks/my-training.tsx'), 'checks.training'),
  '/training/:id': everybody(() => import('./checks/my-training-module.tsx')),
  '/training/:id/sections/:section': everybody(() => import('./checks/my-training-section.tsx')),
  '/training/:id/questions': everybody(() => import('./checks/my-training-questions.tsx')),
  '/account': everybody(() => import('./account/account.tsx'), 'account.title'),
  '/account/password': everybody(() => import('./account/password.tsx')),
}
