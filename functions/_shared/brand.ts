import { html } from 'hono/html'

/** The mark of the product, which stands before its name at the top of every page. A page's style sheet sizes and colours it. */
export const MARK = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 13h4l2.5-7 5 12 2.5-5h4"/></svg>`
