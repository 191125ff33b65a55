import { Screen } from '../../../ui/elements.tsx'

export default function Incidents() {
  return <Screen title="security.incidents">{null}</Screen>
}
