import { objectPath } from '../../platform/object-address.ts'
import {
  type Answer,
  ask,
  type Probe,
  Report,
  requireControl,
  rowsIn,
  served,
  type Target,
} from '../target.ts'

/** A bucket with files of students. */
type Bucket = { id: string; type: string | null }

/** Another student's files: read, listed, signed, copied, replaced and removed. */
export const otherStudentsFiles: Probe = async (target) => {
  const report = new Report(target)
  const buckets = await target.database<Bucket[]>`
    select id, (private.object_types(id))[1] as type from storage.buckets where id <> 'analysis-assets' order by id`
  for (const bucket of buckets) await attackBucket(target, bucket, report)
  return report
}

async function attackBucket(target: Target, { id: bucket, type }: Bucket, report: Report): Promise<void> {
  const { attacker, victim, supabase, database } = target
  const { token } = attacker
  const folder = (account: string) =>
    bucket === 'university-files' ? `probe/students/${account}` : `${account}/${account}`
  const name = `${folder(victim.id)}/probe`
  const contentType = type ?? 'application/octet-stream'
  const uploaded = await supabase.storage
    .from(objectPath(bucket))
    .upload(objectPath(name), new Blob(['probe'], { type: contentType }), {
      contentType,
      upsert: true,
    })
  const storage = (method: string, path: string, body?: unknown, headers = {}) =>
    ask(target, method, `/storage/v1/${path}`, { token, ...(body !== undefined && { body }), headers })
  const tried = (action: string, succeeded: boolean, answer: Answer) =>
    report.attack(
      succeeded,
      {
        fault: `${bucket}:${action}`,
        severity: 'critical',
        title: `Another student's file in ${bucket} is open to others: ${action}`,
      },
      answer,
    )
  const planted = await storage('POST', `object/${bucket}/${folder(victim.id)}/planted`, 'probe', {
    'content-type': contentType,
  })
  tried('upload', served(planted), planted)
  const leading = `${folder(attacker.id)}/../${victim.id}/planted`
  const led = await storage('POST', `object/${bucket}/${encodeURIComponent(leading)}`, 'probe', {
    'content-type': contentType,
  })
  tried('name that leads there', served(led), led)
  // A bucket that takes no file of ours, such as that of exports, has none to attack.
  if (isForbidden(uploaded.error)) return
  requireControl(uploaded.error === null, 'file_not_uploaded')

  const read = await storage('GET', `object/authenticated/${bucket}/${name}`)
  tried('read', served(read), read)
  const info = await storage('GET', `object/info/authenticated/${bucket}/${name}`)
  tried('info', served(info), info)
  const open = await ask(target, 'GET', `/storage/v1/object/public/${bucket}/${name}`)
  tried('public', served(open), open)
  const list = await storage('POST', `object/list/${bucket}`, { prefix: `${folder(victim.id)}/`, limit: 10 })
  tried('list', rowsIn(list) > 0, list)
  const signed = await storage('POST', `object/sign/${bucket}/${name}`, { expiresIn: 60 })
  tried('sign', served(signed), signed)
  const copied = await storage('POST', 'object/copy', {
    bucketId: bucket,
    sourceKey: name,
    destinationKey: `${folder(attacker.id)}/copied`,
  })
  tried('copy', served(copied), copied)
  const replaced = await storage('POST', `object/${bucket}/${name}`, 'replaced', {
    'content-type': contentType,
    'x-upsert': 'true',
  })
  tried('replace', served(replaced), replaced)
  const removed = await storage('DELETE', `object/${bucket}`, { prefixes: [name] })
  const [left] = await database`select from storage.objects where bucket_id = ${bucket} and name = ${name}`
  tried('delete', left === undefined, removed)
}

/** Storage responds with 400, and says what it means in the body. */
function isForbidden(error: Error | null): boolean {
  return error !== null && 'statusCode' in error && error.statusCode === '403'
}
