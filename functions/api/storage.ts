import { fileNotFound, signFile, storeFile } from '../_shared/files/bucket.ts'
import { fileKey, isFileKey, USUAL_LIFETIME_S } from '../_shared/files/keys.ts'
import { downloadFile, uploadFile } from '../_shared/files/routes.ts'
import { fileAndFields, fileTooLarge, MAX_FORM_BYTES, uploadFields } from '../_shared/files/upload-form.ts'
import type { App } from '../_shared/http/app.ts'
import { validated } from '../_shared/http/body.ts'
import { withForm } from '../_shared/http/form-body.ts'
import { callerClient } from '../_shared/http/project-client.ts'
import { serve } from '../_shared/http/serve.ts'
import { isStaffAt } from '../_shared/http/staff-roles.ts'
import type { Services } from './services.ts'

/** `/api/storage/*`. What knows the types of files is loaded with the first upload. */
export function storageRoutes(api: App, services: Services): void {
  const { environment } = services

  serve(api, services, uploadFile, async (_, call) =>
    withForm(call.request, { maxBytes: MAX_FORM_BYTES, tooLarge: fileTooLarge }, async (parts) => {
      const { fileTypeOf } = await import('../_shared/files/file-type.ts')
      const { file, fields } = fileAndFields(parts)
      const { university_id: university, folder = [] } = validated(uploadFields, fields)
      const type = await fileTypeOf(file)
      const supabase = callerClient(environment, call)
      const staff = await isStaffAt(supabase, university)
      const key = fileKey({
        university,
        student: staff ? null : call.caller.userId,
        folder,
        id: crypto.randomUUID(),
        name: file.name,
        extension: type.extension,
      })
      await storeFile(supabase, key, file.bytes, type)
      const { url } = await signFile(supabase, environment.publicUrl, key, USUAL_LIFETIME_S)
      return { success: true, url, key }
    }),
  )

  serve(api, services, downloadFile, async ({ query: { key, university_id, expires } }, call) => {
    if (!isFileKey(key, university_id)) throw fileNotFound()
    const supabase = callerClient(environment, call)
    return { success: true, ...(await signFile(supabase, environment.publicUrl, key, expires)) }
  })
}
