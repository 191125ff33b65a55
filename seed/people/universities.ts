/** An invented university. */
export type University = { id: string; name: string; shortName: string; domain: string; number: number }

const NAMES = [
  'Westhaven',
  'Marlow Bay',
  'Granite Hill',
  'Silverlake',
  'Oakmere',
  'Fairwater',
  'Redcliffe Vale',
  'Stonebridge Park',
] as const

/** The invented universities of a seed, the same each time. */
export function inventUniversities(seed: string, count: number): University[] {
  return Array.from({ length: count }, (_, number) => {
    const round = Math.floor(number / NAMES.length)
    const shortName = [NAMES[number % NAMES.length], ...(round > 0 ? [round + 1] : [])].join(' ')
    const slug = shortName.toLowerCase().replaceAll(' ', '-')
    const id = seed === '1' ? slug : `${slug}-${seed}`
    return {
      id,
      name: `${shortName} University (invented${seed === '1' ? '' : `, seed ${seed}`})`,
      shortName,
      domain: `${id}.example.edu`,
      number,
    }
  })
}
