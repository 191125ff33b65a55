import { join } from 'node:path'
import { buildAudioBundles } from './audio.ts'
import type { OutDirs } from './bundle.ts'
import { buildOpenAiClient } from './openai.ts'
import { buildPhoneNumbers } from './phone.ts'
import { buildResendClient } from './resend.ts'
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
await buildOpenAiClient(outDirs)
await buildResendClient(outDirs)
await buildTwilioClient(outDirs)
await buildPhoneNumbers(outDirs)
