import { writeGenerated } from '../../../scripts/generated.ts'
import { type TakenImage, takenImagesOf } from './faces.ts'
import { section } from './section.ts'

/*
 * Measures what light and skin change in the face's score and in whether a still can be used, prints the tables and puts them into
 * the page on accuracy. Ends with 1 where groups differ by more than 3 points.
 */
const EXPOSURES = [1, 1 / 4, 1 / 16, 1 / 24, 1 / 32, 1 / 45, 1 / 64]

/** Middles of the groups light and dark, as typology angles. */
const SKINS = [undefined, 48, -40]

const lights = SKINS.flatMap((skin) => EXPOSURES.map((exposure) => ({ skin, exposure })))
const images: TakenImage[] = await takenImagesOf(lights)
const { text, holds } = section(images, EXPOSURES)
console.log(text)
writeGenerated('accuracy.md', 'npm run accuracy:face', text)
process.exitCode = holds ? 0 : 1
