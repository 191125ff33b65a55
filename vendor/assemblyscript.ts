import asc from 'assemblyscript/asc'

/**
 * A module that exports `createKernels`, which instantiates the AssemblyScript of a folder's `index.ts`, with the memory that it is
 * given where that is imported: compiled with SIMD, without checks or garbage collection, and small enough to be embedded as base64.
 */
export async function kernelsEntry(folder: string, { importMemory = false } = {}): Promise<string> {
  let wasm: Uint8Array = new Uint8Array()
  const { error, stderr } = await asc.main(
    [
      ...['index.ts', '--baseDir', folder, '--outFile', 'kernels.wasm'],
      ...['-O3', '--enable', 'simd', '--noAssert', '--runtime', 'stub'],
      ...(importMemory ? ['--importMemory'] : []),
    ],
    {
      writeFile: (_name, contents) => {
        if (typeof contents !== 'string') wasm = contents
      },
    },
  )
  if (error) throw new Error(`The kernels in ${folder} do not compile:\n${stderr}`, { cause: error })
  return `
const bytes = Uint8Array.from(atob('${Buffer.from(wasm).toString('base64')}'), (letter) => letter.charCodeAt(0))
export const createKernels = (memory) => new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } }).exports
`
}
