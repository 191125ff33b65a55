import { join } from 'node:path'
import { buildAudioEngines } from './audio.ts'
import type { EngineOutDirs } from './bundle.ts'
import { buildOpenAiClient } from './openai.ts'
import { buildResendClient } from './resend.ts'
import { buildTextEngine } from './text.ts'
import { buildTwilioClient } from './twilio.ts'
import { buildVisualEngines } from './visual.ts'

/** Builds every engine from the installed packages: bundles into the functions, binaries into `engines/assets`. */
const outDirs: EngineOutDirs = {
  bundles: join(import.meta.dirname, '..', 'functions', '_engines'),
  assets: join(import.meta.dirname, 'assets'),
}

await buildAudioEngines(outDirs)
await buildVisualEngines(outDirs)
await buildTextEngine(outDirs)
await buildOpenAiClient(outDirs)
await buildResendClient(outDirs)
await buildTwilioClient(outDirs)
