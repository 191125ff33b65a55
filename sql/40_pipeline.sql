create type private.job_kind as enum (
  'audio_slice', 'audio_merge', 'visual_group', 'visual_merge', 'transcription', 'text', 'fusion'
);
comment on type private.job_kind is 'One step of a check-in''s analysis, small enough for one request of a worker.';

create type private.job_status as enum ('queued', 'running', 'done', 'failed');
comment on type private.job_status is 'queued → running → done | failed; running → queued when a try fails or its lease runs out.';

create table private.pipeline_settings (
  only_row boolean not null default true,
  lease interval not null default '60 seconds',
  transcription_lease interval not null default '180 seconds',
  dispatch_grace interval not null default '10 seconds',
  retry_backoff interval not null default '5 seconds',
  max_attempts smallint not null default 3,
  fail_after interval not null default '24 hours',
  constraint pipeline_settings_pkey primary key (only_row),
  constraint pipeline_settings_only_row check (only_row),
  constraint pipeline_settings_positive check (
    lease > interval '0' and transcription_lease > interval '0' and dispatch_grace > interval '0'
    and retry_backoff > interval '0' and max_attempts > 0 and fail_after > interval '0'
  )
);
comment on table private.pipeline_settings is 'What an operator can tune without a deployment. Exactly one row.';
comment on column private.pipeline_settings.only_row is 'Always true: there is one row.';
comment on column private.pipeline_settings.lease is 'How long a worker may hold a job before another may take it; longer than the slowest request.';
comment on column private.pipeline_settings.transcription_lease is 'The same for a transcription, which waits for a provider: longer than TRANSCRIPTION_TIMEOUT_MS.';
comment on column private.pipeline_settings.dispatch_grace is 'How long a queued job waits for its worker before it is rung again.';
comment on column private.pipeline_settings.retry_backoff is 'Pause after a failed try; doubles with every try.';
comment on column private.pipeline_settings.max_attempts is 'Tries before a job is given up.';
comment on column private.pipeline_settings.fail_after is 'How long a job may wait for its end, tried or not, before it is given up.';

create table private.check_in_inputs (
  check_in_id uuid not null,
  transcript text,
  transcript_source text not null default 'student',
  crisis_level checkin.risk_level not null default 'none',
  crisis_rule text,
  mood_score double precision,
  conversation_duration double precision,
  missing jsonb not null default '{}',
  constraint check_in_inputs_pkey primary key (check_in_id),
  constraint check_in_inputs_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint check_in_inputs_transcript_length check (char_length(transcript) between 1 and 100000),
  constraint check_in_inputs_transcript_source check (transcript_source in ('student', 'transcribed')),
  constraint check_in_inputs_mood_score_range check (mood_score between 1 and 10),
  constraint check_in_inputs_conversation_duration_range check (conversation_duration between 0 and 86400)
);
comment on table private.check_in_inputs is 'What the student handed in besides media.';
comment on column private.check_in_inputs.check_in_id is 'The check-in.';
comment on column private.check_in_inputs.transcript is 'Words that were spoken, up to 100,000 characters.';
comment on column private.check_in_inputs.transcript_source is 'student, or transcribed by the service.';
comment on column private.check_in_inputs.crisis_level is 'Level of the crisis-language check of the transcript.';
comment on column private.check_in_inputs.crisis_rule is 'Rule of the crisis-language check that matched.';
comment on column private.check_in_inputs.mood_score is 'Self-reported mood, 1 to 10.';
comment on column private.check_in_inputs.conversation_duration is 'Length of the conversation, seconds.';
comment on column private.check_in_inputs.missing is 'Why a modality is missing: object of modality to reason.';

create table private.check_in_media (
  check_in_id uuid not null,
  path text not null,
  kind text not null,
  ordinal smallint not null,
  etag text not null,
  bytes bigint not null,
  info jsonb not null,
  constraint check_in_media_pkey primary key (check_in_id, kind, ordinal),
  constraint check_in_media_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint check_in_media_kind check (kind in ('audio', 'image'))
);
comment on table private.check_in_media is 'Media as it was when the check-in was handed in; a worker refuses what has changed since.';
comment on column private.check_in_media.check_in_id is 'The check-in.';
comment on column private.check_in_media.path is 'Object in the bucket check-in-media.';
comment on column private.check_in_media.kind is 'audio or image.';
comment on column private.check_in_media.ordinal is 'Number among its kind, from 0.';
comment on column private.check_in_media.etag is 'Entity tag that the Storage API gave.';
comment on column private.check_in_media.bytes is 'Size, bytes.';
comment on column private.check_in_media.info is 'What the header says: container and duration, or format and dimensions.';

create table private.analysis_jobs (
  id uuid not null default gen_random_uuid(),
  check_in_id uuid not null,
  kind private.job_kind not null,
  ordinal smallint not null default 0,
  input jsonb not null default '{}',
  status private.job_status not null default 'queued',
  attempts smallint not null default 0,
  dispatches smallint not null default 0,
  next_dispatch_at timestamptz not null,
  lease_until timestamptz,
  outcome jsonb,
  error_code text,
  created_at timestamptz not null default now(),
  constraint analysis_jobs_pkey primary key (id),
  constraint analysis_jobs_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint analysis_jobs_once unique (check_in_id, kind, ordinal),
  constraint analysis_jobs_lease_while_running check ((status = 'running') = (lease_until is not null))
);
comment on table private.analysis_jobs is 'The queue: work of check-ins that are being processed. The webhook is only its doorbell.';
comment on column private.analysis_jobs.id is 'The job.';
comment on column private.analysis_jobs.check_in_id is 'The check-in.';
comment on column private.analysis_jobs.kind is 'Which step it is.';
comment on column private.analysis_jobs.ordinal is 'Number of the slice or group, from 0.';
comment on column private.analysis_jobs.input is 'Slice or group to analyse.';
comment on column private.analysis_jobs.status is 'State of the job.';
comment on column private.analysis_jobs.attempts is 'Tries so far; a worker shows the number it was given, so that a late one changes nothing.';
comment on column private.analysis_jobs.dispatches is 'How often the doorbell was rung again since the last try.';
comment on column private.analysis_jobs.next_dispatch_at is 'When to ring again if nothing has happened.';
comment on column private.analysis_jobs.lease_until is 'Until when the worker that runs it may hold it.';
comment on column private.analysis_jobs.outcome is 'What the step found, for the merge.';
comment on column private.analysis_jobs.error_code is 'Why the last try failed.';
comment on column private.analysis_jobs.created_at is 'When it was queued.';
create index analysis_jobs_next_dispatch_at_idx on private.analysis_jobs (next_dispatch_at) where status in ('queued', 'running');
