/** Mean of `value` over items weighted by `weight`; `null` when the weights add up to nothing. */
export function weightedMean<Item>(
  items: readonly Item[],
  value: (item: Item) => number,
  weight: (item: Item) => number,
): number | null {
  let sum = 0
  let total = 0
  for (const item of items) {
    sum += value(item) * weight(item)
    total += weight(item)
  }
  return total === 0 ? null : sum / total
}
