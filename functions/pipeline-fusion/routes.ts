import { route, webhook } from '../_shared/http/route.ts'
import { jobCall } from '../_shared/pipeline/job.ts'

export const dispatchToFusionWorker = route({
  ...webhook,
  ...jobCall,
  id: 'dispatchToFusionWorker',
  path: '/pipeline-fusion',
  summary: 'Scores a check-in from its analyses',
})
