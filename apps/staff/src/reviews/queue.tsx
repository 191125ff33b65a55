import { Screen } from '../../../ui/elements.tsx'

export default function Queue() {
  return <Screen title="reviews.title">{null}</Screen>
}
