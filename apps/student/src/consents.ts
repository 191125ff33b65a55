import { useQuery } from '@tanstack/react-query'
import { useService } from './service.tsx'

/** Of every kind whether the student agrees to it, and to which version. */
export function useConsents() {
  const { client } = useService()
  return useQuery({ queryKey: ['consents'], queryFn: () => client.consents.status() })
}
