create type public.training_category as enum (
  'hipaa_compliance', 'gdpr_compliance', 'password_security', 'phishing_awareness', 'data_protection', 'incident_response',
  'social_engineering', 'mobile_security'
);
comment on type public.training_category is 'What a training module is about.';

create type public.training_difficulty as enum ('beginner', 'intermediate', 'advanced');
comment on type public.training_difficulty is 'How much a training module presupposes.';

create table public.training_modules (
  id text not null default 'trn_' || replace(gen_random_uuid()::text, '-', '') constraint training_modules_pkey primary key,
  title text not null,
  category public.training_category not null,
  difficulty public.training_difficulty not null,
  estimated_duration integer not null,
  mandatory boolean not null default false,
  content jsonb not null constraint training_modules_content_size check (octet_length(content::text) <= 500000),
  assessments jsonb not null,
  published boolean not null default false,
  version integer not null default 1 constraint training_modules_version_positive check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint training_modules_id_form check (id ~ '^trn_[a-z0-9_]{1,60}$'),
  constraint training_modules_title_form check (char_length(title) >= 1 and char_length(title) <= 200 and title !~ '[[:cntrl:]]'),
  constraint training_modules_estimated_duration_range check (estimated_duration between 1 and 600)
);
select private.describe('public.training_modules',
  'What staff are trained with, each module in its current version. Questions are in private.training_questions, where no learner and no administrator reads their answers.', $$
  id: The module, such as trn_hipaa_fundamentals: trn_ and up to 60 lower-case letters, digits and underscores.
  title: Title, 1 to 200 characters on one line.
  category: What it is about.
  difficulty: How much it presupposes.
  estimated_duration: Minutes that reading it takes, 1 to 600.
  mandatory: Whether all staff have to take it: publishing it assigns it to each of their roles.
  content: What is read: {sections: [{id, title, text}]}, the text in Markdown, 500,000 bytes at most. Example: {"sections": [{"id": "s1", "title": "Health data", "text": "A score is **health data**."}]}
  assessments: How it is assessed: {pass_score, questions_per_attempt, questions}, in percent, per attempt, and in the bank. Example: {"pass_score": 80, "questions_per_attempt": 10, "questions": 24}
  published: Whether staff see and take it.
  version: Current version, from 1.
  created_at: When the first version was stored.
  updated_at: When the row was last changed.
$$);

select private.declare_data('public.training_modules',
   '{id, title, category, difficulty, estimated_duration, mandatory, content, assessments, published, version, created_at,
    updated_at}', 'What staff are trained with.');
select private.declare_audited('public.training_modules', 'id', actions => '{training_changed}');

create table private.training_versions (
  module_id text not null constraint training_versions_module_id_fkey references public.training_modules (id) on delete cascade,
  version integer not null,
  title text not null,
  content jsonb not null,
  pass_score smallint not null constraint training_versions_pass_score_range check (pass_score between 1 and 100),
  questions_per_attempt smallint not null,
  created_at timestamptz not null default now(),
  constraint training_versions_pkey primary key (module_id, version),
  constraint training_versions_questions_per_attempt_range check (questions_per_attempt between 1 and 100)
);
select private.describe('private.training_versions',
  'Each version of each module, as it was when somebody took it. Never changed: another content is another version.', $$
  module_id: The module.
  version: The version, from 1.
  title: Its title.
  content: What is read, as in public.training_modules. Example: {"sections": [{"id": "s1", "title": "Health data", "text": "A score is **health data**."}]}
  pass_score: Percent of the questions that have to be answered right.
  questions_per_attempt: Questions that an attempt asks, drawn from the bank.
  created_at: When it was stored.
$$);

select private.declare_data('private.training_versions',
  '{module_id, version, title, content, pass_score, questions_per_attempt, created_at}',
  'The modules as they were when somebody took them.');
select private.declare_audited('private.training_versions', 'module_id', 'by_hand');

create table private.training_questions (
  module_id text not null,
  version integer not null,
  id text not null,
  prompt text not null constraint training_questions_prompt_length check (char_length(prompt) between 1 and 1000),
  options jsonb not null constraint training_questions_options_number check (jsonb_array_length(options) between 2 and 8),
  correct text[] not null,
  constraint training_questions_pkey primary key (module_id, version, id),
  constraint training_questions_version_fkey foreign key (module_id, version)
    references private.training_versions (module_id, version) on delete cascade,
  constraint training_questions_correct_some check (
    cardinality(correct) >= 1 and cardinality(correct) < jsonb_array_length(options)
  )
);
select private.describe('private.training_questions',
  'The bank of questions of each version, with their answers, which nothing gives out: attempts are graded here.', $$
  module_id: The module.
  version: Its version.
  id: The question, random, so that it tells nothing.
  prompt: What is asked.
  options: What can be chosen: [{id, text}], with random ids. Example: [{"id": "37af69ed79a2", "text": "A score"}, {"id": "63353ce4d0bb", "text": "A postcode"}]
  correct: Ids of the options that are right, all of which have to be chosen and no other; sorted.
$$);

select private.declare_data('private.training_questions', '{module_id, version, id, prompt, options, correct}',
  'The questions of the modules, with their answers.');
select private.declare_audited('private.training_questions', 'module_id', 'by_hand', hidden => '{prompt, options, correct}');

create table public.training_assignments (
  id text not null default 'asg_' || replace(gen_random_uuid()::text, '-', '') constraint training_assignments_pkey primary key,
  module_id text not null,
  user_id uuid constraint training_assignments_user_id_fkey references auth.users (id) on delete cascade,
  role public.app_role constraint training_assignments_role_of_staff check (role <> 'student'),
  due_days integer not null default 30 constraint training_assignments_due_days_range check (due_days between 1 and 365),
  assigned_by uuid default auth.uid(),
  created_at timestamptz not null default now(),
  constraint training_assignments_module_id_fkey foreign key (module_id) references public.training_modules (id) on delete cascade,
  constraint training_assignments_assigned_by_fkey foreign key (assigned_by) references auth.users (id) on delete set null,
  constraint training_assignments_once unique nulls not distinct (module_id, user_id, role),
  constraint training_assignments_person_or_role check ((user_id is null) <> (role is null))
);
select private.describe('public.training_assignments',
  'Who has to take which module: a member of staff, or everybody with a role, now and later.', $$
  id: The assignment.
  module_id: The module.
  user_id: The person; null when it is for a role.
  role: The role, any but student; null when it is for a person.
  due_days: Days of 24 hours until it is due, 1 to 365, from the assignment or, if that is later, from when the person got the role.
  assigned_by: The security administrator; null when publishing a mandatory module did it.
  created_at: When it was assigned.
$$);
alter table public.training_assignments alter column user_id set statistics 0; -- see public.user_roles
create index training_assignments_user_id_idx on public.training_assignments (user_id);
create index training_assignments_assigned_by_idx on public.training_assignments (assigned_by);

select private.declare_data('public.training_assignments', '{id, module_id, user_id, role, due_days, created_at}',
  'To know who has to take which module.', 'staff', 'activity', 't.user_id = $1');
select private.declare_data('public.training_assignments', '{assigned_by}', 'To know who assigned it.', 'staff', 'activity',
  't.assigned_by = $1', erasure => 'anonymize');
select private.declare_audited('public.training_assignments', 'id', actions => '{training_changed}', shown => '{module_id, role, due_days}');

create function private.is_staff(account uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.user_roles where user_id = account and role <> 'student')
$$;
comment on function private.is_staff is 'Whether an account has a role other than student. Called by the functions of training.';

create function private.sees_training() returns boolean
language sql stable security definer set search_path = '' as $$
  select private.is_staff((select private.current_account()))
$$;
comment on function private.sees_training is 'Whether the caller is a member of staff. Called by policies.';

-- The ids of questions and options are random, so that neither an author's order nor an earlier version tells which option is right.
create function private.add_training_version(module text, questions jsonb, pass_score integer, questions_per_attempt integer)
returns void
language plpgsql set search_path = '' as $$
begin
  if questions_per_attempt > jsonb_array_length(questions) then
    perform private.refuse(400, 'invalid_value', 'The bank has fewer questions than an attempt asks.');
  end if;
  insert into private.training_versions (module_id, version, title, content, pass_score, questions_per_attempt)
  select m.id, m.version, m.title, m.content, add_training_version.pass_score, add_training_version.questions_per_attempt
  from public.training_modules m
  where m.id = module;
  insert into private.training_questions (module_id, version, id, prompt, options, correct)
  select m.id, m.version, left(replace(gen_random_uuid()::text, '-', ''), 12), q.question ->> 'prompt', o.options, o.correct
  from public.training_modules m
  cross join lateral jsonb_array_elements(questions) as q (question)
  cross join lateral (
    select
      jsonb_agg(jsonb_build_object('id', option_id, 'text', text) order by option_id) as options,
      coalesce(array_agg(option_id order by option_id) filter (where correct), '{}') as correct
    from (
      select left(replace(gen_random_uuid()::text, '-', ''), 12) as option_id, e.option ->> 'text' as text,
        (e.option ->> 'correct')::boolean as correct
      from jsonb_array_elements(q.question -> 'options') as e (option)
    ) as given
  ) o
  where m.id = module;
end
$$;
comment on function private.add_training_version is 'Stores the current version of a module with its questions: [{prompt, options: [{text, correct}]}]. Called by private.store_training_module.';

create function private.store_training_module(module jsonb) returns public.training_modules
language plpgsql security definer set search_path = '' as $$
declare
  given constant text := module ->> 'id';
  assessed constant jsonb := module -> 'assessments';
  stored public.training_modules;
begin
  insert into public.training_modules as m (
    id, title, category, difficulty, estimated_duration, mandatory, content, assessments, published, version
  )
  values (
    coalesce(given, 'trn_' || replace(gen_random_uuid()::text, '-', '')),
    module ->> 'title',
    (module ->> 'category')::public.training_category,
    (module ->> 'difficulty')::public.training_difficulty,
    (module ->> 'estimated_duration')::integer,
    coalesce((module ->> 'mandatory')::boolean, false),
    jsonb_build_object(
      'sections',
      (
        select jsonb_agg(jsonb_build_object('id', 's' || place, 'title', s.section ->> 'title', 'text', s.section ->> 'text') order by place)
        from jsonb_array_elements(module -> 'content' -> 'sections') with ordinality as s (section, place)
      )
    ),
    jsonb_build_object(
      'pass_score', (assessed ->> 'pass_score')::integer,
      'questions_per_attempt', (assessed ->> 'questions_per_attempt')::integer,
      'questions', jsonb_array_length(assessed -> 'questions')
    ),
    coalesce((module ->> 'published')::boolean, false),
    1
  )
  on conflict on constraint training_modules_pkey do update
  set title = excluded.title, category = excluded.category, difficulty = excluded.difficulty,
    estimated_duration = excluded.estimated_duration, mandatory = excluded.mandatory, content = excluded.content,
    assessments = excluded.assessments, published = excluded.published, version = m.version + 1
  returning * into stored;
  perform private.add_training_version(
    stored.id, assessed -> 'questions', (assessed ->> 'pass_score')::integer, (assessed ->> 'questions_per_attempt')::integer
  );
  return stored;
end
$$;
comment on function private.store_training_module is 'Stores a module, or the next version of the one with this id: {id?, title, category, difficulty, estimated_duration, mandatory?, published?, content: {sections: [{title, text}]}, assessments: {pass_score, questions_per_attempt, questions: [{prompt, options: [{text, correct}]}]}}. Called by private.create_training_module and private.ship_training_module.';

create function private.create_training_module(module jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  stored public.training_modules;
begin
  perform private.require_security_admin();
  if module ? 'id' and not exists (select from public.training_modules m where m.id = module ->> 'id') then
    perform private.refuse(404, 'training_not_found', 'There is no module of this id. Leave it out to create one.');
  end if;
  stored := private.store_training_module(module);
  return to_jsonb(stored) - array['content', 'created_at', 'updated_at'];
end
$$;
comment on function private.create_training_module is 'Implementation of public.create_training_module, which calls it.';

create function public.create_training_module(module jsonb) returns jsonb
language sql set search_path = ''
begin atomic select private.create_training_module(module); end;
comment on function public.create_training_module is 'Stores a new module, or with an id the next version of that one; the argument is as private.store_training_module says. Returns {id, title, category, difficulty, estimated_duration, mandatory, assessments, published, version}. Called by security administrators.';

create function private.ship_training_module(module jsonb, shipped_version integer) returns void
language sql set search_path = '' as $$
  select private.store_training_module(module)
  where not exists (
    select from public.training_modules m where m.id = module ->> 'id' and m.version >= shipped_version
  )
$$;
comment on function private.ship_training_module is 'Stores a module that comes with the service, unless this version or one that was made here is there already. Called by migrations.';

create function private.assign_mandatory_training() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.training_assignments (module_id, role, assigned_by)
  select new.id, staff_role, null
  from unnest(enum_range(null::public.app_role)) as staff_role
  where staff_role <> 'student'
  on conflict on constraint training_assignments_once do nothing;
  return null;
end
$$;
comment on function private.assign_mandatory_training is 'Trigger: a mandatory module that is published is assigned to every role of staff.';

create function private.guard_training_assignment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id is not null and not private.is_staff(new.user_id) then
    perform private.refuse(404, 'staff_not_found', 'There is no member of staff with this account.');
  end if;
  return null;
end
$$;
comment on function private.guard_training_assignment is 'Trigger: only members of staff are assigned a module.';

create trigger touch_updated_at
before update on public.training_modules
for each row execute function private.touch_updated_at();

create trigger assign_mandatory_training
after insert or update on public.training_modules
for each row when (new.mandatory and new.published)
execute function private.assign_mandatory_training();

-- After the policies, which decide first: the error would tell others who is staff.
create trigger guard_training_assignment
after insert or update of user_id on public.training_assignments
for each row execute function private.guard_training_assignment();

