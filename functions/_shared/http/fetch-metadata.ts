/**
 * Whether a page of another site had a browser send a request: it says nothing against the person at the browser, nor against
 * the address that it comes from. Browsers say so in `Sec-Fetch-Site`, which no page can change; `same-site` is another host
 * of the same domain, such as a homepage at a university, and so another page too. Browsers older than 2023, and over plain http,
 * say it in `Origin` where the page needs to be allowed to send the request, and of images and links not at all.
 *
 * A client that is no browser can say anything: what this is asked for must gain it nothing.
 * https://www.w3.org/TR/fetch-metadata/
 */
export function isByOtherPage({ url, headers }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  const origin = headers.get('origin')
  if (origin === null) return false
  const own = [
    new URL(url).host,
    headers.get('host'),
    headers.get('x-forwarded-host'),
    headers.get('x-pages-host'),
  ]
  return !URL.canParse(origin) || !own.includes(new URL(origin).host)
}
