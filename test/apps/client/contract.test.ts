import { createClient } from '@supabase/supabase-js'
import { expect, inject, vi } from 'vitest'
import { createWellbeingClient } from '../../../client/src/index.ts'
import { PASSWORD } from '../../../harness/factories/accounts.ts'
import { faces, speech } from '../../../harness/factories/check-ins.ts'
import { mailsTo } from '../../../harness/factories/mails.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { describeContract } from '../client-contract.ts'

const project = inject('project')

describeContract('the service', {
  async student(consents) {
    const { client } = await newStudent(project, consents)
    return { wellbeing: createWellbeingClient(client), supabase: client, password: PASSWORD }
  },
  async stranger() {
    const supabase = createClient(project.apiUrl, project.publishableKey, { auth: { persistSession: false } })
    return { wellbeing: createWellbeingClient(supabase), supabase, password: null }
  },
  async mailedCode(_, email) {
    const mail = await vi.waitFor(async () => {
      const [newest] = await mailsTo(email)
      expect(newest?.text).toMatch(/\b\d{6,10}\b/)
      return newest
    }, 30_000)
    return mail?.text.match(/\b\d{6,10}\b/)?.[0] ?? ''
  },
  async recorded() {
    const { bytes, type } = speech('short.webm')
    const images = (await faces()).map((face) => new Blob([face.bytes], { type: face.type }))
    return { audio: new Blob([bytes], { type }), images }
  },
})
