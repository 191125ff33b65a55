import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TakenImage, takenImagesOf } from './faces.ts'
import { section } from './section.ts'

/*
 * Measures what light and skin change in the face's score and in whether a still can be used, prints the tables and puts them into
 * the page on accuracy. Ends with 1 where groups differ by more than 3 points.
 */
const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'accuracy.md')
const [START, END] = ['<!-- face:begin -->', '<!-- face:end -->']

const EXPOSURES = [1, 1 / 4, 1 / 16, 1 / 24, 1 / 32, 1 / 45, 1 / 64]

/** Middles of the groups light and dark, as typology angles. */
const SKINS = [undefined, 48, -40]

const lights = SKINS.flatMap((skin) => EXPOSURES.map((exposure) => ({ skin, exposure })))
const images: TakenImage[] = await takenImagesOf(lights)
const { text, holds } = section(images, EXPOSURES)
console.log(text)
const page = await readFile(PAGE, 'utf8')
const [start, end] = [page.indexOf(START), page.indexOf(END)]
if (start < 0 || end < start) throw new Error(`${PAGE} has no place for the tables on faces`)
await writeFile(PAGE, `${page.slice(0, start)}${START}\n\n${text}\n\n${page.slice(end)}`)
process.exitCode = holds ? 0 : 1
