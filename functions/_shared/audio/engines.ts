import { type AacRuntime, loadAacRuntime } from './decode/aac.ts'

/** What the analysis loads once per worker: large binaries come from storage through `loadAsset`. */
export interface AudioEngines {
  /** The bytes of a file of the bucket `analysis-assets`, by name. */
  loadAsset(name: string): Promise<Uint8Array>
}

const aacRuntimes = new WeakMap<AudioEngines, Promise<AacRuntime>>()

/** The AAC decoder's runtime, loaded on first use and kept; a failed load is tried again next time. */
export function aacRuntime(engines: AudioEngines): Promise<AacRuntime> {
  const loaded = aacRuntimes.get(engines)
  if (loaded) return loaded
  const loading = engines.loadAsset('aac.wasm').then(loadAacRuntime)
  aacRuntimes.set(engines, loading)
  loading.catch(() => aacRuntimes.delete(engines))
  return loading
}
