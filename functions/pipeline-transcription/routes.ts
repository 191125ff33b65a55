import { route, webhook } from '../_shared/http/route.ts'
import { jobCall } from '../_shared/pipeline/job.ts'

export const dispatchToTranscriptionWorker = route({
  ...webhook,
  ...jobCall,
  id: 'dispatchToTranscriptionWorker',
  path: '/pipeline-transcription',
  summary: 'Transcribes a recording',
})
