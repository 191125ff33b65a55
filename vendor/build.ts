import { join } from 'node:path'
import { buildAudioBundles } from './audio.ts'
import type { OutDirs } from './bundle.ts'
import { buildOpenAiClient } from './openai.ts'
import { buildPostgresClient } from './postgres.ts'
import { buildResendClient } from './resend.ts'
import { buildSupabaseClient } from './supabase.ts'
import { buildTextBundle } from './text.ts'
import { buildTwilioClient } from './twilio.ts'
import { buildVisualBundle } from './visual.ts'

/** Bundles the vendored packages: code into the functions, weights and WebAssembly into `vendor/assets`. */
const outDirs: OutDirs = {
  bundles: join(import.meta.dirname, '..', 'functions', '_vendor'),
  assets: join(import.meta.dirname, 'assets'),
}

await buildAudioBundles(outDirs)
await buildVisualBundle(outDirs)
await buildTextBundle(outDirs)
await buildPostgresClient(outDirs)
await buildSupabaseClient(outDirs)
await buildOpenAiClient(outDirs)
await buildResendClient(outDirs)
await buildTwilioClient(outDirs)
