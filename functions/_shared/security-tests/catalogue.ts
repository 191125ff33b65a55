import type { Enums } from '../../../types/database.ts'
import type { Probe } from './target.ts'

/** A probe of the catalogue. */
export type ProbeId = Enums<'security_probe'>

type Entry = {
  /** What it tries, in a sentence. */
  title: string
  /** Loads it: a worker runs one at a time. */
  load: () => Promise<Probe>
}

/** Every probe there is, in the order in which they run. */
export const CATALOGUE: Readonly<Record<ProbeId, Entry>> = {
  forged_tokens: {
    title: 'Access tokens that were changed, unsigned, or signed with what everybody knows',
    load: async () => (await import('./probes/tokens.ts')).forgedTokens,
  },
  foreign_tokens: {
    title: 'Access tokens of another project, also with its key in the token',
    load: async () => (await import('./probes/tokens.ts')).foreignTokens,
  },
  ended_tokens: {
    title: 'Access tokens that have expired, and those of a session that was signed out',
    load: async () => (await import('./probes/tokens.ts')).endedTokens,
  },
  other_students_rows: {
    title: 'Another student’s rows of every exposed table: read, changed, deleted, written in their name',
    load: async () => (await import('./probes/rows.ts')).otherStudentsRows,
  },
  other_students_files: {
    title: 'Another student’s files in every bucket: read, listed, signed, copied, replaced, removed',
    load: async () => (await import('./probes/files.ts')).otherStudentsFiles,
  },
  other_students_channels: {
    title: 'Another student’s live channels: joined with a token, without one, and as public channels',
    load: async () => (await import('./probes/channels.ts')).otherStudentsChannels,
  },
  role_escalation: {
    title: 'A student who grants themselves a role, and calls what is for staff',
    load: async () => (await import('./probes/roles.ts')).roleEscalation,
  },
  hidden_schemas: {
    title: 'Schemas, tables and tools that are not meant for anybody, and what opens without signing in',
    load: async () => (await import('./probes/schemas.ts')).hiddenSchemas,
  },
  rate_limits: {
    title: 'More requests than the limits allow',
    load: async () => (await import('./probes/limits.ts')).rateLimits,
  },
  injection: {
    title: 'SQL, paths and markup where something else is expected',
    load: async () => (await import('./probes/injection.ts')).injection,
  },
  security_headers: {
    title: 'Headers of pages and of JSON, and the cookie that signs in to pages',
    load: async () => (await import('./probes/headers.ts')).securityHeaders,
  },
  worker_doors: {
    title: 'The functions that only the database calls, without their secret',
    load: async () => (await import('./probes/workers.ts')).workerDoors,
  },
  replayed_links: {
    title: 'Links that were used, have expired or were made up, and signed addresses past their time',
    load: async () => (await import('./probes/links.ts')).replayedLinks,
  },
}
