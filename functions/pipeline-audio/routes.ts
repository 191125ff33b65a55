import { route, webhook } from '../_shared/http/route.ts'
import { jobCall } from '../_shared/pipeline/job.ts'

export const dispatchToAudioWorker = route({
  ...webhook,
  ...jobCall,
  id: 'dispatchToAudioWorker',
  path: '/pipeline-audio',
  summary: 'Analyses a slice of a recording, or merges the slices',
})
