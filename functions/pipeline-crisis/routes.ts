import { route, webhook } from '../_shared/http/route.ts'
import { jobCall } from '../_shared/pipeline/job.ts'

export const dispatchToCrisisWorker = route({
  ...webhook,
  ...jobCall,
  id: 'dispatchToCrisisWorker',
  path: '/pipeline-crisis',
  summary: 'Reads the sentences of a transcript for crisis language',
})
