import { route, webhook } from '../_shared/http/route.ts'
import { jobCall } from '../_shared/pipeline/job.ts'

export const dispatchToVisualWorker = route({
  ...webhook,
  ...jobCall,
  id: 'dispatchToVisualWorker',
  path: '/pipeline-visual',
  summary: 'Analyses a group of images, or merges the groups',
})
