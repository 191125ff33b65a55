/** What a family of metrics measures; docs/monitoring.md says what to do about each. */
export type Family = { type: 'gauge' | 'counter' | 'histogram'; help: string }

/** Every family that `private.metrics` has. All are of the whole service, and none is of fewer people. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  wellbeing_jobs: gauge('Steps of analyses by kind and state; lost: the lease of their worker has run out.'),
  wellbeing_job_oldest_age_seconds: gauge(
    'Age of the oldest step of an analysis that has not ended, by kind.',
  ),
  wellbeing_workers_lost_total: counter('Steps that were claimed again because their worker was lost.'),
  wellbeing_jobs_failed_total: counter(
    'Steps of analyses that failed for good, by kind, error code and cause: the service, or what was submitted.',
  ),
  wellbeing_crisis_unread_total: counter(
    'Transcripts of check-ins that the sentence encoder could not read; rules alone decided.',
  ),
  wellbeing_language_model_failures_total: counter(
    'Requests of the language model that failed, by error code; what the crisis check found stood without it.',
  ),
  wellbeing_check_ins_processing: gauge('Check-ins that are being analysed.'),
  wellbeing_check_in_oldest_age_seconds: gauge('Time since the submission of the oldest of them.'),
  wellbeing_check_ins_ended_total: counter('Submitted check-ins by how they ended, and those that expired.'),
  wellbeing_check_in_duration_seconds: {
    type: 'histogram',
    help: 'Time from the submission of a check-in to its score.',
  },
  wellbeing_reviews: gauge('Clinical reviews that are not closed, by risk level and status.'),
  wellbeing_review_oldest_age_seconds: gauge('How long the oldest of them has been open, or claimed.'),
  wellbeing_review_oldest_unanswered_age_seconds: gauge(
    'Time since the opening of the oldest of them on which no counselor has written.',
  ),
  wellbeing_review_time_to_human_seconds: {
    type: 'histogram',
    help: 'Time from the opening of a clinical review to its first claim, and to its first note or closing, by risk level.',
  },
  wellbeing_review_delay_seconds: {
    type: 'histogram',
    help: 'Time from the arrival of what shows a risk, such as the submission of a check-in, to its review, by where it was found and risk level.',
  },
  wellbeing_support_alerts_open: gauge('Support alerts that are open.'),
  wellbeing_support_alerts_due: gauge('Support alerts of which something is due now.'),
  wellbeing_support_alert_lag_seconds: gauge('How late the latest of what is due of support alerts is.'),
  wellbeing_support_standstills: gauge(
    'Faults of support alerts that the independent check has found and that last.',
  ),
  wellbeing_messages: gauge('Emails and texts that have not ended, by channel and state.'),
  wellbeing_message_oldest_due_age_seconds: gauge('How late the latest message of a channel is.'),
  wellbeing_messages_undelivered: gauge(
    'Messages of the last 24 hours that did not arrive, or may not have.',
  ),
  wellbeing_text_cost_dollars: gauge("What today's texts have cost, by kind: ordinary, or those of alerts."),
  wellbeing_text_cost_limit_dollars: gauge('What the texts of a day may cost, by kind.'),
  wellbeing_rate_limited_total: counter(
    'Requests over a rate limit, by what is limited; policies: requests of REST and sign-ins over any limit of a security policy.',
  ),
  wellbeing_erasures: gauge('Accounts to be erased: still cancellable, due, or kept by a legal hold.'),
  wellbeing_erasure_oldest_due_age_seconds: gauge('How long the oldest erasure has been due.'),
  wellbeing_object_removals: gauge('Files to be removed; failing: five attempts did not do it.'),
  wellbeing_retention_overdue_seconds: gauge('How long the oldest row of a kind has been past its term.'),
  wellbeing_retention_deleted_total: counter(
    'Rows that retention deleted, or files that it queued for removal, by kind.',
  ),
  wellbeing_exports_unfinished: gauge('Exports that are queued or being built.'),
  wellbeing_export_oldest_age_seconds: gauge('Time since the oldest of them was asked for.'),
  wellbeing_cron_job_interval_seconds: gauge('How often a scheduled job runs.'),
  wellbeing_cron_job_success_age_seconds: gauge(
    'Time from the end of the last successful run of a scheduled job to the last observation of cron.',
  ),
  wellbeing_cron_job_failures_total: counter('Runs of a scheduled job that failed.'),
  wellbeing_cron_observation_age_seconds: gauge('Time since cron was last observed.'),
  wellbeing_database_connections: gauge('Connections of clients to the database.'),
  wellbeing_database_connections_limit: gauge('Connections that the database accepts.'),
}

function gauge(help: string): Family {
  return { type: 'gauge', help }
}

function counter(help: string): Family {
  return { type: 'counter', help }
}
