import { expect, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { apiClient } from '../../../harness/client/openapi-client.ts'
import { HOME, newStudent } from '../../../harness/factories/students.ts'
import { startOwnStack } from '../../../harness/stack/own-stack.ts'
import { statusMb } from '../../../harness/stack/processes.ts'
import { dose } from '../../depth.ts'
import { bytesOf, mp4, png } from '../../unit/files/samples.ts'

const HOSTED_MB = 256

test.skipIf(process.platform !== 'linux')(
  'the largest files fit into the memory of a hosted function beside all that it has loaded, also many at once',
  async () => {
    const project = await startOwnStack({ args: ['--limits', 'off'] })
    try {
      const student = await newStudent(project, ['text'])
      const api = apiClient(project, student.token)
      const upload = async (bytes: Uint8Array<ArrayBuffer>, type: string) => {
        const form = new FormData()
        form.append('university_id', HOME)
        form.append('file', new File([bytes], 'file', { type }))
        const { response } = await api.POST('/api/storage/upload', { body: form })
        expect(response.status).toBe(200)
      }
      const transcript = 'I walked to the lake with a friend.'
      await call(project, student.token, 'POST', 'api/textmodel/analyze-text', { transcript })
      await upload(png(), 'image/png')

      const film = new Uint8Array(50 * 1024 * 1024)
      film.set(mp4())
      for (let index = 0; index < dose(1, 3); index++) await upload(film, 'video/mp4')
      await upload(film.fill(bytesOf('a')[0] ?? 0), 'text/plain')

      const crowd = await Promise.all(Array.from({ length: dose(3, 5) }, () => newStudent(project, [])))
      const statuses = await Promise.all(
        crowd.map(async ({ token }) => {
          const form = new FormData()
          form.append('university_id', HOME)
          form.append('file', new File([film], 'file', { type: 'text/plain' }))
          const { response } = await apiClient(project, token).POST('/api/storage/upload', { body: form })
          return response.status
        }),
      )
      expect(statuses).toContain(200)
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])

      const pid = (await project.processes()).functions.get('api')
      // As the stack's own meter counts: without the pages of Deno's binary, which are no isolate's.
      expect(statusMb(pid ?? 0, 'VmHWM') - statusMb(pid ?? 0, 'RssFile')).toBeLessThan(HOSTED_MB)
    } finally {
      await project.stop()
    }
  },
)
