import { useMutation, useQueryClient } from '@tanstack/react-query'

/** Something that a person changes; what shows it is asked for again. */
export function useChange<Input, Result>(change: (input: Input) => Promise<Result>, ...shownBy: string[]) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    // Without a network it fails at once, in words, instead of waiting unseen.
    networkMode: 'always',
    onSettled: () => Promise.all(shownBy.map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  })
}
