/** A Supabase project on one machine, without Docker. See README.md. */

export { parseTemplate, type Template, type TemplateValues, textOf } from './src/auth/go-template.ts'
export { isAllowedRedirect } from './src/auth/redirects.ts'
export {
  readPort,
  readStackArguments,
  type Serving,
  serveStack,
  stackArguments,
  stackHelp,
} from './src/command.ts'
export { denoBinary, heapFlag } from './src/functions/deno.ts'
export type { IsolateEvent, IsolateFigures, RetireReason, ShutdownReason } from './src/functions/isolate.ts'
export { hostedLimits, type Limits } from './src/functions/limits.ts'
export type { IsolateEnd, RuntimePolicy } from './src/functions/pool.ts'
export type { IsolateCounts } from './src/functions/server.ts'
export { Inbox } from './src/inbox/inbox.ts'
export { type InboxServer, startInbox } from './src/inbox/server.ts'
export { TwilioAccount, type TwilioSettings } from './src/inbox/twilio/account.ts'
export type { TextMessages } from './src/inbox/twilio/invented.ts'
export { freePorts } from './src/ports.ts'
export { type BuiltDatabase, buildPlatformDatabase, withScratchServer } from './src/postgres/databases.ts'
export { urlOf as databaseUrlOf } from './src/postgres/server.ts'
export { type Stack, type StackKeys, type StackOptions, type StackOutput, startStack } from './src/stack.ts'
export { supabase, supabaseOutput } from './src/supabase-cli.ts'
export { dropMigrated, MIGRATED_DATABASE, makeTemplate } from './src/template.ts'
