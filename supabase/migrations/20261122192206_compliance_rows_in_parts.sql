COMMENT ON TABLE "private"."compliance_checks" IS 'The automated checks: each is a query for what is wrong. Its rows come with the service (sql/89_compliance_checks_*.sql).';

-- No policies: this file holds rows, not tables.

-- Rows that the schema needs. Each statement can be run again; every migration ends with them, because a diff contains no rows.
insert into private.audit_head default values on conflict do nothing;
insert into private.audit_proof default values on conflict do nothing;
insert into private.cohort_settings default values on conflict do nothing;
insert into private.pipeline_settings default values on conflict do nothing;
insert into private.messaging_settings default values on conflict do nothing;
insert into private.student_limits default values on conflict do nothing;
insert into private.export_settings default values on conflict do nothing;
insert into private.support_settings default values on conflict do nothing;
insert into public.security_tests (id, name, probes, schedule, next_run_at)
values ('tst_all_probes', 'All probes', enum_range(null::public.security_probe), 'daily', now() + interval '1 day')
on conflict do nothing;
select vault.create_secret(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'number_hash_key')
where not exists (select from vault.secrets where name = 'number_hash_key');
select vault.create_secret(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'tombstone_key')
where not exists (select from vault.secrets where name = 'tombstone_key');
insert into private.rate_limit_rules (scope, requests, daily_requests)
values
  ('data-api', 100, null),
  ('file-upload', 10, 200),
  ('bulk', 5, null),
  ('analyze-audio', 10, 500),
  ('analyze-visual', 5, 500),
  ('analyze-text', 20, 500),
  ('calculate-wellbeing-score', 10, 500),
  ('textmodel', 20, 200),
  ('check-in-start', 10, 10),
  ('check-in-complete', 10, 60),
  ('check-in-get', 120, null)
on conflict do nothing;
insert into private.rate_limit_rules (scope, requests, period)
values
  ('sign-in', 10, '5 minutes'),
  ('sign-up', 5, '1 hour'),
  ('refresh', 30, '5 minutes'),
  ('unknown-link', 60, '5 minutes'),
  ('privacy', 60, '1 minute'),
  ('audit', 600, '1 hour')
on conflict do nothing;
insert into private.mailboxes (mailbox, user_id)
select distinct on (private.mailbox_of(email)) private.mailbox_of(email), id
from auth.users
where email is not null and email_confirmed_at is not null
order by private.mailbox_of(email), email_confirmed_at, id
on conflict do nothing;
insert into public.students (user_id, university_id, counselor_access)
select p.user_id, p.university_id, private.has_consent(p.user_id, 'counselor_access')
from public.profiles p
where exists (select from public.user_roles r where r.user_id = p.user_id and r.role = 'student')
on conflict do nothing;

insert into private.detection_settings default values on conflict do nothing;
insert into private.detection_rules (rule, type, severity, threshold, period, respond, about)
values
  ('brute_force_address', 'brute_force_attacks', 'high', 10, '15 minutes', '{block_ip,send_alert}',
    'Failed sign-ins from one address, without accounts that got in after fewer than five; one more for every four people who signed in from there.'),
  ('brute_force_account', 'brute_force_attacks', 'high', 10, '15 minutes', '{send_alert}',
    'Failed sign-ins of one account from several addresses, or straight at Auth.'),
  ('credential_stuffing', 'brute_force_attacks', 'high', 30, '15 minutes', '{send_alert}',
    'Pairs of address and account whose sign-in failed, beside those that the other rules count; more than half as many as signed in.'),
  ('token_forgery', 'unauthorized_access', 'high', 5, '5 minutes', '{block_ip,send_alert}',
    'Access tokens with a signature that is not the project''s, from one address.'),
  ('access_refused', 'unauthorized_access', 'medium', 20, '10 minutes', '{send_alert}',
    'Requests of one account that were refused for want of a right.'),
  ('worker_secret', 'unauthorized_access', 'high', 5, '15 minutes', '{block_ip,send_alert}',
    'Calls of a worker with a wrong secret, from one address.'),
  ('flood', 'suspicious_activity', 'medium', 200, '5 minutes', '{send_alert}', 'Requests of one account, or one address, over a rate limit.'),
  ('link_guessing', 'suspicious_activity', 'medium', 30, '15 minutes', '{block_ip,send_alert}',
    'Links to nowhere that were opened from one address.'),
  ('many_addresses', 'suspicious_activity', 'medium', 8, '1 hour', '{send_alert}', 'Addresses from which one account signed in.'),
  ('mass_reading', 'data_exfiltration', 'high', 100, '1 hour', '{send_alert,audit_trail}',
    'Students whom one person read, or pages of lists of them.'),
  ('mass_export', 'data_breach', 'critical', 5, '1 hour', '{send_alert,audit_trail}', 'Accounts that were exported from one address.'),
  ('role_change', 'privilege_escalation', 'critical', 1, '1 day', '{send_alert,audit_trail}',
    'Roles that somebody granted to themselves, or without being a security administrator.'),
  ('schema_change', 'system_compromise', 'critical', 1, '1 day', '{send_alert,audit_trail}',
    'Row-level security, policies, grants, functions, triggers, views or jobs that differ from what the last migration left.'),
  ('broken_chain', 'system_compromise', 'critical', 1, '1 day', '{send_alert,audit_trail}', 'An audit log that is not as it was written.'),
  ('detection_weakened', 'suspicious_activity', 'high', 1, '1 day', '{send_alert}', 'Rules that were switched off or raised.'),
  ('erasure_overdue', 'compliance_violations', 'high', 1, '1 day', '{send_alert}', 'Accounts that are not erased a day after they should be.'),
  ('retention_stopped', 'compliance_violations', 'medium', 1, '2 hours', '{send_alert}', 'No successful run of retention.')
on conflict do nothing;
insert into private.known_networks (network, kind, note)
values
  ('127.0.0.0/8', 'platform', 'This machine.'),
  ('::1/128', 'platform', 'This machine.'),
  ('10.0.0.0/8', 'platform', 'Private: a proxy of the platform.'),
  ('172.16.0.0/12', 'platform', 'Private: a proxy of the platform.'),
  ('192.168.0.0/16', 'platform', 'Private: a proxy of the platform.'),
  ('fc00::/7', 'platform', 'Private: a proxy of the platform.')
on conflict do nothing;

-- Before it is on, staff add an authenticator app (docs/security-policies.md); the demonstration switches it off (seed/).
insert into public.security_policies (id, name, category, type, conditions, actions, priority)
values (
  'pol_staff_second_factor',
  'Staff give a second factor',
  'authentication',
  'preventive',
  '{"all": [
    {"field": "role", "op": "in", "value": ["counselor", "university_admin", "security_admin"]},
    {"field": "aal", "op": "ne", "value": "aal2"}
  ]}',
  '[{"action": "require_mfa"}]',
  100
)
on conflict do nothing;

select cron.schedule('dispatch-due-jobs', '5 seconds', 'select private.dispatch_due_jobs()');
select cron.schedule('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()');
select cron.schedule('end-left-sessions', '7,27,47 * * * *', 'select private.end_left_sessions()');
select cron.schedule('dispatch-due-messages', '10 seconds', 'select private.dispatch_due_messages()');
select cron.schedule('dispatch-due-exports', '10 seconds', 'select private.dispatch_due_exports()');
select cron.schedule('dispatch-due-object-removals', '10 seconds', 'select private.dispatch_due_object_removals()');
select cron.schedule('advance-erasures', '10 seconds', 'select private.advance_erasures()');
select cron.schedule('daily-rollup', '12 * * * *', $$ select private.roll_up_days((now() at time zone 'UTC')::date - 1) $$);
select cron.schedule('verify-audit-log', '*/10 * * * *', 'select public.verify_audit_chain()');
select cron.schedule('send-review-digests', '22 * * * *', 'select private.send_review_digests()');
select cron.schedule('tick-support-alerts', '* * * * *', 'select private.tick_support_alerts(now())');
select cron.schedule('remind-of-training', '*/10 * * * *', 'select private.remind_of_training(now())');
select cron.schedule('advance-security-tests', '30 seconds', 'select private.advance_security_tests(now())');
select cron.schedule('roll-up-policy-triggers', '* * * * *', 'select private.roll_up_policy_triggers()');
select cron.schedule('find-standstills', '*/5 * * * *', 'select private.find_standstills(now())');
select cron.schedule(
  'assess-compliance', '37 2 * * *', 'select private.assess_compliance(f) from unnest(enum_range(null::public.compliance_framework)) as f'
);
select cron.schedule('detect-incidents', '* * * * *', 'select private.detect_incidents()');
select cron.schedule('purge-expired', '*/5 * * * *', 'select private.purge_expired()');
select cron.unschedule(jobname) from cron.job where jobname like 'purge-%' and jobname <> 'purge-expired';

-- PostgREST reads its settings from this role, which is the cluster's: not set again, so that databases do not wait for each other.
do $$
begin
  if not exists (
    select from pg_roles where rolname = 'authenticator' and 'pgrst.db_pre_request=public.check_request' = any (rolconfig)
  ) then
    alter role authenticator set pgrst.db_pre_request = 'public.check_request';
  end if;
  notify pgrst, 'reload config';
end
$$;


-- No policies: this file holds rows, not tables.

-- The inventory of personal data. It is part of the schema, not a setting: each migration ends with all of it, so that it says what
-- the migrated database has. Terms of retention are settings, so those that exist are left as they are,
-- but for what may not be set.
insert into private.retention_rules as r (kind, keep, shortest, starts)
values
  ('raw_media', '30 days', '1 day', 'Recordings and pictures: from the end of the check-in.'),
  ('unfinished_uploads', '2 days', '1 day', 'Files that no check-in was submitted with, or that belong to no row: from the upload.'),
  ('transcripts', '90 days', '1 day', 'Transcripts of check-ins: from the end of the check-in.'),
  ('transcript_results', '90 days', '1 day', 'What the language model made of a transcript: from the analysis.'),
  ('results', '3 years', '30 days', 'Check-ins and sessions with their features and scores: from the start.'),
  ('clinical_reviews', '3 years', '30 days', 'Reviews: from their closing.'),
  ('worrying_days', '30 days', '30 days', 'Days with risk: from the day; no pattern looks back further.'),
  ('support_history', '3 years', '30 days', 'Alerts, requests, links, verifications: from when each began.'),
  ('declined_contacts', '30 days', '1 day', 'Contacts who declined, with phone and email: from their answer.'),
  ('inbound_texts', '1 year', '7 days', 'That a text came in, not what it said: from its arrival.'),
  ('sent_messages', '30 days', '7 days', 'Emails and texts that were sent or cancelled: from then.'),
  ('undelivered_messages', '90 days', '7 days', 'Emails and texts that could not be sent: from the last attempt.'),
  ('channel_messages', '3 days', '1 hour', 'Messages of Realtime: from their sending.'),
  ('rate_limit_uses', '1 day', '1 hour', 'How often somebody called: from the last call.'),
  ('logged_accesses', '1 day', '1 hour', 'That a read was logged and may happen: from the entry.'),
  ('sign_in_log', '90 days', '1 day', 'What Auth logs of sign-ins, and addresses of failed ones: from the sign-in.'),
  ('policy_firings', '1 day', '1 hour', 'What security policies did to whom: from then.'),
  ('security_events', '90 days', '1 day', 'What incidents are detected from, with addresses and accounts: from when it happened.'),
  ('security_incidents', '6 years', '1 year', 'Incidents with their timelines and evidence: from their end.'),
  ('security_test_runs', '3 years', '30 days', 'Runs of security tests and what they found: from their end.'),
  ('compliance_assessments', '6 years', '6 years', 'Assessments of compliance with their evidence: from their end.'),
  ('cron_runs', '7 days', '1 day', 'Runs of scheduled jobs: from their end.'),
  ('exports', '7 days', '7 days', 'Files of an export: from when it is ready.'),
  ('export_records', '90 days', '7 days', 'That somebody asked for an export: from its end.'),
  ('audit_log', '6 years', '6 years', 'Who the people of the audit log''s entries are: from their writing. The entries stay, without people.')
on conflict on constraint retention_rules_pkey do update
set shortest = excluded.shortest, keep = greatest(r.keep, excluded.shortest);

delete from private.personal_data;
insert into private.personal_data (
  store, schema_name, relation_name, columns, whose, content, purpose, belongs_to, erasure, reason, retention
)
values
  -- Accounts
  ('relation', 'public', 'profiles', '{first_name, last_name}', 'account', 'identity',
    'To address the person and to show staff whom they help.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'profiles', '{user_id, university_id, created_at, updated_at}', 'account', 'identity',
    'To know which university the account belongs to.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'user_roles', '{id, user_id, role, university_id, created_at}', 'account', 'identity',
    'To decide what the account may do.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'private', 'mailboxes', '{mailbox, user_id}', 'account', 'contact_details', 'To keep one person to one account.',
    't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'consents', '{id, user_id, kind, version, granted_at, withdrawn_at, renewed, keep_results, deleted}',
    'student', 'choices', 'To know what the student agreed to, in which version, and when.', 't.user_id = $1', 'delete', null,
    null),
  ('relation', 'public', 'students', '{user_id, university_id, faculty, year_of_study, residence, counselor_access, check_ins,
    last_check_in_at, last_score, last_uncertainty, last_direction_of_change, risk_level, created_at, updated_at}', 'student',
    'health', 'Enrolment and the result of the last check-in, for counselors with the student''s consent.', 't.user_id = $1',
    'delete', null, null),
  ('relation', 'private', 'logged_accesses', '{reader, action, arguments_sha256, logged_at}', 'staff', 'activity',
    'To let a read happen only after it was logged.', 't.reader = $1', 'delete', null, 'logged_accesses'),
  ('relation', 'private', 'rate_limit_uses', '{subject, scope, used_at}', 'account', 'activity',
    'To limit how often one person calls.', 't.subject = $1', 'delete', null, 'rate_limit_uses'),
  -- Universities and settings
  ('relation', 'public', 'universities', '{id, name, short_name, domain, country, logo_url, primary_color, secondary_color, features_enabled,
    assessment_frequency, privacy_settings, support_email, crisis_phone, resources, accepts_other_domains, created_at, updated_at}',
    'nobody', null, 'The universities'' names, branding, settings and public contacts.', null, null, null, null),
  ('relation', 'private', 'crisis_contacts', '{university_id, email}', 'staff', 'contact_details',
    'To notify a university of high risk.', null, 'keep',
    'The address of an office, changed by the operator; kept as long as the university.', null),
  ('relation', 'private', 'listed_students', '{university_id, students}', 'nobody', null,
    'How many students each university''s counselors can list.', null, null, null, null),
  ('relation', 'private', 'support_settings', '{operator_email}', 'staff', 'contact_details',
    'To notify the operator of alerts that stand still.', null, 'keep', 'The operator''s own address, changed by the operator.',
    null),
  ('relation', 'private', 'support_settings', '{only_row, link_valid, verification_pause, max_verifications, daily_verifications,
    max_contacts, request_pause, alert_pause, pattern_days, pattern_window_days, response_time, contacts_at_once, alert_valid,
    standstill_after, longest_student_pause, day_begins, day_ends}', 'nobody', null, 'Settings of the support circle.', null, null,
    null, null),
  ('relation', 'private', 'student_limits', '{only_row, sessions, session_bytes, consents, files, file_bytes, check_in_bytes}',
    'nobody', null, 'Settings: how much an account may store.', null, null, null, null),
  ('relation', 'private', 'pipeline_settings', '{only_row, lease, transcription_lease, dispatch_grace, retry_backoff, max_attempts,
    max_in_flight, fail_after}', 'nobody', null, 'Settings of the pipeline.', null, null, null, null),
  ('relation', 'private', 'messaging_settings', '{only_row, lease, retry_backoff, longest_backoff, max_attempts,
    review_digest_after}', 'nobody', null, 'Settings of the outbox.', null, null, null, null),
  ('relation', 'private', 'cohort_settings', '{only_row, smallest_cohort, aggregated_through}', 'nobody', null,
    'Settings and progress of the daily rollup.', null, null, null, null),
  ('relation', 'private', 'rate_limit_rules', '{scope, requests, period, daily_requests}', 'nobody', null,
    'Settings: how often one person may call.', null, null, null, null),
  ('relation', 'private', 'retention_rules', '{kind, keep, starts, shortest}', 'nobody', null, 'Settings: how long data is kept.', null, null,
    null, null),
  ('relation', 'private', 'personal_data', '{store, schema_name, relation_name, columns, whose, content, purpose, belongs_to,
    erasure, reason, retention}', 'nobody', null, 'This inventory.', null, null, null, null),
  ('relation', 'private', 'retention_counts', '{day, kind, deleted}', 'nobody', null, 'How much retention deleted on each day.',
    null, null, null, null),
  ('relation', 'private', 'bucket_comparisons', '{compared_through}', 'student', 'activity',
    'How far the comparison of a bucket is: the name of a file, until the next one.',
    'starts_with(t.compared_through, $1::text || ''/'') or t.compared_through like ''%/students/'' || $1::text || ''/%''', 'keep',
    'Replaced with the next files that are compared, within a day.', null),
  ('relation', 'private', 'bucket_comparisons', '{bucket, began_at, objects, removed, ended_at}', 'nobody', null,
    'The last comparison of each bucket with the tables.', null, null, null, null),
  ('relation', 'private', 'required_consent_versions', '{kind, version}', 'nobody', null,
    'Settings: which version of a consent counts.', null, null, null, null),
  -- Check-ins
  ('relation', 'checkin', 'check_ins', '{id, user_id, type, status, progress, submissions, error_code, risk_level, created_at,
    expires_at, submitted_at, completed_at}', 'student', 'health',
    'The student''s check-ins, their state and the highest risk that was found.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'checkin', 'audio_analysis', '{check_in_id, user_id, f0_mean_hz, f0_sd_semitones, f0_range_semitones,
    f0_slope_semitones_per_s, intensity_mean_db, intensity_sd_db, intensity_range_db, voiced_fraction, speech_rate_syllables_per_s,
    articulation_rate_syllables_per_s, phonation_ratio, pause_rate_per_min, pause_mean_s, pause_sd_s, long_pause_rate_per_min,
    speech_run_mean_s, jitter_local, shimmer_local, hnr_db, cpps_db, alpha_ratio_db, hammarberg_index_db, voice_break_fraction,
    quality, quality_reason, snr_db, clipping_fraction, speech_s, duration_s, created_at}', 'student', 'health',
    'Features of the voice, from which the score is made and explained.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'checkin', 'visual_analysis', '{check_in_id, user_id, emotion_happy, emotion_sad, emotion_angry, emotion_fear,
    emotion_surprise, emotion_disgust, emotion_neutral, emotion_stability, smile_intensity, mouth_openness, eye_openness,
    eye_closure_fraction, brow_lowering, expressivity, gaze_on_camera_fraction, gaze_down_fraction, head_pitch_mean_deg,
    head_yaw_sd_deg, quality, quality_reason, images_total, images_usable, created_at}', 'student', 'health',
    'Features of the face, from which the score is made and explained.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'checkin', 'text_analysis', '{check_in_id, user_id, sentiment_compound, sentiment_positive, sentiment_negative,
    sentiment_variability, emotion_joy, emotion_sadness, emotion_anger, emotion_anxiety, lexical_diversity_mattr,
    mean_sentence_length_words, hesitation_rate, reading_grade, coping_rate, social_connection_rate, future_focus_rate,
    absolutist_rate, quality, quality_reason, language, words, themes, keywords, stated_mood, crisis_level, crisis_rule,
    transcript_source, created_at}', 'student', 'health', 'Features of the transcript, from which the score is made and explained.',
    't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'checkin', 'fusion_results', '{check_in_id, user_id, score, uncertainty, direction_of_change, significance,
    risk_level, summary, themes, drivers_positive, drivers_negative, drivers, components, baseline, algorithm_version, created_at}',
    'student', 'health', 'The score of each check-in, with what explains it.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'checkin', 'user_baselines', '{user_id, version, check_ins, score_mean, score_sd, state, updated_at}', 'student',
    'health', 'The student''s usual score and features, with which a check-in is compared.', 't.user_id = $1', 'delete', null,
    null),
  ('relation', 'private', 'check_in_inputs', '{transcript}', 'student', 'words', 'To analyse what the student said.',
    't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', 'delete', null, 'transcripts'),
  ('relation', 'private', 'check_in_inputs', '{check_in_id, transcript_source, crisis_level, crisis_rule, mood_score,
    conversation_duration, missing, created_at}', 'student', 'health',
    'What the student submitted besides media, and what the crisis check found.',
    't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', 'delete', null, 'results'),
  ('relation', 'private', 'check_in_media', '{check_in_id, path, kind, ordinal, etag, bytes, info, created_at}', 'student',
    'voice_and_image', 'To find the recordings and pictures, and to reject those that have changed.',
    't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', 'delete', null, 'raw_media'),
  ('queue', 'private', 'analysis_jobs', '{id, check_in_id, kind, ordinal, input, status, attempts, dispatched, next_dispatch_at,
    outcome, error_code, created_at}', 'student', 'health',
    'The analyses of a check-in that are to be done, with what they found so far; deleted when it ends.',
    't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', 'delete', null, null),
  ('relation', 'private', 'student_days', '{day, user_id, ended, completed, score_sum}', 'student', 'health',
    'Totals of a student''s day, until the daily rollup has counted it.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'cohort_days', '{university_id, grain, faculty, year_of_study, residence, day, students, ended, completed,
    score_sum}', 'nobody', null, 'Figures of ten students or more a row.', null, null, null, null),
  ('relation', 'public', 'cohort_snapshots', '{university_id, grain, faculty, year_of_study, residence, seen_within_days, students,
    high_risk, moderate_risk, as_of}', 'nobody', null, 'Figures of ten students or more a row.', null, null, null, null),
  -- Sessions and transcripts
  ('relation', 'public', 'assessment_sessions', '{id, user_id, assessment_type, status, session_data, created_at, updated_at}',
    'student', 'health', 'The sessions of the app''s conversational assessment.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'public', 'session_analyses', '{session_id, user_id, modality, analysis, measures, quality, quality_reason,
    risk_level, created_at}', 'student', 'health', 'The analyses of a session.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'public', 'session_scores', '{session_id, user_id, final_score, confidence, risk_level, fusion_score,
    algorithm_version, created_at}', 'student', 'health', 'The score of a session.', 't.user_id = $1', 'delete', null, 'results'),
  ('relation', 'private', 'transcript_results', '{id, user_id, transcript_sha256, check_in_id, provider, risk_level, result,
    created_at}', 'student', 'health', 'What the language model made of a transcript, so that a repeated call costs nothing.',
    't.user_id = $1', 'delete', null, 'transcript_results'),
  -- Risk and reviews
  ('relation', 'public', 'clinical_reviews', '{claimed_by}', 'staff', 'activity', 'To know which counselor helps.',
    't.claimed_by = $1', 'anonymize', null, 'clinical_reviews'),
  ('relation', 'public', 'clinical_reviews', '{closed_by}', 'staff', 'activity', 'To know which counselor helped.',
    't.closed_by = $1', 'anonymize', null, 'clinical_reviews'),
  ('relation', 'public', 'clinical_reviews', '{id, user_id, university_id, source, source_id, risk_level, status, opened_at,
    claimed_at, closed_at, last_risk_at, last_notified_at}', 'student', 'health', 'High risk, for a counselor to act on.',
    't.user_id = $1', 'delete', null, 'clinical_reviews'),
  ('relation', 'private', 'clinical_review_sources', '{review_id, source, source_id, seen_at}', 'student', 'health',
    'Where the risk of a review was found.', 't.review_id in (select r.id from public.clinical_reviews r where r.user_id = $1)',
    'delete', null, 'clinical_reviews'),
  ('relation', 'private', 'worrying_days', '{user_id, day, stored_at}', 'student', 'health',
    'Days of the last weeks with risk, to notice a lasting pattern.', 't.user_id = $1', 'delete', null, 'worrying_days'),
  -- Support circle
  ('relation', 'public', 'buddy_contacts', '{name, phone, email, relationship, time_zone, number_time_zones, texts_at_night}', 'support_contact',
    'contact_details', 'To ask the people whom the student named to check on them.', 't.user_id = $1', 'delete', null,
    'declined_contacts'),
  ('relation', 'public', 'buddy_contacts', '{id, user_id, notify_channel, is_active, priority_rank, verified, verification_token,
    verification_token_expires_at, verified_at, declined_at, phone_confirmed_at, confirmation_tries, created_at, updated_at}',
    'student', 'choices', 'Whom the student named, in which order, and what they agreed to.', 't.user_id = $1', 'delete', null,
    'declined_contacts'),
  ('relation', 'public', 'support_preferences', '{user_id, alerts_paused_until, pass_on_all_right}', 'student', 'choices',
    'What the student chose for alerts about them.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'buddy_verification_audit', '{id, buddy_contact_id, user_id, event_type, ip_address, user_agent, metadata,
    created_at}', 'support_contact', 'activity', 'Proof of what a contact agreed to, as mobile operators ask for it.', 't.user_id = $1',
    'delete', null, 'support_history'),
  ('relation', 'private', 'buddy_verification_sends', '{id, user_id, mailbox_hash, sent_at}', 'support_contact', 'activity',
    'To limit how often an address is written to.', 't.user_id = $1', 'delete', null, 'support_history'),
  ('relation', 'private', 'buddy_refusals', '{user_id, address_hash, refused_at}', 'support_contact', 'choices',
    'Not to ask again who has declined.', 't.user_id = $1', 'delete', null, 'support_history'),
  ('relation', 'public', 'buddy_check_in_requests', '{id, buddy_contact_id, user_id, request_type, trigger_reason, sent_at,
    link_clicked_at, response_received_at, delivery_status, response_type, created_at}', 'student', 'activity',
    'Whom the student, or an alert, asked to check on them, and what they answered.', 't.user_id = $1', 'delete', null,
    'support_history'),
  ('relation', 'private', 'buddy_links', '{request_id, token_hash, number_hash, expires_at}', 'support_contact', 'credentials',
    'The link of a request, which allows one answer.',
    't.request_id in (select r.id from public.buddy_check_in_requests r where r.user_id = $1)', 'delete', null, 'support_history'),
  ('relation', 'public', 'support_alerts', '{id, user_id, status, worrying_days, step, step_began_at, crisis_contact_told_at,
    all_right_at, opened_at, ended_at}', 'student', 'health', 'Each time that a lasting pattern told the student''s contacts.',
    't.user_id = $1', 'delete', null, 'support_history'),
  ('relation', 'private', 'support_alert_plan', '{alert_id, position, step, contact_id, request_id}', 'student', 'choices',
    'Whom an alert asks.', 't.alert_id in (select a.id from public.support_alerts a where a.user_id = $1)', 'delete', null,
    'support_history'),
  ('relation', 'private', 'support_standstills', '{id, kind, alert_id, user_id, found_at, ended_at, reported_at}', 'student',
    'activity', 'Alerts of which nothing became in time, for the operator.', 't.user_id = $1', 'delete', null, 'support_history'),
  ('relation', 'private', 'text_opt_outs', '{number_hash, opted_out_at, heard_by}', 'support_contact', 'choices',
    'Never to text a number that said STOP.', null, 'keep',
    'The choice of whoever has the number, for all students; a hash under the project''s own key, which leads to no account. Kept until the number says START.',
    null),
  ('relation', 'private', 'inbound_texts', '{provider_message_id, number_hash, meaning, received_at}', 'support_contact',
    'activity', 'To count a text once that the provider reports twice.', null, 'keep',
    'What is known of a number that texted, as a hash; it leads to no account, and ends with its term.', 'inbound_texts'),
  -- Messages and queues
  ('queue', 'private', 'outbox', '{id, channel, purpose, user_id, contact_id, request_id, recipient, subject, body, status,
    attempts, send_at, lease_until, provider_called_at, provider, provider_message_id, provider_status, error_code, created_at,
    ended_at, reported_at}', 'account', 'contact_details',
    'Emails and text messages that are to be sent, and proof that they were.',
    't.user_id = $1', 'delete', null, 'sent_messages'),
  ('queue', 'private', 'object_removals', '{bucket, name, reason, attempts, next_attempt_at, claim, error_code, created_at,
    reported_at}', 'account', 'activity', 'Names of files that are to be removed, until they are.',
    'private.account_of_object(t.bucket, t.name) = $1', 'keep',
    'Deleted with the file; an erasure ends only when none of the person''s is left.', null),
  ('queue', 'net', 'http_request_queue', '{*}', 'nobody', null, 'Webhooks that announce work by its id, until they are sent.', null,
    null, null, null),
  ('relation', 'net', '_http_response', '{*}', 'nobody', null,
    'How functions answered webhooks: numbers and codes. pg_net deletes them after 6 hours.', null, null, null, null),
  ('relation', 'cron', 'job', '{*}', 'nobody', null, 'Which jobs run when.', null, null, null, null),
  ('relation', 'cron', 'job_run_details', '{*}', 'nobody', null, 'When jobs ran, and how they ended.', null, null, null,
    'cron_runs'),
  ('relation', 'realtime', 'messages', '{*}', 'student', 'health', 'Progress and results, for the app that listens.',
    't.topic in (''support:'' || $1::text, ''account:'' || $1::text) or t.topic in (select ''check-in:'' || c.id from checkin.check_ins c where c.user_id = $1) or t.topic in (select ''assessment:'' || s.id from public.assessment_sessions s where s.user_id = $1)',
    'delete', null, 'channel_messages'),
  ('relation', 'realtime', 'subscription', '{*}', 'nobody', null,
    'Which changes connected clients listen to, while they are connected.', null, null, null, null),
  ('relation', 'realtime', 'schema_migrations', '{*}', 'nobody', null, 'The platform''s own migrations.', null, null, null, null),
  -- Exports
  ('relation', 'private', 'exports', '{id, user_id, include_name, status, error_code, token_hash, created_at, ended_at, expires_at}',
    'account', 'activity', 'What the person asked to take along, and until when it can be downloaded.', 't.user_id = $1', 'delete',
    null, 'export_records'),
  ('queue', 'private', 'export_volumes', '{export_id, ordinal, content, object_name, since, until, objects, status, attempts, due_at,
    bytes, left_out, error_code}', 'account', 'activity', 'The files of an export, and the work that is left.',
    't.export_id in (select e.id from private.exports e where e.user_id = $1)', 'delete', null, 'export_records'),
  ('relation', 'private', 'export_settings', '{only_row, lease, retry_backoff, max_attempts, max_in_flight, daily_requests,
    volume_bytes, rows_per_volume}', 'nobody', null, 'Settings of exports.', null, null, null, null),
  ('bucket', 'storage', 'exports', '{*}', 'account', 'health', 'Everything that is stored of a person, for them to download.',
    't.bucket_id = ''exports'' and starts_with(t.name, $1::text || ''/'')', 'delete', null, 'exports'),
  -- Erasure
  ('queue', 'private', 'erasures', '{id, user_id, source, requested_at, final_at, erased_at, email, phone, mail_receipt, counts,
    attempts, next_attempt_at, error_code}', 'account', 'contact_details',
    'To erase a person, to search for what is left, and to send the receipt.', 't.user_id = $1', 'keep',
    'Deleted by the erasure itself when nothing is found any more, a day after it is final at the latest.', null),
  ('relation', 'private', 'erasure_progress', '{only_row, last_run_at}', 'nobody', null, 'When erasures were last looked at.', null,
    null, null, null),
  ('relation', 'private', 'erasure_receipts', '{id, source, requested_at, completed_at, counts, tombstone, checksum}', 'nobody', null,
    'Proof of erasures, and numbers under the project''s own key that find somebody again in a restored backup.', null, null, null,
    null),
  ('relation', 'private', 'legal_holds', '{user_id, reason, confidential, set_at}', 'account', 'activity',
    'To keep what the law forbids to erase.', 't.user_id = $1', 'keep',
    'Only while a security administrator upholds it; until then nothing of the person is erased.', null),
  -- Audit log
  ('relation', 'public', 'audit_logs', '{id, occurred_at, action, actor_hash, subject_hash, actor_role, university_id, target_type,
    target_id, before, after, details, request_id, previous_hash, hash}', 'nobody', null,
    'Proof of what was done and when; of people it has only hashes, under salts that are deleted with them.', null, null, null,
    'audit_log'),
  ('relation', 'private', 'audit_identities', '{entry, party, account_id, ip, user_agent, salt}', 'account', 'activity',
    'Proof of who did what, and of who read whose data.', 't.account_id = $1', 'delete', null, 'audit_log'),
  ('relation', 'private', 'audit_head', '{only_row, entries, hash}', 'nobody', null, 'The last hash of the audit log.', null, null,
    null, null),
  ('relation', 'private', 'audit_proof', '{only_row, entries, hash, proved_at}', 'nobody', null,
    'How far the audit log was verified.', null, null, null, null),
  -- Files
  ('bucket', 'storage', 'check-in-media', '{*}', 'student', 'voice_and_image', 'Recordings of check-ins.',
    't.bucket_id = ''check-in-media'' and starts_with(t.name, $1::text || ''/'')', 'delete', null, 'raw_media'),
  ('bucket', 'storage', 'check-in-images', '{*}', 'student', 'voice_and_image', 'Pictures of check-ins.',
    't.bucket_id = ''check-in-images'' and starts_with(t.name, $1::text || ''/'')', 'delete', null, 'raw_media'),
  ('bucket', 'storage', 'university-files', '{*}', 'student', 'words',
    'What students keep in their own folders; files that a university shares belong to it.',
    't.bucket_id = ''university-files'' and t.path_tokens[2] = ''students'' and t.path_tokens[3] = $1::text', 'delete', null, null),
  ('bucket', 'storage', 'analysis-assets', '{*}', 'nobody', null, 'Weights of the analyses.', null, null, null, null),
  ('relation', 'storage', 'objects', '{*}', 'account', 'activity', 'The list of the files, with who uploaded each.',
    't.owner_id = $1::text', 'keep',
    'A row is deleted with its file, as its bucket says. A file that a university shares keeps the id of who uploaded it, which leads nowhere once the account is deleted.',
    null),
  ('relation', 'storage', 'buckets', '{*}', 'nobody', null, 'Which buckets there are.', null, null, null, null),
  ('relation', 'storage', 'migrations', '{*}', 'nobody', null, 'The platform''s own migrations.', null, null, null, null),
  ('relation', 'storage', 'buckets_analytics', '{*}', 'nobody', null, 'Not used.', null, null, null, null),
  ('relation', 'storage', 'buckets_vectors', '{*}', 'nobody', null, 'Not used.', null, null, null, null),
  ('relation', 'storage', 'vector_indexes', '{*}', 'nobody', null, 'Not used.', null, null, null, null),
  ('relation', 'storage', 'iceberg_namespaces', '{*}', 'nobody', null, 'Not used.', null, null, null, null),
  ('relation', 'storage', 'iceberg_tables', '{*}', 'nobody', null, 'Not used.', null, null, null, null),
  ('relation', 'storage', 'prefixes', '{*}', 'student', 'activity',
    'The folders of the files, as some versions of Storage keep them.',
    't.name = $1::text or starts_with(t.name, $1::text || ''/'')', 'keep', 'Storage itself deletes a folder with its last file.',
    null),
  ('relation', 'storage', 's3_multipart_uploads', '{*}', 'account', 'activity', 'Uploads in parts that are not finished.',
    't.owner_id = $1::text or private.account_of_object(t.bucket_id, t.key) = $1', 'delete', null, null),
  ('relation', 'storage', 's3_multipart_uploads_parts', '{*}', 'account', 'activity', 'Parts of uploads that are not finished.',
    't.owner_id = $1::text or private.account_of_object(t.bucket_id, t.key) = $1', 'delete', null, null),
  -- Auth
  ('relation', 'auth', 'users', '{*}', 'account', 'credentials', 'To sign in.', 't.id = $1', 'delete', null, null),
  ('relation', 'auth', 'identities', '{*}', 'account', 'identity', 'How the account signs in.', 't.user_id = $1', 'delete', null,
    null),
  ('relation', 'auth', 'sessions', '{*}', 'account', 'activity', 'Where the account is signed in, with address and browser.',
    't.user_id = $1', 'delete', null, null),
  ('relation', 'auth', 'mfa_factors', '{*}', 'account', 'credentials', 'Second factors.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'auth', 'one_time_tokens', '{*}', 'account', 'credentials', 'Hashes of the links in emails.', 't.user_id = $1',
    'delete', null, null),
  ('relation', 'auth', 'flow_state', '{*}', 'account', 'credentials', 'Sign-ins that have begun.', 't.user_id = $1', 'delete', null,
    null),
  ('relation', 'auth', 'oauth_authorizations', '{*}', 'account', 'activity', 'Apps that ask to sign in with the account.',
    't.user_id = $1', 'delete', null, null),
  ('relation', 'auth', 'oauth_consents', '{*}', 'account', 'choices', 'Apps that may sign in with the account.', 't.user_id = $1',
    'delete', null, null),
  ('relation', 'auth', 'webauthn_credentials', '{*}', 'account', 'credentials', 'Passkeys.', 't.user_id = $1', 'delete', null,
    null),
  ('relation', 'auth', 'webauthn_challenges', '{*}', 'account', 'credentials', 'Sign-ins with a passkey that have begun.',
    't.user_id = $1', 'delete', null, null),
  ('relation', 'auth', 'refresh_tokens', '{*}', 'account', 'credentials', 'To stay signed in.', 't.user_id = $1::text', 'delete',
    null, null),
  ('relation', 'auth', 'mfa_amr_claims', '{*}', 'account', 'activity', 'How each session was signed in.',
    't.session_id in (select s.id from auth.sessions s where s.user_id = $1)', 'delete', null, null),
  ('relation', 'auth', 'mfa_challenges', '{*}', 'account', 'credentials', 'Second factors that were asked for.',
    't.factor_id in (select f.id from auth.mfa_factors f where f.user_id = $1)', 'delete', null, null),
  ('relation', 'auth', 'audit_log_entries', '{*}', 'account', 'activity', 'What Auth logs of sign-ins.',
    'strpos(t.payload::text, $1::text) > 0', 'delete', null, 'sign_in_log'),
  ('relation', 'auth', 'instances', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null, null),
  ('relation', 'auth', 'schema_migrations', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'saml_providers', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'saml_relay_states', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'sso_providers', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'sso_domains', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null, null),
  ('relation', 'auth', 'oauth_clients', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'oauth_client_states', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null, null,
    null),
  ('relation', 'auth', 'custom_oauth_providers', '{*}', 'nobody', null, 'The platform''s own settings and progress.', null, null,
    null, null),
  -- Security
  ('relation', 'private', 'security_events', '{id, kind, source, minute, occurred_at, last_at, address, account, occurrences,
    details}', 'account', 'activity', 'To detect attacks.', 't.account = $1', 'delete', null, 'security_events'),
  ('relation', 'private', 'known_networks', '{network, kind, note}', 'nobody', null, 'Networks that are never blocked.', null, null,
    null, null),
  ('relation', 'public', 'security_incidents', '{id, type, severity, status, title, description, detected_at, affected_systems,
    indicators, metadata, key, aware_at, last_seen_at, ended_at}', 'nobody', null, 'What attacks and breaches there were.', null,
    null, null, 'security_incidents'),
  ('relation', 'public', 'security_incidents', '{affected_users, response, timeline}', 'account', 'activity',
    'To know whom an incident concerned and who dealt with it.', '$1::text = any (t.affected_users) or strpos(t.timeline::text, $1::text) > 0',
    'keep',
    'Ids, which lead to nobody once the account is erased: the record of a breach has to stay whole (GDPR article 33 (5)) until its term ends.',
    'security_incidents'),
  ('relation', 'public', 'security_incidents', '{owner}', 'staff', 'activity', 'To know who deals with it.', 't.owner = $1',
    'anonymize', null, 'security_incidents'),
  ('relation', 'private', 'detection_rules', '{rule, type, severity, threshold, period, respond, enabled, about}', 'nobody', null,
    'What is an incident.', null, null, null, null),
  ('relation', 'private', 'detection_settings', '{only_row, trust_auth_addresses, log_changes, verified_all_at}', 'nobody', null,
    'Settings of detection.', null, null, null, null),
  ('relation', 'private', 'schema_snapshot', '{aspect, object, state}', 'nobody', null, 'What protected the data after the last migration.',
    null, null, null, null),
  ('relation', 'private', 'schema_snapshot_of', '{only_row, migration, taken_at}', 'nobody', null, 'Which migration that was.', null,
    null, null, null),
  ('relation', 'private', 'blocked_addresses', '{network, reason, incident_id, blocked_at, until, times}', 'caller', 'activity',
    'To refuse addresses that attacks come from.', null, 'keep', 'No account leads to an address; deleted with its term.',
    'security_events'),
  ('relation', 'private', 'disabled_accounts', '{account, reason, incident_id, disabled_at, banned_until_before}', 'account',
    'activity', 'To enable an account again as it was.', 't.account = $1', 'delete', null, null),
  ('relation', 'private', 'quarantines', '{function_name, reason, incident_id, since}', 'nobody', null, 'Functions that are switched off.',
    null, null, null, null),
  ('relation', 'private', 'evidence', '{id, incident_id, content, sha256, sealed_at}', 'account', 'activity',
    'To prove what happened in an incident.', 'strpos(t.content::text, $1::text) > 0', 'keep',
    'Ids and addresses, sealed by a hash: evidence of a breach is kept as long as its incident.', 'security_incidents'),
  -- Training
  ('relation', 'public', 'training_modules', '{id, title, category, difficulty, estimated_duration, mandatory, content, assessments,
    published, version, created_at, updated_at}', 'nobody', null, 'What staff are trained with.', null, null, null, null),
  ('relation', 'private', 'training_versions', '{module_id, version, title, content, pass_score, questions_per_attempt, created_at}',
    'nobody', null, 'The modules as they were when somebody took them.', null, null, null, null),
  ('relation', 'private', 'training_questions', '{module_id, version, id, prompt, options, correct}', 'nobody', null,
    'The questions of the modules, with their answers.', null, null, null, null),
  ('relation', 'public', 'training_assignments', '{id, module_id, user_id, role, due_days, created_at}', 'staff', 'activity',
    'To know who has to take which module.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'training_assignments', '{assigned_by}', 'staff', 'activity', 'To know who assigned it.',
    't.assigned_by = $1', 'anonymize', null, null),
  ('relation', 'public', 'training_progress', '{user_id, module_id, version, sections_read, started_at, updated_at}', 'staff',
    'activity', 'To go on reading where one stopped.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'training_attempts', '{id, user_id, module_id, version, questions, started_at, expires_at, submitted_at,
    correct, score, passed}', 'staff', 'activity', 'To show how somebody was assessed.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'private', 'training_papers', '{attempt_id, questions, answers}', 'staff', 'words',
    'To show what was asked and answered.', 't.attempt_id in (select a.id from public.training_attempts a where a.user_id = $1)',
    'delete', null, null),
  ('relation', 'public', 'training_certificates', '{id, user_id, module_id, version, attempt_id, score, issued_at, expires_at}',
    'staff', 'activity', 'To show that somebody is trained.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'private', 'training_reminders', '{user_id, module_id, due_at, days_before, reached_at, message_id}', 'staff',
    'activity', 'To remind of each date once.', 't.user_id = $1', 'delete', null, null),
  -- Compliance
  ('relation', 'public', 'compliance_controls', '{id, framework, reference, title, requirement, checks, automated_status, automated_at,
    decision, decision_reason, decision_evidence, decided_at}', 'nobody', null,
    'What frameworks ask for, and how it stands.', null, null, null, null),
  ('relation', 'public', 'compliance_controls', '{decided_by}', 'staff', 'activity', 'To know who decided how a control stands.',
    't.decided_by = $1', 'anonymize', null, null),
  ('relation', 'public', 'compliance_assessments', '{id, framework, started_at, ended_at, controls, evidence, hash}', 'nobody', null,
    'Assessments with their evidence, which counts people and names none.', null, null, null, 'compliance_assessments'),
  ('relation', 'public', 'compliance_assessments', '{requested_by}', 'staff', 'activity', 'To know who asked for an assessment.',
    't.requested_by = $1', 'anonymize', null, 'compliance_assessments'),
  ('relation', 'private', 'compliance_checks', '{id, title, expected, failure, source, query}', 'nobody', null,
    'What is checked, and how.', null, null, null, null),
  ('relation', 'private', 'compliance_facts', '{fact, happened_at, reference, told_at}', 'nobody', null,
    'When backups, tests and reviews were done that the database cannot see.', null, null, null, null),
  -- Security tests
  ('relation', 'public', 'security_tests', '{id, name, probes, schedule, enabled, next_run_at, created_at}', 'nobody', null,
    'Which probes run, and when.', null, null, null, null),
  ('relation', 'public', 'security_tests', '{created_by}', 'staff', 'activity', 'To know who created it.', 't.created_by = $1',
    'anonymize', null, null),
  ('relation', 'public', 'security_test_runs', '{id, test_id, scheduled, status, created_at, ended_at}', 'nobody', null,
    'When a security test ran.', null, null, null, 'security_test_runs'),
  ('relation', 'public', 'security_test_runs', '{requested_by}', 'staff', 'activity', 'To know who began it.',
    't.requested_by = $1', 'anonymize', null, 'security_test_runs'),
  ('relation', 'public', 'security_test_results', '{run_id, probe, status, attempts, due_at, started_at, ended_at, checks, findings,
    error_code}', 'nobody', null, 'What probes found, without anybody''s data.', null, null, null, 'security_test_runs'),
  ('relation', 'private', 'probe_accounts', '{user_id, run_id, part, tokens_expired, created_at}', 'nobody', null,
    'Invented accounts of probes.', null, null, null, null),
  ('relation', 'public', 'vulnerabilities', '{id, probe, fault, title, severity, status, evidence, found_at, found_in, last_found_at,
    times_found, fixed_at, fixed_in, accepted_at, accepted_until, accepted_reason, regression_of}', 'nobody', null,
    'Faults that probes found.', null, null, null, null),
  ('relation', 'public', 'vulnerabilities', '{accepted_by}', 'staff', 'activity', 'To know who accepted it.',
    't.accepted_by = $1', 'anonymize', null, null),
  -- Security policies
  ('relation', 'public', 'security_policies', '{id, name, category, type, conditions, actions, enforcement_points, priority, enabled,
    dry_run, trigger_count, last_triggered, created_at, updated_at}', 'nobody', null, 'What is done when conditions hold.', null,
    null, null, null),
  ('relation', 'private', 'enabled_policies', '{policy_id, priority, enforcement_points, dry_run, actions, condition}', 'nobody',
    null, 'The enabled policies, compiled.', null, null, null, null),
  ('relation', 'private', 'policy_counts', '{key, policy_id, kind, by_account, within_s, threshold}', 'nobody', null,
    'What the enabled policies count.', null, null, null, null),
  ('relation', 'private', 'policy_triggers', '{policy_id, backend, triggered, last_triggered}', 'nobody', null,
    'How often policies applied since the last minute.', null, null, null, null),
  ('relation', 'private', 'policy_days', '{policy_id, day, triggered}', 'nobody', null, 'How often policies applied each day.', null,
    null, null, null),
  ('relation', 'private', 'policy_firings', '{id, policy_id, action, account, address, fired_at}', 'account', 'activity',
    'To alert once of one thing, and to disable and log no more often than needed.', 't.account = $1', 'delete', null,
    'policy_firings'),
  -- Platform
  ('relation', 'vault', 'secrets', '{*}', 'nobody', null, 'The project''s own secrets, encrypted.', null, null, null, null),
  ('relation', 'vault', 'local_key', '{*}', 'nobody', null, 'The key of the local stack''s vault.', null, null, null, null),
  ('relation', 'supabase_migrations', 'schema_migrations', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null,
    null),
  ('relation', 'supabase_migrations', 'seed_files', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null),
  ('relation', 'supabase_functions', 'hooks', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null),
  ('relation', 'supabase_functions', 'migrations', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null);


-- No policies: this file holds rows, not tables.

-- The automated checks of who reaches what. They are part of the schema, not settings: a migration that changes them ends with all of them.
-- Each query returns what is wrong, and no row when nothing is.
insert into private.compliance_checks as c (id, failure, title, expected, source, query)
values
  -- Who reaches what
  ('rls_enabled', 'non_compliant', 'Row-level security', 'Every table that an API exposes has row-level security on.', null, $q$
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p')
      and not c.relrowsecurity
      and (
        n.nspname in ('public', 'checkin')
        or (n.nspname, c.relname) in (('storage', 'objects'), ('storage', 'buckets'), ('realtime', 'messages'))
      )
  $q$),
  ('policies_restrict', 'non_compliant', 'Policies that let everybody in', 'No policy for clients is simply true.', null, $q$
    select schemaname || '.' || tablename || ': ' || policyname
    from pg_policies
    where schemaname in ('public', 'checkin', 'storage', 'realtime')
      and permissive = 'PERMISSIVE'
      and roles <> '{service_role}'
      and ((cmd <> 'INSERT' and qual = 'true') or with_check = 'true')
  $q$),
  ('policies_name_roles', 'partial', 'Policies for unnamed roles', 'Every policy names the role it is for, and none is for anon.', null, $q$
    select schemaname || '.' || tablename || ': ' || policyname
    from pg_policies
    where schemaname in ('public', 'checkin') and ('public' = any (roles) or 'anon' = any (roles))
  $q$),
  ('policies_ask_account', 'partial', 'Policies and ended sessions',
    'Every policy asks private.current_account who the caller is, itself or through a function, so that a ban or a sign-out holds at once.',
    null, $q$
    with recursive asking (name) as (
      values ('current_account'::name)
      union
      select p.proname
      from asking a
      join pg_proc p on p.pronamespace = 'private'::regnamespace and p.prosrc ~ ('private\.' || a.name || '\(\)')
    )
    select p.schemaname || '.' || p.tablename || ': ' || p.policyname
    from pg_policies p
    cross join lateral unnest(array_remove(array[p.qual, p.with_check], null)) as condition
    where p.schemaname in ('public', 'checkin', 'storage', 'realtime')
      and p.roles <> '{service_role}'
      and condition not in ('true', 'false')
      and not exists (select from asking a where condition ~ ('private\.' || a.name || '\('))
  $q$),
  ('accounts_gated', 'non_compliant', 'Files and channels of banned accounts',
    'Whatever policies the tables of Storage and Realtime get, they let nobody in who is banned, signed out or without a role.', null, $q$
    select t.name
    from unnest(array['storage.objects', 'realtime.messages']) as t (name)
    where not exists (
      select
      from pg_policies
      where schemaname || '.' || tablename = t.name
        and permissive = 'RESTRICTIVE'
        and cmd = 'ALL'
        and 'authenticated' = any (roles)
        and qual like '%current_account%'
    )
  $q$),
  ('anon_reads_nothing', 'non_compliant', 'Tables without sign-in', 'Nobody reaches a table without signing in.', null, $q$
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'checkin', 'private')
      and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and (
        has_any_column_privilege('anon', c.oid, 'select, insert, update, references')
        or has_table_privilege('anon', c.oid, 'delete, truncate, trigger')
      )
  $q$),
  ('private_closed', 'non_compliant', 'The schema private', 'No API role can name anything in the schema private, or reach a table of it.', null, $q$
    select r.name || ' may use the schema'
    from unnest(array['anon', 'authenticated', 'service_role']) as r (name)
    where has_schema_privilege(r.name, 'private', 'usage')
    union all
    select r.name || ' reaches ' || c.relname
    from unnest(array['authenticated', 'service_role']) as r (name)
    join pg_class c on c.relnamespace = 'private'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
    where has_any_column_privilege(r.name, c.oid, 'select, insert, update, references')
      or has_table_privilege(r.name, c.oid, 'delete, truncate, trigger')
  $q$),
  ('tables_not_emptied', 'non_compliant', 'Rights that row-level security does not limit',
    'No client may truncate a table, or add a trigger or a foreign key to it.', null, $q$
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'checkin')
      and c.relkind in ('r', 'p')
      and has_table_privilege('authenticated', c.oid, 'truncate, references, trigger')
  $q$),
  ('definers_unexposed', 'non_compliant', 'Functions with more rights than their caller',
    'No function that an API exposes runs with the rights of its owner.', null, $q$
    select p.oid::regprocedure::text
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'checkin')
      and p.prosecdef
      and (has_function_privilege('anon', p.oid, 'execute') or has_function_privilege('authenticated', p.oid, 'execute'))
  $q$),
  ('anon_calls_nothing', 'non_compliant', 'Functions without sign-in',
    'Nobody calls a function without signing in, other than the one that checks each request.', null, $q$
    select p.oid::regprocedure::text
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'checkin')
      and p.oid is distinct from to_regprocedure('public.check_request()')
      and has_function_privilege('anon', p.oid, 'execute')
      and not exists (
        select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      )
  $q$),
  ('search_paths_fixed', 'partial', 'Search paths of functions', 'Every function has an empty search path, so that nobody slips it another table.', null, $q$
    select p.oid::regprocedure::text
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'checkin', 'private')
      and not coalesce(p.proconfig @> array['search_path=""'], false)
      and not exists (
        select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      )
  $q$),
  ('views_as_caller', 'non_compliant', 'Views that pass policies by',
    'Every view that clients read has the rights of its reader; they read no materialized view and no foreign table.', null, $q$
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'checkin')
      and (
        c.relkind in ('m', 'f')
        or (c.relkind = 'v' and not coalesce(c.reloptions && array['security_invoker=true', 'security_invoker=on'], false))
      )
      and (has_any_column_privilege('anon', c.oid, 'select') or has_any_column_privilege('authenticated', c.oid, 'select'))
  $q$),
  ('roles_limited', 'non_compliant', 'Rights of the API roles', 'No API role passes row-level security by or makes roles.', null, $q$
    select rolname::text
    from pg_roles
    where rolname in ('anon', 'authenticated', 'authenticator') and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)
  $q$),
  ('requests_checked', 'partial', 'The check of each request', 'The Data API calls public.check_request before it serves one.', null, $q$
    select 'authenticator has no pgrst.db_pre_request=public.check_request'
    where not exists (
      select from pg_roles where rolname = 'authenticator' and 'pgrst.db_pre_request=public.check_request' = any (rolconfig)
    )
  $q$),
  ('buckets_private', 'non_compliant', 'Buckets', 'No bucket is public.', null, $q$
    select id from storage.buckets where public
  $q$),
  ('buckets_limited', 'partial', 'Sizes of files', 'Every bucket limits the size of a file.', null, $q$
    select id from storage.buckets where file_size_limit is null
  $q$),
  ('extensions_apart', 'partial', 'Extensions', 'No extension lies in the schema that clients reach.', null, $q$
    select extname::text from pg_extension where extnamespace = 'public'::regnamespace
  $q$),
  ('tables_keyed', 'partial', 'Primary keys', 'Every table has one, so that each row can be named, restored and compared.', null, $q$
    select n.nspname || '.' || c.relname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'checkin', 'private')
      and c.relkind in ('r', 'p')
      and not c.relispartition
      and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)
  $q$),

  -- Who acts
  ('staff_second_factor', 'non_compliant', 'Second factors of staff', 'Everybody on the staff signs in with a second factor.', null, $q$
    select r.role || ': ' || count(*) || ' without one'
    from (select distinct user_id, role from public.user_roles where role in ('counselor', 'university_admin', 'security_admin')) r
    join auth.users u on u.id = r.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    where not exists (select from auth.mfa_factors f where f.user_id = r.user_id and f.status = 'verified')
    group by r.role
  $q$),
  ('staff_in_use', 'partial', 'Unused accounts of staff', 'Whoever is on the staff signed in within 90 days.', null, $q$
    select r.role || ': ' || count(*) || ' did not'
    from public.user_roles r
    join auth.users u on u.id = r.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    where r.role in ('counselor', 'university_admin', 'security_admin')
      and r.created_at < now() - interval '90 days'
      and coalesce(u.last_sign_in_at, '-infinity') < now() - interval '90 days'
    group by r.role
  $q$),
  ('staff_confirmed', 'non_compliant', 'Addresses of staff', 'Everybody on the staff has confirmed their address.', null, $q$
    select r.role || ': ' || count(*) || ' have not'
    from public.user_roles r
    join auth.users u on u.id = r.user_id
    where r.role in ('counselor', 'university_admin', 'security_admin') and u.email_confirmed_at is null and u.phone_confirmed_at is null
    group by r.role
  $q$),
  ('passwords_hashed', 'non_compliant', 'Passwords', 'Passwords of staff are stored as bcrypt or Argon2 hashes.', null, $q$
    select r.role || ': ' || count(*) || ' are not'
    from public.user_roles r
    join auth.users u on u.id = r.user_id
    where r.role in ('counselor', 'university_admin', 'security_admin') and u.encrypted_password <> ''
      and u.encrypted_password !~ '^\$(2[aby]|argon2)'
    group by r.role
  $q$),
  ('security_admin_named', 'non_compliant', 'Security administrators', 'Somebody who can sign in is the security administrator.', null, $q$
    select 'there is none'
    where not exists (
      select
      from public.user_roles r
      join auth.users u on u.id = r.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
      where r.role = 'security_admin'
    )
  $q$),
  ('sign_in_limited', 'non_compliant', 'Guessing passwords', 'Sign-ins are limited to 20 in 5 minutes or fewer, and other calls have limits too.', null, $q$
    select 'sign-in: more than 20 in 5 minutes'
    from private.rate_limit_rules
    where scope = 'sign-in' and requests * interval '5 minutes' > 20 * period
    union all
    select s.scope || ': no limit'
    from unnest(array['sign-in', 'sign-up', 'refresh', 'data-api', 'unknown-link', 'audit']) as s (scope)
    where not exists (select from private.rate_limit_rules r where r.scope = s.scope)
  $q$),
  ('access_reviewed', 'partial', 'Reviews of access', 'Who has which role was reviewed within a year.', $q$
    exists (select from private.compliance_facts where fact = 'access_review')
  $q$, $q$
    select 'the last one was on ' || happened_at::date
    from private.compliance_facts
    where fact = 'access_review' and happened_at < now() - interval '1 year'
  $q$),

  -- Keys and connections
  ('keys_present', 'non_compliant', 'Secrets of the project', 'The vault has every secret that the service needs.', null, $q$
    select k.name
    from unnest(array['functions_url', 'pipeline_secret', 'number_hash_key', 'tombstone_key']) as k (name)
    where not exists (select from vault.secrets s where s.name = k.name)
  $q$),
  ('keys_renewed', 'partial', 'Age of the workers'' secret', 'It was renewed within a year.', $q$
    exists (select from vault.secrets where name = 'pipeline_secret')
  $q$, $q$
    select 'pipeline_secret is of ' || greatest(created_at, updated_at)::date
    from vault.secrets
    where name = 'pipeline_secret' and greatest(created_at, updated_at) < now() - interval '1 year'
  $q$),
  ('connections_encrypted', 'partial', 'Connections to the database', 'They can be encrypted, and passwords of its roles are never sent in a form that can be replayed.', null, $q$
    select name || ' is ' || setting
    from pg_settings
    where (name = 'ssl' and setting <> 'on') or (name = 'password_encryption' and setting <> 'scram-sha-256')
  $q$),
  ('encryption_at_rest', 'non_compliant', 'Disks and backups', 'That they are encrypted was confirmed within a year.', $q$
    exists (select from private.compliance_facts where fact = 'encryption_at_rest')
  $q$, $q$
    select 'last confirmed on ' || happened_at::date
    from private.compliance_facts
    where fact = 'encryption_at_rest' and happened_at < now() - interval '1 year'
  $q$)
on conflict on constraint compliance_checks_pkey do update
set failure = excluded.failure,
  title = excluded.title,
  expected = excluded.expected,
  source = excluded.source,
  query = excluded.query
where (c.failure, c.title, c.expected, c.source, c.query)
  is distinct from (excluded.failure, excluded.title, excluded.expected, excluded.source, excluded.query);


-- No policies: this file holds rows, not tables.

-- The automated checks of personal data, and of the proof of what was done with it. They are part of the schema, not settings: a migration that changes them ends with all of them.
-- Each query returns what is wrong, and no row when nothing is.
insert into private.compliance_checks as c (id, failure, title, expected, source, query)
values
  -- Personal data
  ('data_classified', 'partial', 'The inventory of personal data', 'Every column is classified.', null, $q$
    select name || ': ' || problem from private.personal_data_gaps()
  $q$),
  ('retention_kept', 'non_compliant', 'Data past its term', 'Nothing is kept two days longer than its term.', null, $q$
    with terms as (
      select kind, now() - keep - interval '2 days' as cutoff from private.retention_rules
    )
    select t.kind
    from terms t
    where case t.kind
      when 'raw_media' then exists (
        select
        from private.check_in_media m
        join checkin.check_ins c on c.id = m.check_in_id
        where m.created_at < t.cutoff and c.completed_at < t.cutoff
      )
      when 'transcripts' then exists (
        select
        from private.check_in_inputs i
        join checkin.check_ins c on c.id = i.check_in_id
        where i.transcript is not null and i.created_at < t.cutoff and c.completed_at < t.cutoff
      )
      when 'transcript_results' then exists (select from private.transcript_results r where r.created_at < t.cutoff)
      when 'results' then exists (
        select from (select c.status from checkin.check_ins c where c.created_at < t.cutoff order by c.created_at limit 1000) as oldest
        where status <> 'processing'
      )
      when 'sent_messages' then exists (
        select from private.outbox o where o.ended_at < t.cutoff and o.status in ('sent', 'cancelled')
      )
      when 'undelivered_messages' then exists (select from private.outbox o where o.ended_at < t.cutoff)
      when 'inbound_texts' then exists (select from private.inbound_texts i where i.received_at < t.cutoff)
      when 'exports' then exists (select from private.exports e where e.status = 'ready' and e.expires_at < now() - interval '2 days')
    end
  $q$),
  ('terms_short', 'partial', 'Terms of recordings and transcripts',
    'Recordings are kept for 90 days at most, transcripts for a year, what was not submitted for a week.', null, $q$
    select r.kind || ': ' || r.keep
    from private.retention_rules r
    join (
      values
        ('raw_media', interval '90 days'), ('transcripts', interval '1 year'), ('transcript_results', interval '1 year'),
        ('unfinished_uploads', interval '7 days')
    ) as most (kind, keep) on most.kind = r.kind
    where r.keep > most.keep
  $q$),
  ('records_kept', 'non_compliant', 'Terms of proof', 'The people of the audit log, and assessments, are kept for six years at least.', null, $q$
    select r.kind || ': ' || r.keep
    from private.retention_rules r
    where r.kind in ('audit_log', 'compliance_assessments') and r.keep < interval '6 years'
  $q$),
  ('erasures_in_time', 'non_compliant', 'Erasures', 'None takes longer than a day once it is final, unless the law holds it.', null, $q$
    select count(*) || ' late'
    from private.erasures e
    where e.final_at < now() - interval '24 hours' and not exists (select from private.legal_holds h where h.user_id = e.user_id)
    having count(*) > 0
  $q$),
  ('files_removed', 'partial', 'Removal of files', 'No file resists its removal for a day.', null, $q$
    select bucket || ': ' || count(*)
    from private.object_removals
    where attempts >= 5 and error_code is not null and created_at < now() - interval '24 hours'
    group by bucket
  $q$),
  ('exports_in_time', 'partial', 'Exports of personal data', 'Nobody waits for one longer than a day.', null, $q$
    select count(*) || ' late'
    from private.exports
    where status in ('queued', 'building') and created_at < now() - interval '24 hours'
    having count(*) > 0
  $q$),
  ('consent_before_use', 'non_compliant', 'Consent before use',
    'Each analysis was made while the consent to it was in force: the latest 1,000 check-ins of a week.', null, $q$
    with recent as materialized (
      select c.id, c.user_id
      from checkin.check_ins c
      where c.created_at > now() - interval '7 days'
      order by c.created_at desc
      limit 1000
    ),
    used as (
      select r.user_id, 'audio'::public.consent_kind as kind, a.created_at
      from recent r
      join checkin.audio_analysis a on a.check_in_id = r.id
      union all
      select r.user_id, 'camera', a.created_at
      from recent r
      join checkin.visual_analysis a on a.check_in_id = r.id
      union all
      select r.user_id, 'text', a.created_at
      from recent r
      join checkin.text_analysis a on a.check_in_id = r.id
    )
    select u.kind || ': ' || count(*) || ' without'
    from used u
    where not exists (
      select
      from public.consents c
      where c.user_id = u.user_id
        and c.kind = u.kind
        and c.granted_at <= u.created_at
        and (c.withdrawn_at is null or c.withdrawn_at >= u.created_at)
    )
    group by u.kind
  $q$),

  -- Proof of what was done
  ('audit_intact', 'non_compliant', 'The chain of the audit log', 'The latest 5,000 entries and all that was proved before are as they were written.', null, $q$
    select coalesce('entry ' || v.broken_at || ': ', '') || v.problem
    from (select coalesce(max(entries), 0) as entries from private.audit_head) h
    cross join lateral private.verify_audit_log(greatest(h.entries - 5000, 1)) v
    where not v.intact
    union all
    select 'entry ' || p.entries || ': was changed after it was proved'
    from private.audit_proof p
    where p.entries > 0
      and not exists (select from public.audit_logs e where e.id = p.entries and e.hash = p.hash)
  $q$),
  ('audit_verified', 'partial', 'Verification of the audit log', 'Every entry is verified within an hour.', null, $q$
    select 'entry ' || e.id || ' and those after it'
    from private.audit_proof p
    join public.audit_logs e on e.id = p.entries + 1
    where e.occurred_at < now() - interval '1 hour'
  $q$),
  ('audit_guarded', 'non_compliant', 'Guards of the audit log', 'Nobody changes, deletes or empties it.', null, $q$
    select g.relation || ': ' || g.name
    from (
      values
        ('public.audit_logs', 'chain_audit_entry'), ('public.audit_logs', 'prevent_audit_change'),
        ('public.audit_logs', 'prevent_audit_truncate'), ('private.audit_identities', 'prevent_audit_identity_change'),
        ('private.audit_identities', 'prevent_audit_identity_truncate')
    ) as g (relation, name)
    where not exists (
      select from pg_trigger t where t.tgrelid = to_regclass(g.relation) and t.tgname = g.name and t.tgenabled in ('O', 'A')
    )
  $q$),
  ('changes_audited', 'non_compliant', 'What the audit log hears of', 'Sign-ins, roles, settings and reviews are logged.', null, $q$
    select g.relation || ': ' || g.name
    from (
      values
        ('auth.sessions', 'audit_sign_in'), ('public.user_roles', 'audit_role_granted'), ('public.user_roles', 'audit_role_changed'),
        ('public.user_roles', 'audit_role_revoked'), ('public.universities', 'audit_university'),
        ('public.clinical_reviews', 'audit_review'), ('private.retention_rules', 'audit_settings'),
        ('private.rate_limit_rules', 'audit_settings'), ('private.required_consent_versions', 'audit_settings'),
        ('private.compliance_checks', 'audit_settings'), ('private.compliance_facts', 'audit_settings')
    ) as g (relation, name)
    where not exists (
      select from pg_trigger t where t.tgrelid = to_regclass(g.relation) and t.tgname = g.name and t.tgenabled in ('O', 'A')
    )
  $q$),
  ('assessments_intact', 'non_compliant', 'Earlier assessments', 'The latest 50 are as the audit log has them.', null, $q$
    select a.id
    from (select * from public.compliance_assessments order by ended_at desc limit 50) as a
    where a.hash <> private.assessment_hash(a)
      or not exists (
        select
        from public.audit_logs e
        where e.target_type = 'compliance_assessments' and e.target_id = a.id and e.details ->> 'sha256' = encode(a.hash, 'hex')
      )
  $q$)
on conflict on constraint compliance_checks_pkey do update
set failure = excluded.failure,
  title = excluded.title,
  expected = excluded.expected,
  source = excluded.source,
  query = excluded.query
where (c.failure, c.title, c.expected, c.source, c.query)
  is distinct from (excluded.failure, excluded.title, excluded.expected, excluded.source, excluded.query);


-- No policies: this file holds rows, not tables.

-- The automated checks of how the service runs, of what operators tell, and of people. They are part of the schema, not settings: a migration that changes them ends with all of them.
-- Each query returns what is wrong, and no row when nothing is.
insert into private.compliance_checks as c (id, failure, title, expected, source, query)
values
  -- The service
  ('high_risk_reviewed', 'non_compliant', 'High risk', 'A counselor claims each review within a day, and closes it within a week.', null, $q$
    select r.status || ': ' || count(*) || ' late'
    from public.clinical_reviews r
    where r.status <> 'closed'
      and (
        (r.status = 'open' and r.opened_at < now() - interval '24 hours')
        or (r.status = 'claimed' and r.claimed_at < now() - interval '7 days')
      )
    group by r.status
  $q$),
  ('crisis_contacts_named', 'partial', 'Whom to notify of high risk', 'Every university names an address.', null, $q$
    select u.id
    from public.universities u
    where u.support_email is null and not exists (select from private.crisis_contacts c where c.university_id = u.id)
  $q$),
  ('messages_delivered', 'partial', 'Dead letters', 'No message of the last week could not be sent.', null, $q$
    select purpose || ': ' || count(*) || ' ' || status
    from private.outbox
    where ended_at > now() - interval '7 days' and status in ('dead', 'unconfirmed')
    group by purpose, status
  $q$),
  ('messages_in_time', 'partial', 'Waiting messages', 'None waits longer than an hour after it is due.', null, $q$
    select status || ': ' || count(*)
    from private.outbox
    where (status = 'queued' and send_at < now() - interval '1 hour') or (status = 'sending' and lease_until < now() - interval '1 hour')
    group by status
  $q$),
  ('check_ins_in_time', 'partial', 'Waiting check-ins', 'None is analysed for longer than a day.', null, $q$
    select count(*) || ' late'
    from checkin.check_ins
    where status = 'processing' and submitted_at < now() - interval '24 hours'
    having count(*) > 0
  $q$),
  ('alerts_moving', 'non_compliant', 'Support alerts that stand still', 'None does.', null, $q$
    select kind || ': ' || count(*) from private.support_standstills where ended_at is null group by kind
  $q$),
  ('jobs_healthy', 'partial', 'Scheduled jobs', 'Those that others rest on are scheduled, and the last run of each succeeded.', null, $q$
    select n.name || ': not scheduled'
    from unnest(array[
      'dispatch-due-jobs', 'dispatch-due-messages', 'dispatch-due-object-removals', 'advance-erasures', 'verify-audit-log',
      'tick-support-alerts', 'purge-expired', 'assess-compliance'
    ]) as n (name)
    where not exists (select from cron.job j where j.jobname = n.name and j.active)
    union all
    select j.jobname || ': its last run failed'
    from (
      select distinct on (r.jobid) r.jobid, r.status
      from (select * from cron.job_run_details order by runid desc limit 5000) as r
      where r.status in ('succeeded', 'failed')
      order by r.jobid, r.runid desc
    ) as last
    join cron.job j on j.jobid = last.jobid
    where last.status = 'failed'
  $q$),

  -- What operators tell
  ('backup_recent', 'non_compliant', 'Backups', 'The last one is of the last 26 hours.', $q$
    exists (select from private.compliance_facts where fact = 'backup')
  $q$, $q$
    select 'the last one ended on ' || happened_at::date
    from private.compliance_facts
    where fact = 'backup' and happened_at < now() - interval '26 hours'
  $q$),
  ('restore_tested', 'partial', 'Restoring a backup', 'It was tried within half a year.', $q$
    exists (select from private.compliance_facts where fact = 'restore_test')
  $q$, $q$
    select 'last tried on ' || happened_at::date
    from private.compliance_facts
    where fact = 'restore_test' and happened_at < now() - interval '180 days'
  $q$),
  ('risk_analysed', 'non_compliant', 'Risk analysis', 'It was made or renewed within a year.', $q$
    exists (select from private.compliance_facts where fact = 'risk_analysis')
  $q$, $q$
    select 'it is of ' || happened_at::date
    from private.compliance_facts
    where fact = 'risk_analysis' and happened_at < now() - interval '1 year'
  $q$),
  ('impact_assessed', 'non_compliant', 'Data protection impact assessment', 'It was made or renewed within two years.', $q$
    exists (select from private.compliance_facts where fact = 'impact_assessment')
  $q$, $q$
    select 'it is of ' || happened_at::date
    from private.compliance_facts
    where fact = 'impact_assessment' and happened_at < now() - interval '2 years'
  $q$),
  ('incidents_exercised', 'partial', 'Exercises', 'An incident was exercised within a year.', $q$
    exists (select from private.compliance_facts where fact = 'incident_exercise')
  $q$, $q$
    select 'last on ' || happened_at::date
    from private.compliance_facts
    where fact = 'incident_exercise' and happened_at < now() - interval '1 year'
  $q$),

  -- Training, incidents, tests
  ('training_offered', 'non_compliant', 'Mandatory training', 'There is a published mandatory module on health data, assigned to all roles of staff.', null, $q$
    select 'there is none'
    where not exists (
      select
      from public.training_modules m
      join public.training_assignments a on a.module_id = m.id and a.role is not null
      where m.category = 'hipaa_compliance' and m.published and m.mandatory
      group by m.id
      having count(*) = 3
    )
  $q$),
  ('training_done', 'partial', 'Overdue training', 'Nobody is overdue.', null, $q$
    select module_id || ': ' || count(*) || ' overdue' from private.training_due where due_at <= now() group by module_id
  $q$),
  ('incidents_handled', 'partial', 'Open incidents', 'Severe ones are contained within a day, others within a week.', null, $q$
    select i.id
    from public.security_incidents i
    where i.status in ('open', 'investigating')
      and i.detected_at < now() - case when i.severity in ('high', 'critical') then interval '24 hours' else interval '7 days' end
  $q$),
  ('breaches_contained', 'non_compliant', 'Breaches', 'No breach of personal data is open 72 hours after it was known.', null, $q$
    select i.id
    from public.security_incidents i
    where i.status in ('open', 'investigating')
      and i.aware_at < now() - interval '72 hours'
  $q$),
  ('tests_recent', 'partial', 'Security tests', 'The last one ended within 30 days.', null, $q$
    select 'none in 30 days'
    where not exists (select from public.security_test_runs where status <> 'running' and ended_at > now() - interval '30 days')
  $q$),
  ('vulnerabilities_fixed', 'non_compliant', 'Vulnerabilities',
    'Severe ones are fixed within a week, others within 90 days, and nobody''s acceptance has ended.', $q$
    exists (select from public.security_test_runs where status <> 'running')
  $q$, $q$
    select v.id
    from public.vulnerabilities v
    where (
        v.status = 'open'
        and v.found_at < now() - case when v.severity in ('high', 'critical') then interval '7 days' else interval '90 days' end
      )
      or (v.status = 'accepted' and v.accepted_until < now())
  $q$)
on conflict on constraint compliance_checks_pkey do update
set failure = excluded.failure,
  title = excluded.title,
  expected = excluded.expected,
  source = excluded.source,
  query = excluded.query
where (c.failure, c.title, c.expected, c.source, c.query)
  is distinct from (excluded.failure, excluded.title, excluded.expected, excluded.source, excluded.query);


-- No policies: this file holds rows, not tables.

-- The controls. They are part of the schema, not settings: a migration that changes them ends with all of them.
insert into public.compliance_controls as c (id, framework, reference, title, requirement, checks)
values
  -- HIPAA: 45 CFR
  ('ctl_hipaa_164_308_a_1_ii_a', 'hipaa', '164.308(a)(1)(ii)(A)', 'Risk analysis',
    'The risks to the data of students are written down, and renewed every year.', '{risk_analysed, tests_recent}'),
  ('ctl_hipaa_164_308_a_1_ii_d', 'hipaa', '164.308(a)(1)(ii)(D)', 'Review of activity',
    'What people do is logged, and somebody looks at the log and at what stands out in it.', '{audit_verified, changes_audited, incidents_handled}'),
  ('ctl_hipaa_164_308_a_2', 'hipaa', '164.308(a)(2)', 'Responsible person', 'Somebody is responsible for security.', '{security_admin_named}'),
  ('ctl_hipaa_164_308_a_3', 'hipaa', '164.308(a)(3)', 'Staff',
    'Only staff who work with students'' data have access, for as long as they do.', '{staff_in_use, access_reviewed}'),
  ('ctl_hipaa_164_308_a_4', 'hipaa', '164.308(a)(4)', 'Granting access',
    'Each role reaches what it needs, and nothing is open by default.',
    '{anon_reads_nothing, anon_calls_nothing, private_closed, policies_name_roles, roles_limited}'),
  ('ctl_hipaa_164_308_a_5_i', 'hipaa', '164.308(a)(5)(i)', 'Training', 'All staff are trained, and again every year.', '{training_offered, training_done}'),
  ('ctl_hipaa_164_308_a_5_ii_c', 'hipaa', '164.308(a)(5)(ii)(C)', 'Sign-ins', 'Sign-ins are logged, and guessing is limited.', '{sign_in_limited, changes_audited}'),
  ('ctl_hipaa_164_308_a_6', 'hipaa', '164.308(a)(6)', 'Incidents', 'Incidents are detected, handled, and written down.', '{incidents_handled, incidents_exercised}'),
  ('ctl_hipaa_164_308_a_7', 'hipaa', '164.308(a)(7)', 'Contingency', 'Data can be restored, and the service goes on.', '{backup_recent, restore_tested, jobs_healthy}'),
  ('ctl_hipaa_164_308_a_8', 'hipaa', '164.308(a)(8)', 'Evaluation', 'The protection itself is tested, and what is found is mended.', '{tests_recent, vulnerabilities_fixed, assessments_intact}'),
  ('ctl_hipaa_164_308_b', 'hipaa', '164.308(b)', 'Contracts', 'There are contracts with everybody who processes the data on our behalf.', '{}'),
  ('ctl_hipaa_164_310_d_2_i', 'hipaa', '164.310(d)(2)(i)', 'Disposal', 'What is not needed any more is deleted, files too.', '{retention_kept, files_removed}'),
  ('ctl_hipaa_164_312_a_1', 'hipaa', '164.312(a)(1)', 'Access control',
    'Software lets each person reach only their own data, or that of those who agreed to it.',
    '{rls_enabled, policies_restrict, policies_ask_account, accounts_gated, tables_not_emptied, definers_unexposed, views_as_caller, search_paths_fixed, buckets_private, requests_checked}'),
  ('ctl_hipaa_164_312_a_2_i', 'hipaa', '164.312(a)(2)(i)', 'Accounts of persons', 'Everybody acts under an account that is theirs.', '{staff_confirmed}'),
  ('ctl_hipaa_164_312_a_2_iv', 'hipaa', '164.312(a)(2)(iv)', 'Encryption at rest', 'Disks and backups are encrypted.', '{encryption_at_rest}'),
  ('ctl_hipaa_164_312_b', 'hipaa', '164.312(b)', 'Audit', 'Access to health data is recorded in a log that nobody can change.', '{audit_guarded, audit_intact, changes_audited}'),
  ('ctl_hipaa_164_312_c_1', 'hipaa', '164.312(c)(1)', 'Integrity', 'Data is not altered or lost unnoticed.', '{audit_intact, tables_keyed}'),
  ('ctl_hipaa_164_312_d', 'hipaa', '164.312(d)', 'Authentication', 'Whoever sees health data proves who they are.', '{staff_second_factor, staff_confirmed, passwords_hashed}'),
  ('ctl_hipaa_164_312_e_1', 'hipaa', '164.312(e)(1)', 'Transmission', 'Data is encrypted on its way.', '{connections_encrypted, keys_present}'),
  ('ctl_hipaa_164_316_b_2_i', 'hipaa', '164.316(b)(2)(i)', 'Keeping proof', 'Documents and records of what was done are kept for six years.', '{records_kept, assessments_intact}'),
  ('ctl_hipaa_164_404', 'hipaa', '164.404', 'Notice of breaches', 'People are told of a breach without delay, within 60 days.', '{breaches_contained}'),
  ('ctl_hipaa_164_502_b', 'hipaa', '164.502(b)', 'Minimum necessary', 'No more data is used and shown than the purpose needs.', '{terms_short, buckets_limited}'),
  ('ctl_hipaa_164_508', 'hipaa', '164.508', 'Authorization', 'Recordings are used only with the student''s consent.', '{consent_before_use}'),
  ('ctl_hipaa_164_524', 'hipaa', '164.524', 'Access by the person', 'People get a copy of their data.', '{exports_in_time}'),

  -- GDPR
  ('ctl_gdpr_5_1_c', 'gdpr', 'Art. 5(1)(c)', 'Minimisation', 'No more is collected and kept than the purpose needs.', '{terms_short, buckets_limited}'),
  ('ctl_gdpr_5_1_e', 'gdpr', 'Art. 5(1)(e)', 'Storage limitation', 'Data is deleted when its term ends.', '{retention_kept, terms_short}'),
  ('ctl_gdpr_5_2', 'gdpr', 'Art. 5(2)', 'Accountability', 'It can be shown what was done, by whom, and that the rules were kept.', '{audit_guarded, audit_intact, changes_audited, assessments_intact, records_kept}'),
  ('ctl_gdpr_7', 'gdpr', 'Art. 7', 'Consent', 'Nothing is analysed without the student''s consent, and a withdrawal holds at once.', '{consent_before_use}'),
  ('ctl_gdpr_9', 'gdpr', 'Art. 9', 'Health data', 'Health data is processed with explicit consent, and only those reach it who have to.', '{consent_before_use, rls_enabled, policies_restrict}'),
  ('ctl_gdpr_13', 'gdpr', 'Art. 13', 'Information', 'People are told what is done with their data, in words that they understand.', '{}'),
  ('ctl_gdpr_15', 'gdpr', 'Art. 15', 'Access', 'People see what is stored of them, and who read it.', '{exports_in_time, changes_audited}'),
  ('ctl_gdpr_17', 'gdpr', 'Art. 17', 'Erasure', 'Whoever asks is erased, with everything, in time.', '{erasures_in_time, files_removed}'),
  ('ctl_gdpr_20', 'gdpr', 'Art. 20', 'Portability', 'People take their data along in a form that machines read.', '{exports_in_time}'),
  ('ctl_gdpr_22', 'gdpr', 'Art. 22', 'Decisions by persons', 'What matters is decided by a person: a counselor looks at each high risk.', '{high_risk_reviewed, crisis_contacts_named}'),
  ('ctl_gdpr_25', 'gdpr', 'Art. 25', 'Protection by design', 'Without anybody doing anything, data is closed.', '{anon_reads_nothing, anon_calls_nothing, private_closed, policies_name_roles, buckets_private, views_as_caller}'),
  ('ctl_gdpr_28', 'gdpr', 'Art. 28', 'Processors', 'There are contracts with everybody who processes data on our behalf.', '{}'),
  ('ctl_gdpr_30', 'gdpr', 'Art. 30', 'Records of processing', 'It is written down what is stored, of whom, what for and how long.', '{data_classified}'),
  ('ctl_gdpr_32_1_a', 'gdpr', 'Art. 32(1)(a)', 'Encryption and pseudonyms', 'Data is encrypted on its way and at rest, and keys are renewed.', '{encryption_at_rest, connections_encrypted, keys_present, keys_renewed}'),
  ('ctl_gdpr_32_1_b', 'gdpr', 'Art. 32(1)(b)', 'Confidentiality and resilience', 'Each person reaches what is theirs, staff prove who they are, and the service runs.',
    '{rls_enabled, policies_restrict, policies_ask_account, accounts_gated, definers_unexposed, staff_second_factor, sign_in_limited, jobs_healthy, check_ins_in_time, messages_delivered}'),
  ('ctl_gdpr_32_1_c', 'gdpr', 'Art. 32(1)(c)', 'Restoring', 'Data can be restored in time after an incident.', '{backup_recent, restore_tested}'),
  ('ctl_gdpr_32_1_d', 'gdpr', 'Art. 32(1)(d)', 'Testing', 'The protection is tested regularly.', '{tests_recent, vulnerabilities_fixed}'),
  ('ctl_gdpr_32_4', 'gdpr', 'Art. 32(4)', 'Instructed staff', 'Staff act as they were instructed, and are trained to.', '{training_offered, training_done}'),
  ('ctl_gdpr_33', 'gdpr', 'Art. 33', 'Notification of breaches', 'The authority is told of a breach within 72 hours.', '{breaches_contained, incidents_exercised}'),
  ('ctl_gdpr_35', 'gdpr', 'Art. 35', 'Impact assessment', 'The risks to students are assessed before their data is processed, and again when it changes.', '{impact_assessed}'),

  -- SOC 2: trust services criteria
  ('ctl_soc2_cc1_4', 'soc2', 'CC1.4', 'Competent staff', 'Staff are trained for what they do.', '{training_offered, training_done}'),
  ('ctl_soc2_cc2_1', 'soc2', 'CC2.1', 'Information to act on', 'Records that decisions rest on are complete and unchanged.', '{audit_intact, audit_verified, assessments_intact}'),
  ('ctl_soc2_cc3_2', 'soc2', 'CC3.2', 'Risk assessment', 'Risks are found, weighed and renewed.', '{risk_analysed}'),
  ('ctl_soc2_cc4_1', 'soc2', 'CC4.1', 'Ongoing evaluation', 'Whether controls work is looked at all the time, and separately.', '{tests_recent, assessments_intact}'),
  ('ctl_soc2_cc5_2', 'soc2', 'CC5.2', 'Controls in technology', 'Changes of what controls access are logged.', '{changes_audited, audit_guarded}'),
  ('ctl_soc2_cc6_1', 'soc2', 'CC6.1', 'Logical access',
    'Software protects data from whoever may not reach it.',
    '{rls_enabled, policies_restrict, policies_ask_account, tables_not_emptied, definers_unexposed, views_as_caller, search_paths_fixed, staff_second_factor, keys_present, keys_renewed, encryption_at_rest}'),
  ('ctl_soc2_cc6_2', 'soc2', 'CC6.2', 'Accounts', 'Accounts are made for confirmed people, and end when they are not used.', '{staff_confirmed, staff_in_use, accounts_gated}'),
  ('ctl_soc2_cc6_3', 'soc2', 'CC6.3', 'Roles', 'Access follows roles, which are reviewed.', '{private_closed, roles_limited, security_admin_named, access_reviewed}'),
  ('ctl_soc2_cc6_5', 'soc2', 'CC6.5', 'Disposal', 'Data is destroyed when it is not needed any more.', '{retention_kept, files_removed, erasures_in_time}'),
  ('ctl_soc2_cc6_6', 'soc2', 'CC6.6', 'Outer boundary', 'Whoever comes from outside is limited and reaches nothing without signing in.', '{anon_reads_nothing, anon_calls_nothing, sign_in_limited, requests_checked, passwords_hashed}'),
  ('ctl_soc2_cc6_7', 'soc2', 'CC6.7', 'Transmission', 'Data is protected on its way, and leaves only to whom it belongs.', '{connections_encrypted, buckets_private}'),
  ('ctl_soc2_cc7_1', 'soc2', 'CC7.1', 'Vulnerabilities', 'Weaknesses are found and mended.', '{vulnerabilities_fixed, extensions_apart}'),
  ('ctl_soc2_cc7_2', 'soc2', 'CC7.2', 'Monitoring', 'What is unusual is noticed.', '{jobs_healthy, audit_verified, alerts_moving}'),
  ('ctl_soc2_cc7_4', 'soc2', 'CC7.4', 'Response', 'Incidents are handled as was planned.', '{incidents_handled, breaches_contained}'),
  ('ctl_soc2_cc7_5', 'soc2', 'CC7.5', 'Recovery', 'After an incident, the service is restored as was exercised.', '{restore_tested, incidents_exercised}'),
  ('ctl_soc2_cc9_2', 'soc2', 'CC9.2', 'Vendors', 'Risks of vendors are managed by contracts and reviews.', '{}'),
  ('ctl_soc2_a1_2', 'soc2', 'A1.2', 'Backups', 'Data is backed up, and what others rest on is supervised.', '{backup_recent, jobs_healthy}'),
  ('ctl_soc2_a1_3', 'soc2', 'A1.3', 'Recovery tests', 'Restoring is tried.', '{restore_tested}'),
  ('ctl_soc2_c1_1', 'soc2', 'C1.1', 'Confidential information', 'It is known which data is confidential, and kept as long as it has to be.', '{data_classified, records_kept}'),
  ('ctl_soc2_pi1_3', 'soc2', 'PI1.3', 'Processing', 'What is submitted is processed wholly and in time, and risk is looked at.', '{check_ins_in_time, messages_in_time, messages_delivered, high_risk_reviewed}'),
  ('ctl_soc2_pi1_5', 'soc2', 'PI1.5', 'Stored records', 'Records are stored whole, so that each can be named and restored.', '{tables_keyed, buckets_limited}'),
  ('ctl_soc2_p2_1', 'soc2', 'P2.1', 'Choice and consent', 'People choose, and nothing is done without it.', '{consent_before_use}'),
  ('ctl_soc2_p4_2', 'soc2', 'P4.2', 'Retention', 'Personal data is kept for stated terms.', '{terms_short, retention_kept}'),
  ('ctl_soc2_p4_3', 'soc2', 'P4.3', 'Deletion', 'People are erased when they ask.', '{erasures_in_time}'),
  ('ctl_soc2_p5_1', 'soc2', 'P5.1', 'Access', 'People get their data.', '{exports_in_time}'),
  ('ctl_soc2_p6_3', 'soc2', 'P6.3', 'Breaches', 'Disclosures that were not allowed are recorded and told.', '{breaches_contained}')
on conflict on constraint compliance_controls_pkey do update
set framework = excluded.framework,
  reference = excluded.reference,
  title = excluded.title,
  requirement = excluded.requirement,
  checks = excluded.checks
where (c.framework, c.reference, c.title, c.requirement, c.checks)
  is distinct from (excluded.framework, excluded.reference, excluded.title, excluded.requirement, excluded.checks);
