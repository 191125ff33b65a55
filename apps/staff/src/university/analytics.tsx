import { Screen } from '../../../ui/elements.tsx'

export default function Analytics() {
  return <Screen title="university.analytics">{null}</Screen>
}
