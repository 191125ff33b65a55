import { createHmac } from 'node:crypto'
import type { LocalProject } from '../stack/project.ts'
import type { Victims } from './victims.ts'

/** Tokens of a victim that nobody signed, that another secret signed, that have ended, or that mean something else. */
export function hostileTokens(project: LocalProject, { ids: [victim] }: Victims): string[] {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    sub: victim,
    role: 'authenticated',
    aud: 'authenticated',
    iss: `${project.apiUrl}/auth/v1`,
    session_id: crypto.randomUUID(),
    iat: now,
    exp: now + 3600,
  }
  const signed = (alg: string, payload: unknown, secret: string) =>
    token({ alg, typ: 'JWT' }, payload, secret)
  return [
    token({ alg: 'none', typ: 'JWT' }, claims, null),
    token({ alg: 'nOnE' }, claims, null),
    signed('HS256', claims, 'another-secret'),
    signed('HS256', claims, ''),
    signed('HS256', { ...claims, role: 'service_role' }, 'another-secret'),
    signed('HS256', { ...claims, iat: 0, exp: 1 }, project.local.jwtSecret),
    signed('HS256', { ...claims, sub: `' or 1=1 --` }, 'another-secret'),
    signed('RS256', claims, 'another-secret'),
    token({ alg: 'HS256', kid: '../../etc/passwd' }, claims, 'another-secret'),
    token({ alg: 'HS256', jku: 'http://127.0.0.1:1/keys' }, claims, 'another-secret'),
    signed('HS256', '__proto__', 'another-secret'),
    signed('HS256', null, 'another-secret'),
    signed('HS256', { ...claims, exp: 1e308 }, 'another-secret'),
    `${'a'.repeat(4_000)}.b.c`,
    '..',
    'e30.e30.e30',
    'null',
    project.publishableKey,
  ]
}

function token(header: unknown, payload: unknown, secret: string | null): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${part(header)}.${part(payload)}`
  const signature = secret === null ? '' : createHmac('sha256', secret).update(unsigned).digest('base64url')
  return `${unsigned}.${signature}`
}
