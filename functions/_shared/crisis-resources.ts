/** Help that goes with every answer, as `private.crisis_resources` gives it. */
export type CrisisResources = { name: string; phone: string | null; website: string | null }[]
