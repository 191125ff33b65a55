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
