import { type ObjectStore, readObject } from './stored-object.ts'

/** Private bucket of model weights and WebAssembly; seeded from `vendor/assets`. */
const ASSETS_BUCKET = 'analysis-assets'

/** Loads an asset by its name. Throws when the bucket does not hold it, with what to do. */
export function assetLoader(store: ObjectStore): (name: string) => Promise<Uint8Array> {
  return async (name) => {
    const object = await readObject(store, ASSETS_BUCKET, name)
    if (!object)
      throw new Error(`The bucket ${ASSETS_BUCKET} holds no ${name}: run \`supabase seed buckets\``)
    return object.bytes
  }
}
