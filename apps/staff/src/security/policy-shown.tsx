import type { Tables } from '../../../../types/database.ts'
import { useTexts } from '../../../ui/language.tsx'
import { Status } from '../../../ui/shown.tsx'

export type Policy = Tables<'security_policies'>
export type PolicyAction = Policy['actions'][number]

/** Whether a policy is on, only counts, or is off. */
export function PolicyState({ of }: { of: Pick<Policy, 'enabled' | 'dry_run'> }) {
  if (!of.enabled) return <Status label="security.policy.off" />
  if (of.dry_run) return <Status label="security.policy.dry-run" tone="warning" />
  return <Status label="security.policy.on" tone="good" />
}

/** What a policy does, in words. */
export function ActionsShown({ of }: { of: readonly PolicyAction[] }) {
  const { t } = useTexts()
  const told = of.map(({ action, requests, period }) =>
    action === 'apply_rate_limits'
      ? t('security.does.limit', { requests: Number(requests), period: Number(period) })
      : t(`security.does.${action}`),
  )
  return <>{told.join(', ')}</>
}
