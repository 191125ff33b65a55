/**
 * What takes long and protects nobody's data or life: commands and reports of operators, the description of the calls, apps in
 * a browser, and the local platform by itself. `npm test` leaves these files, and folders, to `npm run test:deep`.
 */
export const LEFT_TO_A_RELEASE = [
  'local/test/',
  'test/local/',
  'test/apps/',
  'test/api/monitoring/metrics.test.ts',
  'test/api/operations/doctor.test.ts',
  'test/api/operations/smoke.test.ts',
  'test/api/security-tests/probes.test.ts',
  'test/schema/commands.test.ts',
  'test/browser/reference.test.ts',
]
