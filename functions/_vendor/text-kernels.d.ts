/** What vendor/text-kernels exports; what each function does is said there. */
export interface TextKernels {
  addAnswers(filters: number, count: number, vector: number, answers: number): void
}

export declare const createKernels: (memory: WebAssembly.Memory) => TextKernels
