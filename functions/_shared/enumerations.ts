import * as z from 'zod'

/** A title of the specification as it is stored: `Brute Force Attacks` is `brute_force_attacks`. */
export function inSnakeCase(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
}

/**
 * A value of a closed set, which is stored in lower_snake_case and also taken with its title.
 *
 * @param titles the specification's titles that differ from the value, by what they are in snake case
 */
export function titled<const Values extends readonly [string, ...string[]]>(
  values: Values,
  titles: { readonly [title: string]: Values[number] } = {},
) {
  return z.preprocess((given) => {
    if (typeof given !== 'string') return given
    const name = inSnakeCase(given)
    return Object.hasOwn(titles, name) ? titles[name] : name
  }, z.enum(values))
}
