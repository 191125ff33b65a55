import { EMOTIONS } from '../../../functions/_shared/visual/outcome.ts'
import type { TakenImage } from './faces.ts'
import { differenceOf, type Estimate, meanOf, shareOf } from './intervals.ts'

/** Points by which the scores of groups may differ, and of a hundred images how many more one group may lose. */
const MOST_APART = 3

/** Groups by the typology angle of the skin as photographed (Del Bino and Bernerd 2013, neighbours joined). */
const GROUPS = [
  { name: 'light and intermediate, above 28°', has: ({ angle }: TakenImage) => angle > 28 },
  { name: 'tan, 10° to 28°', has: ({ angle }: TakenImage) => angle > 10 && angle <= 28 },
  { name: 'brown and dark, up to 10°', has: ({ angle }: TakenImage) => angle <= 10 },
] as const

const INTRODUCTION = `Made by \`npm run accuracy:face\`, from the faces in the pictures that the packages \`@vladmandic/human\` and
\`@vladmandic/face-api\` show as examples: nine portraits and a grid of 108, many of them of the same people, smiling for a camera. They are
no sample of students, and few are dark-skinned; who smiles was said by eye. Each still is scored alone and without a baseline.

Other light is computed: the picture in linear light times the exposure, with the noise of a phone's sensor, as JPEG, and no automatic
exposure, which would brighten what a phone takes. Skin types are groups of the individual typology angle, atan((L* - 50)/b*) (Chardon,
Cretois and Hourseau 1991), measured on cheeks and forehead; the light of the room is in it. For the comparison of the same face
with light and with dark skin, all within its outline was made to reflect in proportion, eyes and teeth too.`

/** The page's section on faces, and whether groups differ by no more than they may. */
export function section(images: TakenImage[], exposures: number[]): { text: string; holds: boolean } {
  const asTaken = new Map(
    images
      .filter(({ skin, exposure }) => skin === undefined && exposure === 1)
      .map((still) => [still.face, still]),
  )
  const inOwnSkin = images.filter(({ skin }) => skin === undefined)
  const change = (still: TakenImage) => (still.score ?? 0) - (asTaken.get(still.face)?.score ?? 0)
  const usableOf = (of: TakenImage[]) => of.filter(({ score }) => score !== null)

  const byLight = exposures.flatMap((exposure) =>
    GROUPS.map(({ name, has }) => {
      const group = inOwnSkin.filter((still) => still.exposure === exposure && has(still))
      const usable = usableOf(group)
      return [
        ...[light(exposure), name, `${usable.length} of ${group.length}`],
        share(shareOf(usable.length, group.length)),
        exposure === 1 ? points(meanOf(usable.map(({ score }) => score ?? 0))) : '',
        exposure === 1 ? '' : points(meanOf(usable.map(change))),
      ]
    }),
  )

  const [lightSkin, darkSkin] = [...new Set(images.flatMap(({ skin }) => skin ?? []))].sort((a, b) => b - a)
  const pairs = exposures.map((exposure) => {
    const of = (wanted: number | undefined) =>
      images.filter(({ skin, exposure: taken }) => skin === wanted && taken === exposure)
    const [first, second] = [of(lightSkin), of(darkSkin)]
    const both = first.flatMap((still) => {
      const other = second.find(({ face }) => face === still.face)
      return still.score !== null && other && other.score !== null ? [other.score - still.score] : []
    })
    const lost = differenceOf(
      second.map(({ score }) => (score === null ? 100 : 0)),
      first.map(({ score }) => (score === null ? 100 : 0)),
    )
    return { exposure, first, second, apart: meanOf(both), lost }
  })

  const groupsAsTaken = GROUPS.map(({ has }) =>
    [...asTaken.values()].filter(has).map(({ score }) => score ?? 0),
  )
  const [lighter = [], , darker = []] = groupsAsTaken
  const between = differenceOf(darker, lighter)
  const apart = [between, ...pairs.flatMap(({ apart, lost }) => [apart, lost])]
  const holds = apart.every(({ value }) => Math.abs(value) <= MOST_APART)

  const text = [
    INTRODUCTION,
    '### In other light, by skin type',
    table(['Light', 'Skin as photographed', 'Usable', 'Share', 'Score', 'Change of the score'], byLight),
    `Scores as photographed, brown and dark less light and intermediate: ${points(between)}. Different people, who smile differently.`,
    '### The same face with dark and with light skin',
    table(
      ['Light', 'Usable light', 'Usable dark', 'Lost more of a hundred', 'Score, dark less light'],
      pairs.map(({ exposure, first, second, apart, lost }) => [
        ...[light(exposure), `${usableOf(first).length} of ${first.length}`],
        ...[`${usableOf(second).length} of ${second.length}`, points(lost), points(apart)],
      ]),
    ),
    `${holds ? 'No' : '**Not met: no**'} difference is more than ${MOST_APART} points.`,
    '### Neutral and smiling faces',
    table(
      ['Shown', 'Faces', 'Score', 'Smile', ...EMOTIONS.map((emotion) => `most likely ${emotion}`)],
      (['neutral', 'smiling'] as const).map((label) => {
        const of = [...asTaken.values()].filter((still) => still.label === label)
        const tops = of.map(({ outcome }) => topOf(outcome.face?.emotions))
        return [
          ...[label, String(of.length), points(meanOf(of.map(({ score }) => score ?? 0)))],
          meanOf(of.map(({ outcome }) => outcome.face?.expression.smile ?? 0)).value.toFixed(2),
          ...EMOTIONS.map((emotion) => String(tops.filter((top) => top === emotion).length)),
        ]
      }),
    ),
  ].join('\n\n')
  return { text, holds }
}

function topOf(emotions: Record<string, number> | undefined): string | undefined {
  return Object.entries(emotions ?? {}).sort(([, first], [, second]) => second - first)[0]?.[0]
}

const light = (exposure: number) => (exposure === 1 ? 'as photographed' : `1/${1 / exposure}`)

const points = ({ value, low, high }: Estimate) =>
  Number.isNaN(value) ? '–' : `${value.toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)})`

const share = ({ value, low, high }: Estimate) =>
  `${(100 * value).toFixed(0)}% (${(100 * low).toFixed(0)} to ${(100 * high).toFixed(0)})`

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
