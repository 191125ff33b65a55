import { removalWebhook } from '../_shared/files/object-removals.ts'
import { route, webhook } from '../_shared/http/route.ts'

export const dispatchToObjectRemover = route({
  ...webhook,
  id: 'dispatchToObjectRemover',
  path: '/remove-objects',
  summary: 'Removes the files that wait for it from Storage',
  description: 'Called by the database alone. It goes on after its response, until no removal is due.',
  body: removalWebhook,
  example: { body: { type: 'INSERT', schema: 'private', table: 'object_removals' } },
})
