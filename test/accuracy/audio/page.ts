import { BARS, type Bar, REPORTED } from './bars.ts'
import { type Comparison, difference } from './comparison.ts'

const INTRODUCTION = `Made by \`npm run accuracy:audio\`, which needs Debian's \`praat\`, \`espeak-ng\`, \`ffmpeg\` and
\`pocketsphinx-testdata\`. It makes the recordings anew each time: voices of eSpeak NG and people reading for LibriVox, with
noise added at several levels, at 16 kHz, and one longer than a slice, so that merging takes part. The reference is
\`test/accuracy/audio/measures.praat\`: Praat with the settings that each feature's docstring states, syllable nuclei
after de Jong and Wempe (2009). For alpha ratio and Hammarberg index, for which Praat has no command, it is a plain
discrete Fourier transform of the frames that Praat gives a pitch.

Synthetic voices get faint noise, as any microphone adds it: in digital silence Praat measures a cepstral peak of its
own resampler's ripple, where ours leaves the frame out.`

/** The page's section on the voice features, and whether every recording keeps within every bar. */
export function section(comparisons: Comparison[]): { text: string; holds: boolean } {
  const worst = (bar: Omit<Bar, 'limit'>) =>
    comparisons
      .map((comparison) => ({ comparison, off: Math.abs(difference(comparison, bar)) }))
      .reduce((most, each) => (each.off <= most.off ? most : each))
  const summary = BARS.map((bar) => {
    const { comparison, off } = worst(bar)
    const holds = off <= bar.limit
    return {
      holds,
      cells: [
        `\`${bar.measure}\``,
        amount(bar.limit, bar),
        amount(off, bar),
        holds ? 'yes' : '**no**',
        off > 0 ? comparison.recording : '',
      ],
    }
  })
  const text = [
    INTRODUCTION,
    `### Greatest differences over ${comparisons.length} recordings`,
    table(
      ['Measure', 'At most', 'Measured', 'Holds', 'Where'],
      summary.map(({ cells }) => cells),
    ),
    'Features that have no bar of their own:',
    table(
      ['Feature', 'Greatest difference', 'Where'],
      REPORTED.map((bar) => {
        const { comparison, off } = worst(bar)
        return [`\`${bar.measure}\``, amount(off, bar), off > 0 ? comparison.recording : '']
      }),
    ),
    '### Each recording: ours, and the reference after the stroke',
    table(
      ['Recording', ...BARS.map(({ measure }) => measure.replaceAll('_', ' '))],
      comparisons.map(({ recording, ours, reference }) => [
        recording,
        ...BARS.map(({ measure }) =>
          [ours, reference].map((values) => value(values.get(measure))).join(' / '),
        ),
      ]),
    ),
  ].join('\n\n')
  return { text, holds: summary.every(({ holds }) => holds) }
}

function amount(off: number, { measure, relative }: Omit<Bar, 'limit'>): string {
  if (Number.isNaN(off)) return 'not comparable'
  if (relative) return `${(100 * off).toFixed(2)}%`
  if (measure.endsWith('_db')) return `${off.toFixed(2)} dB`
  return measure.endsWith('_count') ? String(off) : off.toFixed(3)
}

function value(of: number | undefined): string {
  if (of === undefined || Number.isNaN(of)) return '–'
  return Number.isInteger(of) ? String(of) : of.toFixed(Math.abs(of) < 1 ? 4 : 2)
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
