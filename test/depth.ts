/** Whether everything is tested in full, as before a release (`npm run test:deep`), or in the doses of `npm test`. */
export const inDepth = process.env.TEST_DEPTH === 'deep'

/** How much of something is tested: the dose of `npm test`, or all of it in depth. */
export function dose<Amount>(usual: Amount, full: Amount): Amount {
  return inDepth ? full : usual
}

/** Where random choices of the tests begin; `npm run test:deep` takes a new one each time. */
export const SEED = process.env.TEST_SEED ?? '1'

/** An amount that the command line may give, such as `--kills`: what it gives, else the dose. */
export function amount(name: 'TEST_KILLS' | 'TEST_REQUESTS', usual: number, full: number): number {
  const given = process.env[name]
  return given === undefined ? dose(usual, full) : Number(given)
}
