import { lazy } from 'react'
import { Route, Switch } from 'wouter'
import { LiveReviews } from './live.tsx'

const Queue = lazy(() => import('./queue.tsx'))
const Closed = lazy(() => import('./closed.tsx'))
const Review = lazy(() => import('./review.tsx'))

/** The screens of reviews: they share what is live. */
export default function Reviews() {
  return (
    <LiveReviews>
      <Switch>
        <Route path="/reviews" component={Queue} />
        <Route path="/reviews/closed" component={Closed} />
        <Route path="/reviews/:id" component={Review} />
      </Switch>
    </LiveReviews>
  )
}
