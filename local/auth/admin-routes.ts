import { bearerOf, type Caller } from '../gateway/caller.ts'
import {
  adminCreateUser,
  adminDeleteUser,
  adminGetUser,
  adminListUsers,
  adminUpdateUser,
  adminUserBody,
} from './admin.ts'
import { generateLink, generateLinkBody, inviteBody, inviteUser } from './admin-links.ts'
import type { AuthContext } from './context.ts'
import { errors } from './errors.ts'
import { type AuthApp, bodyOf, redirectOf } from './requests.ts'

/** `/admin/…` and `/invite`, for the secret key only. */
export function addAdminRoutes(app: AuthApp, context: AuthContext): void {
  app.use('/admin/*', async (c, next) => {
    assertAdmin(c.env.caller, c.req.raw)
    await next()
  })
  app.get('/admin/users', (c) => adminListUsers(context, new URL(c.req.url)))
  app.post('/admin/users', async (c) =>
    c.json(await adminCreateUser(context, await bodyOf(c.req.raw, adminUserBody))),
  )
  app.get('/admin/users/:id', async (c) => c.json(await adminGetUser(context, c.req.param('id'))))
  app.put('/admin/users/:id', async (c) =>
    c.json(await adminUpdateUser(context, c.req.param('id'), await bodyOf(c.req.raw, adminUserBody))),
  )
  app.delete('/admin/users/:id', async (c) => {
    const body: unknown = await c.req.json().catch(() => ({}))
    const soft =
      typeof body === 'object' &&
      body !== null &&
      'should_soft_delete' in body &&
      body.should_soft_delete === true
    await adminDeleteUser(context, c.req.param('id'), soft)
    return c.json({})
  })
  app.post('/admin/generate_link', async (c) =>
    c.json(await generateLink(context, await bodyOf(c.req.raw, generateLinkBody), redirectOf(c.req.raw))),
  )
  app.post('/invite', async (c) => {
    assertAdmin(c.env.caller, c.req.raw)
    return c.json(await inviteUser(context, await bodyOf(c.req.raw, inviteBody), redirectOf(c.req.raw)))
  })
}

function assertAdmin(caller: Caller, request: Request): void {
  if (caller.role === 'service_role' || caller.role === 'supabase_admin') return
  if (bearerOf(request) === null && !caller.token) throw errors.noAuthorization()
  throw errors.notAdmin()
}
