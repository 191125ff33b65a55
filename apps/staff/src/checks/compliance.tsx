import { Screen } from '../../../ui/elements.tsx'

export default function Compliance() {
  return <Screen title="checks.compliance">{null}</Screen>
}
