import { Component, type ReactNode } from 'react'
import { Problem } from './elements.tsx'

/** Shows that a screen could not be drawn or loaded, instead of nothing. */
export class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <main>
        <Problem error={error} onRetry={() => location.reload()} />
      </main>
    )
  }
}
