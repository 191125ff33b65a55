import { html, raw } from 'hono/html'
import type { Manifest, ManifestTable } from './manifest.ts'
import { documentsFolder, pathOfOriginal } from './names.ts'
import { STYLE } from './page-style.ts'
import type { ExportedRelation, Row } from './relations.ts'
import type { ListedOriginal, Volume } from './volume.ts'

/** What the page is made from. */
type IndexContent = {
  volume: Volume
  volumes: { all: number; documents: number }
  /** Rows of the export by table, such as `checkin.check_ins`. */
  rowsNamed: (table: string) => readonly Row[]
  tables: readonly ManifestTable[]
  relations: readonly ExportedRelation[]
  manifest: Manifest
  name: { first: string; last: string }
  resources: readonly { name: string; phone?: string | null; website?: string | null }[]
  /** Recordings, images and files, wherever they are. */
  originals: readonly ListedOriginal[]
}

type Piece = ReturnType<typeof html> | ''

/** The page that a person reads first. It has no script and loads nothing; its links work once all volumes are unpacked side by side. */
export async function indexPage(content: IndexContent): Promise<string> {
  const { volume, volumes } = content
  const sections = [
    accountSection(content),
    checkInsSection(content),
    sessionsSection(content),
    circleSection(content),
    consentsSection(content),
    filesSection(content),
    tablesSection(content),
    withheldSection(content),
    helpSection(content),
  ]
  const part =
    volumes.documents > 1
      ? html`<p>These are part ${volume.ordinal} of ${volumes.documents}: ${Array.from({ length: volumes.documents }, (_, index) => index + 1).map((ordinal) => partLink(volume.ordinal, ordinal))}</p>`
      : ''
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'">
<title>Your data · Student wellbeing</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<header><p class="soft">Student wellbeing</p><h1>Your data</h1>
<p>Everything that was stored about you on ${longTime(volume.created_at)}. The export has ${volumes.all === 1 ? 'one file' : `${volumes.all} files`}. Unpack all of them into the same folder, and the links on this page lead to your recordings, images and files.</p>${part}</header>
<main>${sections}</main>
</body>
</html>
`
  return String(page)
}

function partLink(from: number, to: number): Piece {
  const up = from === 1 ? '' : '../'
  return from === to
    ? html`<strong>part ${to}</strong> `
    : html`<a href="${up}${documentsFolder(to)}index.html">part ${to}</a> `
}

function accountSection({ rowsNamed, name, manifest }: IndexContent): Piece {
  const [user] = rowsNamed('auth.users')
  const [profile] = rowsNamed('public.profiles')
  if (!user) return ''
  const university = manifest.universities.find(({ id }) => id === profile?.university_id)
  return section('account', 'Your account', [
    html`<dl>
<dt>Name</dt><dd>${`${name.first} ${name.last}`.trim() || 'none'}</dd>
<dt>Email</dt><dd>${shown(user.email)}</dd>
<dt>University</dt><dd>${shown(university?.name ?? profile?.university_id)}</dd>
<dt>Since</dt><dd>${longTime(user.created_at)}</dd>
</dl>`,
  ])
}

function checkInsSection(content: IndexContent): Piece {
  const { rowsNamed, originals, volume } = content
  const results = new Map(rowsNamed('checkin.fusion_results').map((row) => [row.check_in_id, row]))
  const [baseline] = rowsNamed('checkin.user_baselines')
  const media = Map.groupBy(originals, ({ name }) => name.split('/')[1] ?? '')
  const rows = rowsNamed('checkin.check_ins').toReversed()
  if (rows.length === 0) return section('check-ins', 'Your check-ins', [html`<p>None in this part.</p>`])
  return section('check-ins', 'Your check-ins', [
    html`<p>A score goes from 0 to 100, higher is better. It is an estimate by software, no diagnosis; its uncertainty goes from 0 to 1. The interval says within what a
repeated check-in would score nine times of ten: how repeatable the score is, not how accurate, unless it is marked as calibrated.${
      baseline
        ? html` Your usual score was ${shown(round(baseline.score_mean))}, over ${shown(baseline.check_ins)} check-ins.`
        : ''
    }</p>`,
    table(
      'Your check-ins, the newest first',
      ['When', 'Kind', 'State', 'Score', '90% interval', 'Uncertainty', 'Risk', 'Summary', 'Originals'],
      rows.map((row) => {
        const result = results.get(row.id)
        return [
          longTime(row.created_at),
          row.type,
          row.status,
          result?.score,
          result && interval(result),
          result?.uncertainty,
          row.risk_level,
          result?.summary,
          mediaLinks(media.get(String(row.id)) ?? [], volume),
        ]
      }),
    ),
  ])
}

function interval({ score_interval, calibrated }: Row): string {
  if (!Array.isArray(score_interval)) return ''
  return `${score_interval.join(' to ')}${calibrated === true ? ' (calibrated)' : ''}`
}

function mediaLinks(originals: readonly ListedOriginal[], volume: Volume): Piece {
  return html`${originals.map((original) => {
    const path = pathOfOriginal(original, volume.user_id)
    return html`<a href="${up(volume)}${encodeURI(path)}">${path.slice(path.lastIndexOf('/') + 1)}</a> `
  })}`
}

function sessionsSection({ rowsNamed }: IndexContent): Piece {
  const scores = new Map(rowsNamed('public.session_scores').map((row) => [row.session_id, row]))
  const rows = rowsNamed('public.assessment_sessions').toReversed()
  if (rows.length === 0) return ''
  return section('sessions', 'Your assessment sessions', [
    table(
      'Your sessions, the newest first',
      ['When', 'Kind', 'State', 'Score', 'Confidence', 'Risk'],
      rows.map((row) => {
        const score = scores.get(row.id)
        return [
          longTime(row.created_at),
          row.assessment_type,
          row.status,
          score?.final_score,
          score?.confidence,
          score?.risk_level,
        ]
      }),
    ),
  ])
}

function circleSection({ rowsNamed }: IndexContent): Piece {
  const contacts = rowsNamed('public.buddy_contacts')
  if (contacts.length === 0) return ''
  return section('circle', 'Your support circle', [
    table(
      'Your contacts',
      ['Name', 'Phone', 'Email', 'Relationship', 'Verified', 'Since'],
      contacts.map((row) => [
        row.name,
        row.phone,
        row.email,
        row.relationship,
        row.verified === true ? 'yes' : 'no',
        longTime(row.created_at),
      ]),
    ),
  ])
}

function consentsSection({ rowsNamed }: IndexContent): Piece {
  const consents = rowsNamed('public.consents')
  if (consents.length === 0) return ''
  return section('consents', 'What you agreed to', [
    table(
      'Your consents',
      ['To', 'Version', 'Given', 'Withdrawn'],
      consents.map((row) => [
        row.kind,
        row.version,
        longTime(row.granted_at),
        row.withdrawn_at === null ? '' : longTime(row.withdrawn_at),
      ]),
    ),
  ])
}

function filesSection({ originals, volume }: IndexContent): Piece {
  const files = originals.filter(({ bucket }) => !bucket.startsWith('check-in-'))
  if (files.length === 0 || volume.ordinal > 1) return ''
  return section('files', 'Your files', [
    html`<ul>${files.map((file) => {
      const path = pathOfOriginal(file, volume.user_id)
      return html`<li><a href="${encodeURI(path)}">${path.slice(path.lastIndexOf('/') + 1)}</a></li>`
    })}</ul>`,
  ])
}

function tablesSection({ tables, relations, volume }: IndexContent): Piece {
  const purposes = new Map(
    relations.map(({ schema, name, columns }) => [`${schema}.${name}`, columns[0]?.purpose ?? '']),
  )
  return section('tables', 'Everything, table by table', [
    html`<p>Each table is there as CSV, which any spreadsheet opens, and as JSON. What each column means, with unit, range and method, is in ${volume.ordinal === 1 ? html`<a href="dictionary.csv">dictionary.csv</a>` : html`<a href="../dictionary.csv">dictionary.csv</a>`}. Health apps read <a href="fhir-bundle.json">fhir-bundle.json</a> (HL7 FHIR R4).</p>`,
    table(
      'The tables of this export',
      ['Table', 'What it is kept for', 'Rows', 'As'],
      tables.map(({ schema, table: name, rows, file }) => [
        `${schema}.${name}`,
        purposes.get(`${schema}.${name}`),
        rows,
        html`<a href="csv/${schema}.${name}.csv" aria-label="${schema}.${name} as CSV">CSV</a> <a href="${file}" aria-label="${schema}.${name} as JSON">JSON</a>`,
      ]),
    ),
  ])
}

function withheldSection({ manifest, volume }: IndexContent): Piece {
  if (volume.ordinal > 1) return ''
  return section('left-out', 'What is left out', [
    html`<p>Passwords, tokens and other keys of your account, copies that the service keeps for days to do its work, and:</p>`,
    html`<ul>${manifest.withheld.map(({ table: name, column, reason }) => html`<li>${name}, ${column}: ${reason}</li>`)}</ul>`,
  ])
}

function helpSection({ resources }: IndexContent): Piece {
  return section('help', 'If reading this is hard', [
    html`<p>You don't have to read it alone. If you are in danger, call the emergency services.</p>`,
    html`<ul>${resources.map(({ name, phone, website }) => html`<li>${name}${phone ? html` <a href="tel:${phone.replace(/[^+\d]/g, '')}">${phone}</a>` : ''}${website ? html` <a href="${website}" rel="noreferrer">${website}</a>` : ''}</li>`)}</ul>`,
  ])
}

function section(id: string, heading: string, content: readonly Piece[]): Piece {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>${content}</section>
`
}

/** A table that scrolls by itself on a narrow screen. */
function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly unknown[])[],
): ReturnType<typeof html> {
  return html`<div class="table" tabindex="0" role="region" aria-label="${caption}"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    (cells) => html`<tr>${cells.map(cellOf)}</tr>
`,
  )}</tbody></table></div>`
}

function cellOf(value: unknown): Piece {
  if (typeof value === 'number') return html`<td class="number">${value}</td>`
  return html`<td>${typeof value === 'object' && value !== null ? (value as Piece) : shown(value)}</td>`
}

function shown(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}

function round(value: unknown): string {
  return typeof value === 'number' ? value.toFixed(1) : ''
}

/** From the documents of a volume up to the root folder. */
function up({ ordinal }: Volume): string {
  return ordinal === 1 ? '' : '../'
}

function longTime(value: unknown): string {
  if (typeof value !== 'string') return ''
  return `${new Date(value).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
