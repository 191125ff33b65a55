import { useQuery } from '@tanstack/react-query'
import { useService } from './service.tsx'

/** The name, language and time zone of whoever is signed in. */
export function useProfile() {
  const { client } = useService()
  return useQuery({ queryKey: ['profile'], queryFn: () => client.account.profile() })
}
