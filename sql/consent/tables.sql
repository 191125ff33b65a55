create type public.consent_kind as enum ('audio', 'camera', 'text', 'support_circle', 'counselor_access', 'research_export');
comment on type public.consent_kind is 'What a student agrees to: analysis of audio, of camera images and of the transcript, a support circle, access by counselors, use of their data for research, which nothing does yet.';

create table public.consents (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  kind public.consent_kind not null,
  version text not null,
  granted_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  renewed boolean not null default false,
  keep_results boolean not null default false,
  deleted jsonb,
  constraint consents_pkey primary key (id),
  constraint consents_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint consents_version_form check (version ~ '^[A-Za-z0-9._-]{1,40}$'),
  constraint consents_times check (withdrawn_at >= granted_at),
  constraint consents_renewed_when_ended check (withdrawn_at is not null or not renewed)
);
select private.describe('public.consents', 'Each consent, with the version of the text agreed to; a withdrawn consent keeps its row.', $$
  id: The consent.
  user_id: The student who agreed.
  kind: What was agreed to.
  version: Version of the consent text that was shown.
  granted_at: When the student agreed.
  withdrawn_at: When the student withdrew it, or agreed to a later version; null before that.
  renewed: Whether it ended because the student agreed to a later version, so that nothing was withdrawn.
  keep_results: What the student chose with the withdrawal: to keep past results; media, features and transcripts are deleted all the same.
  deleted: What the withdrawal deleted: an object of counts; null while nothing was withdrawn. Example: {"files": 9, "analyses": 3, "transcripts": 3, "results": 0, "exports": 0}
$$);
alter table public.consents alter column user_id set statistics 0; -- see public.user_roles
create unique index consents_in_force_idx on public.consents (user_id, kind) where withdrawn_at is null;
create index consents_user_id_idx on public.consents (user_id);

select private.declare_data('public.consents',
  '{id, user_id, kind, version, granted_at, withdrawn_at, renewed, keep_results, deleted}',
  'To know what the student agreed to, in which version, and when.', 'student', 'choices', 't.user_id = $1');
select private.declare_audited('public.consents', 'id', actions => '{consent_changed}', shown => '{kind, version, granted_at, withdrawn_at}');

create table private.required_consent_versions (
  kind public.consent_kind not null,
  version text not null,
  constraint required_consent_versions_pkey primary key (kind),
  constraint required_consent_versions_version_form check (version ~ '^[A-Za-z0-9._-]{1,40}$' and version ~ '[0-9]')
);
select private.describe('private.required_consent_versions', 'The version of its text that a consent must have at least; of a kind without a row any version counts. An operator raises it when a text changes, and the students are asked again.', $$
  kind: What is agreed to.
  version: The earliest version that counts, up to 40 letters, digits and . _ - with a number among them, compared number by number: 2026-9 is before 2026-10, and 1.9 before 1.10.
$$);

select private.declare_data('private.required_consent_versions', '{kind, version}',
  'Settings: which version of a consent counts.');
select private.declare_audited('private.required_consent_versions', 'kind');

create function private.version_numbers(version text) returns numeric[]
language sql immutable set search_path = '' as $$
  select array(select number[1]::numeric from regexp_matches(version, '[0-9]+', 'g') as number)
$$;
comment on function private.version_numbers is 'The numbers of a version, by which versions are ordered. Called by private.is_current_version.';

create function private.is_current_version(kind public.consent_kind, version text) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return not exists (
    select
    from private.required_consent_versions r
    where r.kind = is_current_version.kind
      and private.version_numbers(is_current_version.version) < private.version_numbers(r.version)
  );
end
$$;
comment on function private.is_current_version is 'Whether a consent to this version of the text counts. Called by private.has_consent and where consents are shown and renewed.';

-- In PL/pgSQL, which keeps its plan: it is asked for every message and every open alert.
create function private.has_consent(student uuid, required public.consent_kind) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.consents
    where user_id = student and kind = required and withdrawn_at is null and private.is_current_version(kind, version)
  ) and (required not in ('support_circle', 'counselor_access') or private.has_feature(student, required::text));
end
$$;
comment on function private.has_consent is 'Whether the student''s consent of this kind is in force, in a version that still counts and to what the university offers. Called by the pipeline, the sessions and the edge functions.';

create function private.lets_words_be_seen(student uuid, said timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.has_consent(student, 'text') and exists (
    select from public.consents c
    where c.user_id = student and c.kind = 'text'
      and c.granted_at <= said and (c.withdrawn_at is null or c.withdrawn_at > said)
      and private.version_numbers(c.version) >= private.version_numbers('2026-11.2')
  )
$$;
comment on function private.lets_words_be_seen is 'Whether the student consents to text analysis, and when they said these words to a text of it that says that counselors see the words for which they are told: those before 2026-11.2 say that they see none. Called where a review is read.';

create function private.consents_in_force(student uuid) returns public.consent_kind[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select kind from public.consents where user_id = student and withdrawn_at is null and private.is_current_version(kind, version)
  );
end
$$;
comment on function private.consents_in_force is 'The student''s consents that are in force. Called where analyses are stored, with the lock of private.consent_lock, so that none is withdrawn meanwhile.';

-- Shared by what stores an analysis, exclusive to the withdrawal: what is stored first is deleted, and what comes later sees that the
-- consent has gone. Taken after the student's account and before any other row.
create function private.consent_lock(student uuid) returns bigint
language sql immutable set search_path = '' as $$
  select hashtextextended('consents ' || student, 0)
$$;
comment on function private.consent_lock is 'Number of the advisory lock of a student''s consents. Called by what stores analyses and results, and by the withdrawal.';

create function private.hold_consents(student uuid) returns boolean
language plpgsql set search_path = '' as $$
begin
  perform from auth.users where id = student for key share;
  if not found then
    return false;
  end if;
  perform pg_advisory_xact_lock_shared(private.consent_lock(student));
  return true;
end
$$;
comment on function private.hold_consents is 'Locks a student''s account, as the deletion of one does, and then the consents, so that none is withdrawn before the transaction ends; false when there is no such account. Called before an analysis is stored.';

create trigger guard_support_circle before insert on public.consents
for each row when (new.kind = 'support_circle' and new.withdrawn_at is null) execute function private.guard_feature('support_circle');

create trigger guard_counselor_access before insert on public.consents
for each row when (new.kind = 'counselor_access' and new.withdrawn_at is null) execute function private.guard_feature('counselor_access');
