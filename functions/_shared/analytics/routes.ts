import { route } from '../http/route.ts'
import { dashboard, trendPoints, wellbeing } from './figures.ts'
import { pageForm, pageQuery, pageText } from './page/requests.ts'
import { dashboardQuery, trendsQuery, wellbeingQuery } from './requests.ts'

const RULE = `Figures are of days (UTC) that are over, and never of fewer than ten students: smaller cohorts count in the
larger ones only. Within one night no difference of two answers is about fewer than ten. From night to night a count can
change by one person. See docs/analytics.md for this and for what else the rule does not hide.`

/** `GET /api/analytics/dashboard`. */
export const getDashboard = route({
  id: 'getAnalyticsDashboard',
  method: 'get',
  path: '/api/analytics/dashboard',
  tag: 'Analytics',
  summary: 'Figures of a university or of a cohort, for its administrators',
  description: RULE,
  security: 'user',
  limit: 'data-api',
  query: dashboardQuery,
  response: dashboard,
  errors: ['forbidden', 'cohort_withheld'],
  example: { query: { university_id: 'northfield', date_range: '30d', cohort_filters: { faculty: 'Law' } } },
})

/** `GET /api/analytics/wellbeing`. */
export const getWellbeing = route({
  id: 'getAnalyticsWellbeing',
  method: 'get',
  path: '/api/analytics/wellbeing',
  tag: 'Analytics',
  summary: 'Every faculty, year and residence in figures, with the change against the range before',
  description: RULE,
  security: 'user',
  limit: 'data-api',
  query: wellbeingQuery,
  response: wellbeing,
  errors: ['forbidden', 'cohort_withheld'],
  example: { query: { university_id: 'northfield', date_range: '30d' } },
})

/** `GET /api/analytics/trends`. */
export const getTrends = route({
  id: 'getAnalyticsTrends',
  method: 'get',
  path: '/api/analytics/trends',
  tag: 'Analytics',
  summary: 'Average score, completion and students by day, week or month',
  description: RULE,
  security: 'user',
  limit: 'data-api',
  query: trendsQuery,
  response: trendPoints,
  errors: ['forbidden', 'cohort_withheld'],
  example: { query: { university_id: 'northfield', date_range: '90d', step: 'week' } },
})

/** `GET /api/analytics/dashboard.html`. */
export const showDashboard = route({
  id: 'showAnalyticsDashboard',
  method: 'get',
  path: '/api/analytics/dashboard.html',
  tag: 'Analytics',
  summary: 'The dashboard as a page with charts; who is not signed in sees a form to sign in',
  description:
    'Signed in is who sends a bearer token or the cookie that the form sets. Needs no JavaScript and loads nothing.',
  security: 'none',
  query: pageQuery,
  response: pageText,
  produces: 'text/html',
  otherwise: {
    401: 'The form again: the session has ended.',
    403: 'A page that says that the account administers no such university.',
    308: 'Asked for with a slash at the end: the page, without it.',
    429: 'A page that says how long to wait.',
  },
  example: { query: { university_id: 'northfield', date_range: '30d' } },
})

/** `POST /api/analytics/dashboard.html`. */
export const signInToDashboard = route({
  id: 'signInToAnalyticsDashboard',
  method: 'post',
  path: '/api/analytics/dashboard.html',
  tag: 'Analytics',
  summary: "The page's forms: signs in and leads back to the page (303), or signs out",
  description:
    'Takes forms of the page itself only. The access token is kept in an HttpOnly cookie of the page.',
  security: 'none',
  query: pageQuery,
  body: pageForm,
  consumes: 'application/x-www-form-urlencoded',
  response: pageText,
  produces: 'text/html',
  otherwise: {
    303: 'Signed in or out: back to the page.',
    308: 'Sent to the address with a slash at the end: the page, without it.',
    401: 'The form again: the address or the password is not right, or the address is not confirmed.',
    403: 'The form was sent by a page of another host.',
    429: 'The form again: too many tries for the address.',
  },
  example: { body: { email: 'admin@northfield.example.edu', password: 'invented-password-1' } },
})
