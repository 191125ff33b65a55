export { dashboardBody } from './dashboard.ts'
export { noticeBody, signInBody } from './sign-in.ts'
export { STYLE } from './style.ts'
