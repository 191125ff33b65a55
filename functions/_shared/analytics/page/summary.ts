import { html } from 'hono/html'
import type { DashboardFigures } from '../figures.ts'
import { count, difference, percent, score } from './format.ts'

/** The four figures that come first. `change` is against the range before, where it is known. */
export function summaryCards({ summary }: DashboardFigures, change: number | null) {
  const { total_students, active_students, assessments_completed, average_wellbeing_score } = summary
  return html`<dl class="summary">
${card('Average score', average_wellbeing_score === null ? '–' : score(average_wellbeing_score), change === null ? 'of 100' : `${difference(change)} against the range before`)}
${card('Students', count(total_students), 'who can be shown')}
${card('Active', count(active_students), total_students === 0 ? '' : `${percent(active_students / total_students)} of students`)}
${card('Check-ins', count(assessments_completed), 'completed')}
</dl>`
}

function card(name: string, value: string, note: string) {
  return html`<div class="card"><dt>${name}</dt><dd><strong>${value}</strong> <span>${note}</span></dd></div>`
}
