import { type AacRuntime, loadAacRuntime } from './decode/aac.ts'
import { KeptInstance } from './decode/kept-instance.ts'

/** What the analysis loads once per worker: large binaries come from storage through `loadAsset`. */
export interface AudioEngines {
  /** The bytes of a file of the bucket `analysis-assets`, by name. */
  loadAsset(name: string): Promise<Uint8Array>
}

const aacRuntimes = new WeakMap<AudioEngines, KeptInstance<AacRuntime>>()

/** The AAC decoder's runtime, loaded on first use and kept; a failed load is tried again next time. */
export function aacRuntime(engines: AudioEngines): KeptInstance<AacRuntime> {
  const known = aacRuntimes.get(engines)
  if (known) return known
  const runtime = new KeptInstance(async () => await loadAacRuntime(await engines.loadAsset('aac.wasm')))
  aacRuntimes.set(engines, runtime)
  return runtime
}
