create table public.training_progress (
  user_id uuid not null constraint training_progress_user_id_fkey references auth.users (id) on delete cascade,
  module_id text not null,
  version integer not null,
  sections_read text[] not null default '{}',
  started_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint training_progress_pkey primary key (user_id, module_id, version),
  constraint training_progress_version_fkey foreign key (module_id, version)
    references private.training_versions (module_id, version) on delete cascade
);
select private.describe('public.training_progress',
  'What somebody has read of a version of a module; deleted when they pass, so that the next time begins anew.', $$
  user_id: The learner.
  module_id: The module.
  version: Its version.
  sections_read: Ids of the sections that they marked as read.
  started_at: When they marked the first one.
  updated_at: When they marked the last one.
$$);
alter table public.training_progress alter column user_id set statistics 0; -- see public.user_roles
create index training_progress_version_idx on public.training_progress (module_id, version);

select private.declare_data('public.training_progress', '{user_id, module_id, version, sections_read, started_at, updated_at}',
  'To go on reading where one stopped.', 'staff', 'activity', 't.user_id = $1');
select private.declare_audited('public.training_progress', 'user_id', 'by_hand');

create table public.training_attempts (
  id text not null default 'att_' || replace(gen_random_uuid()::text, '-', '') constraint training_attempts_pkey primary key,
  user_id uuid not null constraint training_attempts_user_id_fkey references auth.users (id) on delete cascade,
  module_id text not null,
  version integer not null,
  questions smallint not null,
  started_at timestamptz not null default now(),
  expires_at timestamptz not null,
  submitted_at timestamptz,
  correct smallint,
  score numeric(5, 2),
  passed boolean,
  constraint training_attempts_version_fkey foreign key (module_id, version)
    references private.training_versions (module_id, version) on delete cascade,
  constraint training_attempts_graded_when_submitted check (num_nulls(submitted_at, correct, score, passed) in (0, 4)),
  constraint training_attempts_correct_range check (correct between 0 and questions),
  constraint training_attempts_times check (expires_at > started_at and submitted_at >= started_at)
);
select private.describe('public.training_attempts', 'Each attempt at the questions of a module, whatever became of it.', $$
  id: The attempt.
  user_id: The learner.
  module_id: The module.
  version: The version that the questions are of, and that grades it.
  questions: Number of questions that it asks.
  started_at: When the questions were drawn.
  expires_at: Until when it can be submitted.
  submitted_at: When it was submitted; null while it is open, and for one that was never submitted.
  correct: Number of questions that were answered right.
  score: Percent of the questions that were answered right.
  passed: Whether that is the pass score or more.
$$);
alter table public.training_attempts alter column user_id set statistics 0; -- see public.user_roles
create index training_attempts_user_id_idx on public.training_attempts (user_id, module_id, started_at);
create index training_attempts_version_idx on public.training_attempts (module_id, version);

select private.declare_data('public.training_attempts',
  '{id, user_id, module_id, version, questions, started_at, expires_at, submitted_at, correct, score, passed}',
  'To show how somebody was assessed.', 'staff', 'activity', 't.user_id = $1');
select private.declare_audited('public.training_attempts', 'id', 'by_hand');

create table private.training_papers (
  attempt_id text not null constraint training_papers_pkey primary key,
  questions jsonb not null,
  answers jsonb,
  constraint training_papers_attempt_id_fkey foreign key (attempt_id) references public.training_attempts (id) on delete cascade
);
select private.describe('private.training_papers',
  'What each attempt asked and what was answered. Not exposed: the answers of somebody who passed are right ones.', $$
  attempt_id: The attempt.
  questions: Its questions in their order: [{id, prompt, choose, options: [{id, text}]}]. Example: [{"id": "0b48823395cb", "prompt": "What is health data?", "choose": 1, "options": [{"id": "37af69ed79a2", "text": "A score"}, {"id": "63353ce4d0bb", "text": "A postcode"}]}]
  answers: The options that were chosen, by question; null until it is submitted. Example: {"0b48823395cb": ["37af69ed79a2"]}
$$);

select private.declare_data('private.training_papers', '{attempt_id, questions, answers}', 'To show what was asked and answered.',
  'staff', 'words', 't.attempt_id in (select a.id from public.training_attempts a where a.user_id = $1)');
select private.declare_audited('private.training_papers', 'attempt_id', 'by_hand');

create table public.training_certificates (
  id text not null default 'crt_' || replace(gen_random_uuid()::text, '-', '') constraint training_certificates_pkey primary key,
  user_id uuid not null constraint training_certificates_user_id_fkey references auth.users (id) on delete cascade,
  module_id text not null,
  version integer not null,
  attempt_id text not null constraint training_certificates_attempt_id_key unique,
  score numeric(5, 2) not null,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint training_certificates_version_fkey foreign key (module_id, version)
    references private.training_versions (module_id, version) on delete cascade,
  constraint training_certificates_attempt_id_fkey foreign key (attempt_id) references public.training_attempts (id) on delete cascade,
  constraint training_certificates_times check (expires_at > issued_at)
);
select private.describe('public.training_certificates', 'Who passed which version of a module, and until when that counts.', $$
  id: The certificate.
  user_id: The learner.
  module_id: The module.
  version: The version that they passed.
  attempt_id: The attempt that passed.
  score: Its score, percent.
  issued_at: When they passed.
  expires_at: Until when it counts: 365 days of 24 hours later.
$$);
alter table public.training_certificates alter column user_id set statistics 0; -- see public.user_roles
create index training_certificates_user_id_idx on public.training_certificates (user_id, module_id, expires_at);
create index training_certificates_version_idx on public.training_certificates (module_id, version);

select private.declare_data('public.training_certificates',
  '{id, user_id, module_id, version, attempt_id, score, issued_at, expires_at}', 'To show that somebody is trained.', 'staff',
  'activity', 't.user_id = $1');
select private.declare_audited('public.training_certificates', 'id', 'by_hand');

create function private.require_staff() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  account constant uuid := private.current_account();
begin
  if not private.is_staff(account) then
    raise exception 'Training is for staff.' using errcode = 'insufficient_privilege';
  end if;
  return account;
end
$$;
comment on function private.require_staff is 'The caller''s account; an error unless it is a member of staff. Called by the functions with which people learn.';

-- The lock lets one call at a time change what somebody has done of a module.
create function private.open_training(module text) returns public.training_modules
language plpgsql security definer set search_path = '' as $$
declare
  account constant uuid := private.require_staff();
  found public.training_modules;
begin
  perform pg_advisory_xact_lock(95, hashtext(account || module));
  select * into found from public.training_modules m where m.id = module and m.published;
  if found.id is null then
    perform private.refuse(404, 'training_not_found', 'There is no such training for you.');
  end if;
  return found;
end
$$;
comment on function private.open_training is 'A published module, for a caller who is a member of staff; an error for others and where there is none. Called by the functions with which people learn.';

create function private.read_training_sections(module_id text, sections text[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  module constant public.training_modules := private.open_training(module_id);
  known constant text[] := array(
    select s.section ->> 'id' from jsonb_array_elements(module.content -> 'sections') as s (section)
  );
  read_so_far text[];
begin
  if sections is null or not sections <@ known then
    perform private.refuse(400, 'invalid_value', 'The module has no such section.');
  end if;
  insert into public.training_progress as p (user_id, module_id, version, sections_read)
  values (private.current_account(), module.id, module.version, array(select s from unnest(known) s where s = any (sections)))
  on conflict on constraint training_progress_pkey do update
  set sections_read = array(select s from unnest(known) s where s = any (p.sections_read || excluded.sections_read)),
    updated_at = now()
  returning p.sections_read into read_so_far;
  return jsonb_build_object('module_id', module.id, 'version', module.version, 'sections_read', read_so_far, 'sections', known);
end
$$;
comment on function private.read_training_sections is 'Implementation of public.read_training_sections, which calls it.';

create function public.read_training_sections(module_id text, sections text[]) returns jsonb
language sql set search_path = ''
begin atomic select private.read_training_sections(module_id, sections); end;
comment on function public.read_training_sections is 'Marks sections of a module as read by the caller: {module_id, version, sections_read, sections}. Called by staff.';

-- Who asks again while an attempt is open gets the same questions, so that asking does not show the whole bank.
create function private.start_training_attempt(module_id text) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  attempts_a_day constant integer := 3;
  time_to_answer constant interval := '2 hours';
  account constant uuid := private.current_account();
  module constant public.training_modules := private.open_training(start_training_attempt.module_id);
  attempt public.training_attempts;
  next_at timestamptz;
begin
  select * into attempt
  from public.training_attempts a
  where a.user_id = account and a.module_id = module.id and a.submitted_at is null and a.expires_at > now();
  if not found then
    select a.started_at + interval '24 hours' into next_at
    from public.training_attempts a
    where a.user_id = account and a.module_id = module.id and a.started_at > now() - interval '24 hours'
    order by a.started_at desc
    offset attempts_a_day - 1
    limit 1;
    if found then
      perform private.refuse_for(
        ceil(extract(epoch from next_at - now()))::integer, 'Too many attempts at this module. Read it again, and try tomorrow.'
      );
    end if;
    if not exists (
      select from public.training_progress p
      where p.user_id = account and p.module_id = module.id and p.version = module.version
        and cardinality(p.sections_read) = jsonb_array_length(module.content -> 'sections')
    ) then
      perform private.refuse(409, 'training_unread', 'Read the module first, and mark each section as read.');
    end if;
    insert into public.training_attempts (user_id, module_id, version, questions, expires_at)
    select account, v.module_id, v.version, v.questions_per_attempt, now() + time_to_answer
    from private.training_versions v
    where v.module_id = module.id and v.version = module.version
    returning * into attempt;
    -- Random ids are cryptographically random, unlike random().
    insert into private.training_papers (attempt_id, questions)
    select attempt.id, jsonb_agg(
      jsonb_build_object(
        'id', q.id,
        'prompt', q.prompt,
        'choose', case when cardinality(q.correct) > 1 then 'all_that_apply' else 'one' end,
        'options', (select jsonb_agg(o.option order by gen_random_uuid()) from jsonb_array_elements(q.options) as o (option))
      )
    )
    from (
      select * from private.training_questions q
      where q.module_id = attempt.module_id and q.version = attempt.version
      order by gen_random_uuid()
      limit attempt.questions
    ) q;
  end if;
  return (
    select jsonb_build_object(
      'attempt_id', attempt.id, 'module_id', attempt.module_id, 'version', attempt.version, 'title', v.title,
      'pass_score', v.pass_score, 'started_at', attempt.started_at, 'expires_at', attempt.expires_at, 'questions', p.questions
    )
    from private.training_papers p
    join private.training_versions v on v.module_id = attempt.module_id and v.version = attempt.version
    where p.attempt_id = attempt.id
  );
end
$$;
comment on function private.start_training_attempt is 'Implementation of public.start_training_attempt, which calls it.';

create function public.start_training_attempt(module_id text) returns jsonb
language sql set search_path = ''
begin atomic select private.start_training_attempt(module_id); end;
comment on function public.start_training_attempt is 'Draws questions, or returns those of the attempt that is open: {attempt_id, module_id, version, title, pass_score, started_at, expires_at, questions: [{id, prompt, choose, options: [{id, text}]}]}. An attempt can be submitted for 2 hours; three a day. Called by staff.';

create function private.submit_training_attempt(attempt_id text, answers jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  valid_for constant interval := 365 * interval '24 hours';
  account constant uuid := private.require_staff();
  attempt public.training_attempts;
  paper private.training_papers;
  rules private.training_versions;
  chosen jsonb;
  certificate public.training_certificates;
begin
  select * into attempt
  from public.training_attempts a
  where a.id = submit_training_attempt.attempt_id and a.user_id = account
  for update;
  if not found then
    perform private.refuse(404, 'training_not_found', 'There is no such attempt of yours.');
  end if;
  if attempt.submitted_at is not null or attempt.expires_at <= now() then
    perform private.refuse(409, 'attempt_closed', 'This attempt was submitted already, or its time is over. Start another one.');
  end if;
  select * into strict paper from private.training_papers p where p.attempt_id = attempt.id;
  select * into strict rules from private.training_versions v
  where v.module_id = attempt.module_id and v.version = attempt.version;
  if jsonb_typeof(answers) is distinct from 'object' or exists (
    select from jsonb_each(answers) as a (question, options)
    where jsonb_typeof(a.options) <> 'array'
      or not exists (
        select from jsonb_array_elements(paper.questions) as q (question)
        where q.question ->> 'id' = a.question
          and a.options <@ jsonb_path_query_array(q.question, '$.options[*].id')
      )
  ) then
    perform private.refuse(400, 'invalid_value', 'Answer the questions of the attempt with ids of their options.');
  end if;

  -- Each option once, so that what is stored is no longer than what was asked.
  select coalesce(jsonb_object_agg(a.question, (select jsonb_agg(distinct o.id) from jsonb_array_elements_text(a.options) as o (id))), '{}')
  into chosen
  from jsonb_each(answers) as a (question, options)
  where a.options <> '[]';
  update private.training_papers p set answers = chosen where p.attempt_id = attempt.id;
  update public.training_attempts a
  set submitted_at = now(), correct = graded.correct, score = round(100.0 * graded.correct / a.questions, 2),
    passed = 100 * graded.correct >= rules.pass_score * a.questions
  from (
    select count(*) as correct
    from private.training_questions q
    where q.module_id = attempt.module_id and q.version = attempt.version
      and q.id in (select asked.question ->> 'id' from jsonb_array_elements(paper.questions) as asked (question))
      and to_jsonb(q.correct) <@ (chosen -> q.id) and (chosen -> q.id) <@ to_jsonb(q.correct)
  ) graded
  where a.id = attempt.id
  returning a.* into attempt;
  if attempt.passed then
    insert into public.training_certificates (user_id, module_id, version, attempt_id, score, expires_at)
    values (attempt.user_id, attempt.module_id, attempt.version, attempt.id, attempt.score, now() + valid_for)
    returning * into certificate;
    delete from public.training_progress p where p.user_id = attempt.user_id and p.module_id = attempt.module_id;
  end if;
  return jsonb_build_object(
    'attempt_id', attempt.id, 'module_id', attempt.module_id, 'version', attempt.version, 'questions', attempt.questions,
    'correct', attempt.correct, 'score', attempt.score, 'pass_score', rules.pass_score, 'passed', attempt.passed,
    'certificate', case when attempt.passed then jsonb_build_object(
      'id', certificate.id, 'issued_at', certificate.issued_at, 'expires_at', certificate.expires_at
    ) end
  );
end
$$;
comment on function private.submit_training_attempt is 'Implementation of public.submit_training_attempt, which calls it.';

create function public.submit_training_attempt(attempt_id text, answers jsonb) returns jsonb
language sql set search_path = ''
begin atomic select private.submit_training_attempt(attempt_id, answers); end;
comment on function public.submit_training_attempt is 'Grades an attempt, once: {question id: [option ids]}; a question that is not answered is wrong. Returns {attempt_id, module_id, version, questions, correct, score, pass_score, passed, certificate: {id, issued_at, expires_at} or null}, and never which answers are right. Called by the learner, a member of staff.';

create function private.audit_training_grade() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit_at_end(
    'training_graded', null, 'training_attempts', new.id,
    after => jsonb_build_object('module_id', new.module_id, 'version', new.version, 'score', new.score, 'passed', new.passed)
  );
  return null;
end
$$;
comment on function private.audit_training_grade is 'Trigger: logs attempts that were graded.';

create trigger audit_training_grade
after update on public.training_attempts
for each row when (old.submitted_at is null and new.submitted_at is not null)
execute function private.audit_training_grade();
select private.declare_audit_triggers('public.training_attempts', '{audit_training_grade}');
