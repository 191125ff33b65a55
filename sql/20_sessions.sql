create type public.assessment_type as enum ('daily', 'weekly', 'baseline', 'on_demand');
comment on type public.assessment_type is 'Occasion of an assessment or check-in.';

create type public.session_status as enum ('processing', 'completed', 'failed');
comment on type public.session_status is 'State of an assessment session.';

create table public.assessment_sessions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  assessment_type public.assessment_type not null,
  status public.session_status not null default 'processing',
  session_data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint assessment_sessions_pkey primary key (id),
  constraint assessment_sessions_user_id_fkey foreign key (user_id) references public.profiles (user_id) on delete cascade,
  constraint assessment_sessions_session_data_object check (jsonb_typeof(session_data) = 'object'),
  constraint assessment_sessions_session_data_size check (pg_column_size(session_data) <= 65536)
);
comment on table public.assessment_sessions is 'Sessions of the app''s conversational widget.';
comment on column public.assessment_sessions.id is 'The session.';
comment on column public.assessment_sessions.user_id is 'The student who owns it.';
comment on column public.assessment_sessions.assessment_type is 'Occasion of the session.';
comment on column public.assessment_sessions.status is 'processing until the app sets completed or failed.';
comment on column public.assessment_sessions.session_data is 'The app''s own data, such as platform and widget_type; up to 64 kB.';
comment on column public.assessment_sessions.created_at is 'When the session began.';
comment on column public.assessment_sessions.updated_at is 'Set by the app when it updates the session.';
create index assessment_sessions_user_id_created_at_idx on public.assessment_sessions (user_id, created_at desc);
