import { quantile } from '../../../functions/_shared/audio/statistics.ts'
import { DEGRADATIONS } from './degradations.ts'
import type { Shift } from './shifts.ts'

/** Bars of the score's move in points: its median over all, and its greatest wherever the quality is above 0.5. */
const MEDIAN = 4
const GREATEST = 12
const TRUSTED = 0.5

/** So many of the scores move by no more than their own 90% interval. */
const WITHIN = 0.9

/** Of recordings with a second speaker so many are noticed at least, and so many of the others wrongly at most. */
const NOTICED = 0.8
const WRONGLY = 0.03

const INTRODUCTION = `Made by \`npm run accuracy:degradations\`, which needs the Debian packages that it names where they are missing. People whose
voices these packages ship (telephone prompts in five languages, lines of a game, a radio operator, an audiobook) give recordings
of 13 to 35 s, up to four each; the pauses between their sentences are set, some fluent, some slow. The reference is the score of
the clean recording, by voice alone and without a baseline. Thresholds were set on half of the readers; the table shows the other
half. Of that half three things were seen before it was finished: that a gain control moved two recordings by 14 points, after which
pauses were weighed less; that of second speakers told by all voiced frames 19 of 25 were noticed, after which, by the tuning half, faint
frames were left out; and which recordings with a gain control were noticed, once its thresholds were set.
The command leaves every recording in \`shifts.jsonl\`, beside its code.`

/** The page's section on degradations, and whether the held-out readers keep within the bars. */
export function section(all: readonly Shift[]): { text: string; holds: boolean } {
  const heldOut = all.filter(({ split }) => split === 'held out')
  const named = heldOut.filter(({ degradation }) => isBarred(degradation))
  const sizes = sizesOf(named)
  const trusted = sizesOf(named.filter(({ quality }) => quality > TRUSTED))
  const [median, greatest] = [quantile(sizes, 0.5) ?? 0, Math.max(0, ...trusted)]
  const rows = DEGRADATIONS.map(({ name }) => {
    const rows = heldOut.filter(({ degradation }) => degradation === name)
    const [moves, sure] = [sizesOf(rows), sizesOf(rows.filter(({ quality }) => quality > TRUSTED))]
    const reasons = new Map<string, number>()
    for (const { reason } of rows) if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    return [
      name,
      points(quantile(moves, 0.5)),
      points(quantile(moves, 0.9)),
      sure.length > 0 ? points(Math.max(...sure)) : '–',
      String(sure.length),
      (quantile(qualitiesOf(rows), 0.5) ?? 0).toFixed(2),
      String(rows.length - moves.length),
      [...reasons].map(([reason, count]) => `${reason} ${count}`).join(', '),
    ]
  })
  const moved = heldOut.filter(({ shift, interval }) => shift !== null && interval !== null)
  const within = moved.filter(({ shift, interval }) => Math.abs(shift ?? 0) <= (interval ?? 0)).length
  const readers = new Set(heldOut.map(({ reader }) => reader)).size
  const recordings = new Set(heldOut.map(({ recording }) => recording)).size
  const speakers = secondSpeakers(heldOut)
  const text = [
    INTRODUCTION,
    table(
      [
        'Degradation',
        'Median',
        '90%',
        `Most at quality over ${TRUSTED}`,
        'of',
        'Quality',
        'Left out',
        'Noticed',
      ],
      rows,
    ),
    `${recordings} recordings of ${readers} readers. Of all but the second speaker the median is ${points(median)} points (bar: ${MEDIAN}), the most at a
quality above ${TRUSTED} ${points(greatest)} (bar: ${GREATEST}); ${named.length - sizes.length} of ${named.length} were left out of the score for their quality, and count in neither.`,
    `Of ${moved.length} scores, second speakers' included, ${within} = ${Math.round((100 * within) / moved.length)}% moved by no more than their own 90% interval (bar: ${100 * WITHIN}%).`,
    `A second speaker was noticed in ${speakers.noticed} of ${speakers.mixed} recordings with one (bar: ${100 * NOTICED}%) and in ${speakers.wrongly} of ${speakers.single}
others, clean and degraded, babble left out (bar: ${100 * WRONGLY}%).`,
  ].join('\n\n')
  const tellsSpeakers =
    speakers.noticed >= NOTICED * speakers.mixed && speakers.wrongly <= WRONGLY * speakers.single
  const holds = median <= MEDIAN && greatest <= GREATEST && within >= WITHIN * moved.length
  return { text, holds: holds && tellsSpeakers }
}

/** Of recordings with a second speaker and of those without, clean ones too, how many are said to have one; babble is people. */
function secondSpeakers(rows: readonly Shift[]) {
  const mixed = rows.filter(({ degradation }) => !isBarred(degradation))
  const clean = new Map(rows.map(({ recording, clean_reason }) => [recording, clean_reason]))
  const single = [
    ...clean.values(),
    ...rows
      .filter((row) => isBarred(row.degradation) && !row.degradation.startsWith('babble'))
      .map((row) => row.reason),
  ]
  return {
    mixed: mixed.length,
    noticed: mixed.filter(({ reason }) => reason === 'second_speaker').length,
    single: single.length,
    wrongly: single.filter((reason) => reason === 'second_speaker').length,
  }
}

/** Somebody else's words cannot be told from the student's where the voices are alike: reported, with no bar. */
function isBarred(degradation: string): boolean {
  return degradation !== 'second speaker'
}

function sizesOf(rows: readonly Shift[]): number[] {
  return rows.flatMap(({ shift }) => (shift === null ? [] : [Math.abs(shift)]))
}

function qualitiesOf(rows: readonly Shift[]): number[] {
  return rows.map(({ quality }) => quality)
}

function points(value: number | null): string {
  return value === null ? '–' : value.toFixed(1)
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
