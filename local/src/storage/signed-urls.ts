import { z } from 'zod'
import { type Claims, JwtError, type TokenSigner } from '../http/jwt.ts'
import { findBucket, limitsOf } from './buckets.ts'
import { announcedOf, receiveContent } from './content.ts'
import { asCaller, service } from './database.ts'
import { errors } from './errors.ts'
import { contentResponse } from './object-routes.ts'
import { type ObjectRef, ownerOf } from './objects.ts'
import {
  bodyOf,
  operationOf,
  readOperation,
  refOf,
  type StorageApp,
  type StorageContext,
} from './requests.ts'

const signBody = z.object({ expiresIn: z.number().int().min(1) })
const signManyBody = signBody.extend({ paths: z.array(z.string()).min(1) })

/** Signed addresses: whoever may read or write an object makes them, whoever holds them uses them. */
export function addSignedRoutes(app: StorageApp, context: StorageContext): void {
  const { sql, files, objects, tokens } = context

  app.post('/object/sign/:bucket', async (c) => {
    const operation = operationOf(c, 'object.sign_many')
    const bucket = c.req.param('bucket')
    const { paths, expiresIn } = await bodyOf(c.req.raw, signManyBody)
    const found = await asCaller(
      sql,
      operation,
      (transaction) => transaction<{ name: string }[]>`
        select name from storage.objects where bucket_id = ${bucket} and name = any(${paths})`,
    )
    const readableNames = new Set(found.map(({ name }) => name))
    const error = 'Either the object does not exist or you do not have access to it'
    return c.json(
      paths.map((path) => {
        if (!readableNames.has(path)) return { error, path, signedURL: null }
        const token = signObject(tokens, 'read', { bucket, key: path }, expiresIn)
        return { error: null, path, signedURL: `/object/sign/${bucket}/${path}?token=${token}` }
      }),
    )
  })
  app.post('/object/sign/:bucket/:key{.+}', async (c) => {
    const object = refOf(c)
    const { expiresIn } = await bodyOf(c.req.raw, signBody)
    await objects.find(operationOf(c, 'object.sign'), object)
    // As on the platform (`signObjectUrl` in src/storage/object.ts of supabase/storage) the address is signed as it was sent, but for what
    // decodeURI reads: a plus sign that was sent encoded leads to no object.
    const [bucket = '', ...levels] = decodeURI(new URL(c.req.url).pathname).split('/').slice(5)
    const key = levels.join('/')
    const token = signObject(tokens, 'read', { bucket, key }, expiresIn)
    return c.json({ signedURL: `/object/sign/${bucket}/${key}?token=${token}` })
  })
  app.get('/object/sign/:bucket/:key{.+}', async (c) => {
    const { exp } = verifyObject(tokens, 'read', refOf(c), c.req.query('token') ?? null)
    const operation = { ...readOperation(c, 'object.get_signed'), caller: service }
    return contentResponse(c.req.raw, await objects.find(operation, refOf(c)), files, Number(exp))
  })

  app.post('/object/upload/sign/:bucket/:key{.+}', async (c) => {
    const operation = operationOf(c, 'object.sign_upload_url')
    const object = refOf(c)
    const upsert = c.req.header('x-upsert') === 'true'
    await findBucket(sql, operation, object.bucket)
    await objects.assertMayWrite(operation, object, upsert, announcedOf(c.req.raw))
    const claims = { owner: ownerOf(operation.caller) ?? undefined, upsert }
    const token = signObject(tokens, 'upload', object, uploadUrlSeconds, claims)
    return c.json({ url: `/object/upload/sign/${object.bucket}/${object.key}?token=${token}`, token })
  })
  app.put('/object/upload/sign/:bucket/:key{.+}', async (c) => {
    const object = refOf(c)
    const claims = verifyObject(tokens, 'upload', object, c.req.query('token') ?? null)
    const operation = { ...readOperation(c, 'object.upload_signed'), caller: service }
    const limits = await limitsOf(context, operation, object.bucket)
    const content = await receiveContent(c.req.raw, limits, files, (announced) =>
      objects.assertMayWrite(operation, object, claims.upsert === true, announced),
    )
    const owner = typeof claims.owner === 'string' ? claims.owner : null
    await objects.commit(operation, object, content, owner, claims.upsert === true)
    return c.json({ Key: `${object.bucket}/${object.key}` })
  })
}

/** How long a signed upload URL lasts on the hosted platform: two hours. */
export const uploadUrlSeconds = 2 * 60 * 60

const purposes = { read: 'storage:read', upload: 'storage:upload' } as const

/** Signs that whoever holds the token may read, or write, one object for a time. */
export function signObject(
  tokens: TokenSigner,
  purpose: keyof typeof purposes,
  { bucket, key }: ObjectRef,
  seconds: number,
  claims: Claims = {},
): string {
  const now = Math.floor(Date.now() / 1000)
  return tokens.sign({
    ...claims,
    scope: purposes[purpose],
    url: `${bucket}/${key}`,
    iat: now,
    exp: now + seconds,
  })
}

/** The claims of a token for exactly this object and purpose. @throws StorageError */
export function verifyObject(
  tokens: TokenSigner,
  purpose: keyof typeof purposes,
  { bucket, key }: ObjectRef,
  token: string | null,
): Claims {
  if (!token) throw errors.invalidJwt("querystring must have required property 'token'")
  let claims: Claims
  try {
    claims = tokens.verify(token)
  } catch (error) {
    if (!(error instanceof JwtError)) throw error
    throw errors.invalidJwt(error.fault === 'expired' ? '"exp" claim timestamp check failed' : error.message)
  }
  if (claims.url !== `${bucket}/${key}` || claims.scope !== purposes[purpose]) throw errors.invalidSignature()
  return claims
}
