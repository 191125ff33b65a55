import { html } from 'hono/html'
import { STYLE } from './page-style.ts'
import type { ExportDetail } from './requests.ts'

type DownloadPage = { title: string; style: string; body: ReturnType<typeof html>; status: number }

/** The page that the link in the email leads to: the files of an export, and a button that deletes them. */
export function downloadPage({ volumes, expires_at }: ExportDetail): DownloadPage {
  return pageOf('Your data', 200, [
    html`<section><h1>Your data is ready</h1>
<p>Download every file, and unpack all zips into the same folder. Then open <strong>index.html</strong> in it. The files are here until ${longTime(expires_at)}.</p>
<ul>${volumes.map(({ url, file_name, bytes }) => html`<li>${url ? html`<a href="${url}" rel="noreferrer">${file_name}</a>` : file_name} <span class="soft">${sizeOf(bytes)}</span></li>`)}</ul>
<p class="soft">A download that does not start any more after an hour starts again when you reload this page.</p></section>`,
    html`<section aria-labelledby="delete"><h2 id="delete">Delete the copy</h2>
<p>Whoever has the link of this page can download the files. Delete them here once you have them; nothing else that is stored about you is deleted.</p>
<form method="post"><button type="submit">Delete the copy</button></form></section>`,
  ])
}

/** The page after the files were deleted. */
export function deletedPage(): DownloadPage {
  return pageOf('Deleted', 200, [
    html`<section><h1>The copy is deleted</h1><p>The link does not work any more. You can ask for a new copy in the app.</p></section>`,
  ])
}

/** The page of a link that leads nowhere: never was, expired, or deleted. */
export function unknownPage(): DownloadPage {
  return pageOf('Link does not work', 404, [
    html`<section><h1>This link does not work</h1><p>It works for seven days, until the copy is deleted. You can ask for a new one in the app.</p></section>`,
  ])
}

/** The page of somebody who tries one unknown link after another. */
export function tooManyPage(waitS: number): DownloadPage {
  return pageOf('Too many tries', 429, [
    html`<section><h1>Too many tries</h1><p>Try again in ${Math.ceil(waitS / 60)} min.</p></section>`,
  ])
}

/** The title names nobody, because previews, tabs and the history of a shared phone show it. */
function pageOf(title: string, status: number, content: ReturnType<typeof html>[]): DownloadPage {
  return {
    title: `${title} · Student wellbeing`,
    style: STYLE,
    status,
    body: html`<header><p class="soft">Student wellbeing</p></header><main>${content}</main>`,
  }
}

function sizeOf(bytes: number | null): string {
  if (bytes === null) return ''
  return bytes < 100_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

function longTime(time: string | null): string {
  return time === null ? '' : `${time.slice(0, 16).replace('T', ' ')} (UTC)`
}
