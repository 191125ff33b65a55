import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildAudioBundles } from './audio.ts'
import { BUNDLED, type OutDirs } from './bundle.ts'
import { buildCrisisPack } from './crisis.ts'
import { buildOpenAiClient } from './openai.ts'
import { buildPostgresClient } from './postgres.ts'
import { buildResendClient } from './resend.ts'
import { buildSupabaseClient } from './supabase.ts'
import { buildTextBundle } from './text.ts'
import { buildTwilioClient } from './twilio.ts'
import { buildVisualPack } from './visual.ts'

/** Bundles the vendored packages: code into the functions, weights and WebAssembly into `vendor/assets`. */
const outDirs: OutDirs = {
  bundles: join(import.meta.dirname, '..', 'functions', '_vendor'),
  assets: join(import.meta.dirname, 'assets'),
}

// Names of packages that are bundled no longer would stay otherwise.
await rm(BUNDLED, { recursive: true, force: true })
await buildAudioBundles(outDirs)
await buildVisualPack(outDirs)
await buildTextBundle(outDirs)
await buildCrisisPack(outDirs)
await buildPostgresClient(outDirs)
await buildSupabaseClient(outDirs)
await buildOpenAiClient(outDirs)
await buildResendClient(outDirs)
await buildTwilioClient(outDirs)
