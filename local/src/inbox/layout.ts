import { html, raw } from 'hono/html'
import type { Message } from './inbox.ts'

/** What pages may do: no scripts, and nothing from elsewhere. */
export const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; form-action 'self'; base-uri 'none'"

const style = raw(`
:root { color-scheme: light dark; --ink: #1c1c1c; --faint: #5f6368; --line: #dfe1e5; --page: #fafafa; --card: #fff; --link: #0b57d0 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ededed; --faint: #a8abaf; --line: #3a3d41; --page: #171717; --card: #212121; --link: #8ab4f8 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main, header { max-width: 52rem; margin: 0 auto; padding: 1rem }
header { display: flex; align-items: center; justify-content: space-between; gap: 1rem }
h1 { font-size: 1.35rem; margin: 0 }
a { color: var(--link) }
ul { list-style: none; margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: .5rem }
li + li { border-top: 1px solid var(--line) }
li a { display: grid; grid-template-columns: 4rem minmax(0, 1fr) auto; gap: .25rem 1rem; padding: .75rem 1rem; text-decoration: none; color: inherit }
li a:hover { background: color-mix(in srgb, var(--link) 8%, transparent) }
a:focus-visible, button:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
.kind { font-size: .75rem; font-weight: 600; text-transform: uppercase; color: var(--faint); padding-top: .25rem }
.faint, dt { color: var(--faint); font-size: .875rem }
.subject { font-weight: 600; overflow-wrap: anywhere }
button { font: inherit; padding: .4rem .9rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); color: inherit; cursor: pointer }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 1rem 0 } dd { margin: 0; overflow-wrap: anywhere }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; font: inherit }
input, select { font: inherit; padding: .4rem; border: 1px solid var(--faint); border-radius: .4rem; background: var(--card); color: inherit; max-width: 100% }
form.setting { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: 0 0 1rem } form.setting label { min-width: 0 }
.phone select { min-width: 0; flex: 1 }
.phone { display: flex; flex-direction: column; gap: .75rem; max-width: 28rem; margin: 0 auto; padding: 0; border: 0; background: none }
.phone li { border: 0; max-width: 85% } .phone li.from { align-self: flex-end }
.bubble { padding: .5rem .8rem; border-radius: 1rem; background: var(--card); border: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere }
.phone .bubble a { display: inline; padding: 0; color: var(--link); text-decoration: underline }
.from .bubble { background: color-mix(in srgb, var(--link) 14%, var(--card)) } .away .bubble { border-style: dashed; opacity: .85 }
.phone form { display: flex; flex-wrap: wrap; gap: .4rem; margin-top: .3rem }
form.reply { display: flex; gap: .5rem; max-width: 28rem; margin: 1rem auto } form.reply input { flex: 1; min-width: 0 }
p.warning { margin: .2rem 0; font-size: .875rem; overflow-wrap: anywhere }
@media (max-width: 30rem) { li a { grid-template-columns: 3.5rem minmax(0, 1fr) } li a > :last-child { grid-column: 2 } }
iframe { width: 100%; height: 30rem; border: 1px solid var(--line); border-radius: .5rem; background: #fff }
`)

export type Content = ReturnType<typeof html>

export const page = (title: string, content: Content) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>${content}</body>
</html>`

export const timeOf = ({ receivedAt }: Message) =>
  html`<time datetime="${receivedAt}">${receivedAt.slice(0, 19).replace('T', ' ')} UTC</time>`

/** Plain text whose addresses can be followed. */
export function linked(text: string) {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, i) => (i % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))
}
