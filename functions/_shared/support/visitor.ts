import { isbot } from 'isbot'

/**
 * Whether a request for a page seems to be a person who follows a link: a navigation that somebody caused
 * (`Sec-Fetch-User`), no prefetch, and no machine that says so of itself. An estimate: browsers from before 2023 do not say
 * it, and a machine can say anything. https://www.w3.org/TR/fetch-metadata/
 */
export function isPersonsVisit({ method, headers }: Request): boolean {
  const purpose = `${headers.get('sec-purpose')} ${headers.get('purpose')}`
  return (
    method === 'GET' &&
    headers.get('sec-fetch-user') === '?1' &&
    !/prefetch|prerender|preview/i.test(purpose) &&
    !isbot(headers.get('user-agent'))
  )
}
