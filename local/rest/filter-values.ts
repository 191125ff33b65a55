/** Parameters whose values are no filters. */
const others = new Set(['select', 'order', 'limit', 'offset', 'on_conflict', 'columns', 'and', 'or'])

/** Operators whose operand is one value, which PostgREST takes as it is. */
const singleValue = /^((?:not\.)?(?:eq|neq|gt|gte|lt|lte|match|imatch)\.)(.*)$/s

/**
 * Puts the values of a query's filters into quotes. lite takes what is in quotes as it is; of the rest it makes null,
 * booleans, numbers and objects by their looks, so that a text `null`, `true` or `1.0` is never found.
 */
export function quoteFilterValues(url: URL): void {
  const parameters = [...url.searchParams].map(([name, value]): [string, string] => {
    const last = name.slice(name.lastIndexOf('.') + 1)
    return [name, others.has(last) ? value : value.replace(singleValue, '$1"$2"')]
  })
  url.search = new URLSearchParams(parameters).toString()
}

/** Names that every object of JavaScript has. */
const inherited = Object.getOwnPropertyNames(Object.prototype).join('|')
const inheritedOperator = new RegExp(`^(?:not\\.)?(?:${inherited})(?![\\w-])`)

/** The first filter whose operator is such a name: lite would find it among its operators, and fail. */
export function filterWithoutOperator(url: URL): string | undefined {
  return [...url.searchParams]
    .filter(([name]) => !others.has(name.slice(name.lastIndexOf('.') + 1)))
    .find(([, value]) => inheritedOperator.test(value))?.[1]
}
