import { join } from 'node:path'
import { ROOT } from '../../local/stack/root.ts'
import { measure } from './measure.ts'
import { makeRecordings } from './recordings.ts'
import { serveStorage } from './storage.ts'
import { recordingSubject } from './subjects.ts'
const media = '/tmp/benchtry'
const storage = await serveStorage({ media, 'analysis-assets': join(ROOT, 'engines', 'assets') })
for (const r of await makeRecordings(media, [600], ['mp3'])) {
  const s = await recordingSubject(r)
  const u = await measure({ steps: s.steps, runs: 3, storageUrl: storage.url }, 1)
  console.log(r.name, u.runs.map((x) => x.map((c) => Math.round(c.peakMb)).join(' ')).join(' || '))
}
storage.close()
