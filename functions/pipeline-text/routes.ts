import { route, webhook } from '../_shared/http/route.ts'
import { jobCall } from '../_shared/pipeline/job.ts'

export const dispatchToTextWorker = route({
  ...webhook,
  ...jobCall,
  id: 'dispatchToTextWorker',
  path: '/pipeline-text',
  summary: 'Analyses the transcript of a check-in',
})
