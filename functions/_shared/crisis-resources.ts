import * as z from 'zod'

/** Help to show with every result, as `private.crisis_resources` returns it. */
export const crisisResources = z
  .array(
    z.strictObject({
      name: z.string().describe('What it is called'),
      phone: z.string().nullish().describe('Telephone number'),
      website: z.string().nullish().describe('Address'),
    }),
  )
  .meta({ id: 'CrisisResources', description: 'Help to show with every result, whatever it says' })

export type CrisisResources = z.infer<typeof crisisResources>
