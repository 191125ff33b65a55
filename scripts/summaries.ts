import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkInRows, summariesPage, transcriptRows } from '../test/fixtures/summaries/page.ts'
import { ROOT } from './root.ts'

/** `npm run summaries`: writes docs/summaries.md. */
writeFileSync(join(ROOT, 'docs', 'summaries.md'), summariesPage(checkInRows(), transcriptRows()))
