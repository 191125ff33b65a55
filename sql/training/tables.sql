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
  content jsonb not null default '{"sections": []}' constraint training_modules_content_size check (octet_length(content::text) <= 500000),
  assessments jsonb not null default '{"pass_score": 80, "questions_per_attempt": 5, "questions": 0}',
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
  assessments: How it is assessed: {pass_score, questions_per_attempt}, in percent and per attempt; the database adds questions, how many the bank has. Example: {"pass_score": 80, "questions_per_attempt": 10}
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
  id text not null default left(replace(gen_random_uuid()::text, '-', ''), 12),
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
  version: Its version; the module's current one where none is given.
  id: The question, random, so that it tells nothing.
  prompt: What is asked.
  options: What can be chosen: [{id, text}], with random ids. Options that are stored as [{text, correct}] get theirs. Example: [{"id": "37af69ed79a2", "text": "A score"}, {"id": "63353ce4d0bb", "text": "A postcode"}]
  correct: Ids of the options that are right, all of which have to be chosen and no other; sorted. Taken from the options where those say it.
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

create function private.is_text_between(value jsonb, shortest integer, longest integer) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_typeof(value) = 'string' and char_length(value #>> '{}') between shortest and longest, false)
$$;
comment on function private.is_text_between is 'Whether a value is a text of a length, both ends included. Called where modules and questions are checked.';

create function private.training_module_problem(content jsonb, assessments jsonb) returns text
language sql immutable set search_path = '' as $$
  select case
    when jsonb_typeof(content) is distinct from 'object' or jsonb_typeof(content -> 'sections') is distinct from 'array'
      or jsonb_array_length(content -> 'sections') > 50
      then 'content is {"sections": [{"title": "…", "text": "…"}]}, with up to 50 sections.'
    when exists (
      select
      from jsonb_array_elements(content -> 'sections') as s
      where not (private.is_text_between(s -> 'id', 1, 20) and private.is_text_between(s -> 'title', 1, 200) and private.is_text_between(s -> 'text', 1, 50000))
    )
      then 'Each section of content has a title of up to 200 characters and a text of up to 50,000.'
    when (select count(distinct s ->> 'id') from jsonb_array_elements(content -> 'sections') as s) < jsonb_array_length(content -> 'sections')
      then 'Two sections of content have the same id.'
    when jsonb_typeof(assessments) is distinct from 'object'
      or not coalesce(private.is_integer_between(assessments -> 'pass_score', 1, 100), false)
      or not coalesce(private.is_integer_between(assessments -> 'questions_per_attempt', 1, 100), false)
      or not coalesce(private.is_integer_between(assessments -> 'questions', 0, 100000), false)
      then 'assessments is {"pass_score": 80, "questions_per_attempt": 5}, both from 1 to 100.'
  end
$$;
comment on function private.training_module_problem is 'What is wrong with the content and assessments of a module, in a sentence for whoever stores it; null when nothing is. Called by private.prepare_training_module.';

create function private.prepare_training_module() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  problem text;
begin
  if jsonb_typeof(new.content -> 'sections') = 'array' then
    new.content := new.content || jsonb_build_object('sections', (
      select coalesce(
        jsonb_agg(case jsonb_typeof(s) when 'object' then jsonb_build_object('id', 's' || place) || s else s end order by place), '[]'
      )
      from jsonb_array_elements(new.content -> 'sections') with ordinality as t (s, place)
    ));
  end if;
  if jsonb_typeof(new.assessments) = 'object' then
    new.assessments := jsonb_build_object('questions', case tg_op when 'UPDATE' then old.assessments -> 'questions' else '0' end)
      || new.assessments;
  end if;
  problem := private.training_module_problem(new.content, new.assessments);
  if problem is not null then
    perform private.refuse(400, 'invalid_value', problem);
  end if;
  if tg_op = 'UPDATE' then
    if new.version = old.version
      and (new.title, new.content, new.assessments - 'questions') is distinct from (old.title, old.content, old.assessments - 'questions')
    then
      new.version := old.version + 1;
    elsif new.version not in (old.version, old.version + 1) then
      perform private.refuse(400, 'invalid_value', 'Versions are counted by the database: leave version as it is.');
    end if;
  end if;
  return new;
end
$$;
comment on function private.prepare_training_module is 'Trigger: a module has the form that its readers rely on, sections have ids, and what is read or asked differently is another version.';

create function private.keep_training_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.training_versions (module_id, version, title, content, pass_score, questions_per_attempt)
  values (
    new.id, new.version, new.title, new.content, (new.assessments -> 'pass_score')::smallint,
    (new.assessments -> 'questions_per_attempt')::smallint
  );
  if tg_op = 'UPDATE' and coalesce(current_setting('private.storing_questions', true), '') <> 'on' then
    insert into private.training_questions (module_id, version, prompt, options, correct)
    select q.module_id, new.version, q.prompt, q.options, q.correct
    from private.training_questions q
    where q.module_id = new.id and q.version = old.version;
  end if;
  return null;
end
$$;
comment on function private.keep_training_version is 'Trigger: each version of a module is kept, with the questions of the one before it unless it gets its own.';

create function private.check_training_module(id text) returns void
language plpgsql set search_path = '' as $$
declare
  module public.training_modules;
  bank bigint;
begin
  select * into module from public.training_modules m where m.id = check_training_module.id;
  select count(*) into bank from private.training_questions q where q.module_id = module.id and q.version = module.version;
  if (module.assessments -> 'questions')::integer <> bank then
    perform private.refuse(400, 'invalid_value', 'The questions of assessments are counted by the database: leave that member out.');
  elsif module.published and jsonb_array_length(module.content -> 'sections') = 0 then
    perform private.refuse(400, 'invalid_value', 'A module without sections is not published.');
  elsif module.published and bank < (module.assessments -> 'questions_per_attempt')::integer then
    perform private.refuse(
      400, 'invalid_value',
      format('It is not published: the bank has %s questions, and an attempt asks %s.', bank, module.assessments -> 'questions_per_attempt')
    );
  end if;
end
$$;
comment on function private.check_training_module is 'Error 400 invalid_value unless the module has as many questions as it says and, when it is published, can be read and assessed. Called when one is stored.';

-- At the end of the transaction, as the questions of a module may be stored after it.
create function private.require_valid_training_module() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('private.storing_questions', true), '') <> 'on' then
    perform private.check_training_module(new.id);
  end if;
  return null;
end
$$;
comment on function private.require_valid_training_module is 'Trigger: a module that is published can be read and assessed.';

-- The ids of questions and options are random, so that neither an author's order nor an earlier version tells which option is right.
create function private.prepare_training_question() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  ids text[];
begin
  new.version := coalesce(new.version, (select m.version from public.training_modules m where m.id = new.module_id));
  if new.version is null or tg_op = 'UPDATE' and (new.module_id, new.version) <> (old.module_id, old.version) then
    perform private.refuse(400, 'invalid_value', 'A question belongs to a module, and stays there.');
  end if;
  if jsonb_typeof(new.options) is distinct from 'array' or exists (
    select
    from jsonb_array_elements(new.options) as o
    where not private.is_text_between(o -> 'text', 1, 500)
      or (o ? 'id' and not private.is_text_between(o -> 'id', 1, 20))
      or (o ? 'correct' and jsonb_typeof(o -> 'correct') <> 'boolean')
  ) then
    perform private.refuse(400, 'invalid_value', 'options is [{"text": "…", "correct": true}, {"text": "…", "correct": false}].');
  end if;
  if jsonb_path_exists(new.options, '$[*] ? (exists(@.correct) || !exists(@.id))') then
    select
      coalesce(jsonb_agg(jsonb_build_object('id', given.id, 'text', given.text) order by given.id), '[]'),
      case when bool_or(given.correct is not null)
        then coalesce(array_agg(given.id order by given.id) filter (where given.correct), '{}')
        else new.correct
      end
    into new.options, new.correct
    from (
      select
        coalesce(o ->> 'id', left(replace(gen_random_uuid()::text, '-', ''), 12)) as id, o ->> 'text' as text,
        (o -> 'correct')::boolean as correct
      from jsonb_array_elements(new.options) as o
    ) as given;
  end if;
  ids := array(select o ->> 'id' from jsonb_array_elements(new.options) as o);
  new.correct := array(select distinct c from unnest(new.correct) as c order by c);
  if cardinality(ids) not between 2 and 8 or (select count(distinct i) from unnest(ids) as i) < cardinality(ids)
    or cardinality(new.correct) = 0 or cardinality(new.correct) = cardinality(ids) or not new.correct <@ ids
  then
    perform private.refuse(400, 'invalid_value', 'A question has 2 to 8 options, of which at least one is right and one is wrong.');
  end if;
  return new;
end
$$;
comment on function private.prepare_training_question is 'Trigger: a question can be asked and graded; options that say which are right get ids, and a question without a version belongs to the current one.';

create function private.count_training_questions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.training_modules m
  set assessments = m.assessments || jsonb_build_object('questions', b.bank)
  from (
    select t.id, (select count(*) from private.training_questions q where q.module_id = t.id and q.version = t.version) as bank
    from public.training_modules t
    where t.id in (select c.module_id from changed_rows c)
  ) as b
  where m.id = b.id and m.assessments -> 'questions' <> to_jsonb(b.bank);
  return null;
end
$$;
comment on function private.count_training_questions is 'Trigger: keeps the number of questions in a module''s assessments, so that a published one keeps as many as it asks.';

create trigger prepare_training_question before insert or update on private.training_questions
for each row execute function private.prepare_training_question();

create trigger count_training_questions after insert on private.training_questions
referencing new table as changed_rows
for each statement execute function private.count_training_questions();

create trigger count_training_questions_deleted after delete on private.training_questions
referencing old table as changed_rows
for each statement execute function private.count_training_questions();

create trigger refuse_direct_write before insert or update or delete on private.training_versions
for each row execute function private.refuse_direct_write('public.training_modules');

create trigger prepare_training_module before insert or update on public.training_modules
for each row execute function private.prepare_training_module();

create trigger keep_training_version after insert on public.training_modules
for each row execute function private.keep_training_version();

create trigger keep_training_version_changed after update on public.training_modules
for each row when (new.version <> old.version) execute function private.keep_training_version();

create constraint trigger require_valid_training_module
after insert or update on public.training_modules
deferrable initially deferred
for each row execute function private.require_valid_training_module();

create function private.store_training_module(module jsonb) returns public.training_modules
language plpgsql security definer set search_path = '' as $$
declare
  given constant text := module ->> 'id';
  assessed constant jsonb := module -> 'assessments';
  stored public.training_modules;
  kept integer;
begin
  perform set_config('private.storing_questions', 'on', true);
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
  if jsonb_array_length(assessed -> 'questions') < (assessed ->> 'questions_per_attempt')::integer then
    perform private.refuse(400, 'invalid_value', 'The bank has fewer questions than an attempt asks.');
  end if;
  -- What a question of the version before was stays as it is, with its answers: whoever keeps it names its id, and need not know them.
  insert into private.training_questions (module_id, version, prompt, options, correct)
  select stored.id, stored.version, b.prompt, b.options, b.correct
  from jsonb_array_elements(assessed -> 'questions') as q
  join private.training_questions b
    on b.module_id = stored.id and b.version = stored.version - 1 and b.id = q ->> 'id';
  get diagnostics kept = row_count;
  if kept < (select count(*) from jsonb_array_elements(assessed -> 'questions') as q where q ? 'id') then
    perform private.refuse(400, 'invalid_value', 'A question is not in the bank any more: the module was changed meanwhile. Open it again.');
  end if;
  insert into private.training_questions (module_id, version, prompt, options)
  select stored.id, stored.version, q ->> 'prompt', q -> 'options'
  from jsonb_array_elements(assessed -> 'questions') as q
  where not q ? 'id';
  perform set_config('private.storing_questions', '', true);
  perform private.check_training_module(stored.id);
  return stored;
end
$$;
comment on function private.store_training_module is 'Stores a module, or the next version of the one with this id: {id?, title, category, difficulty, estimated_duration, mandatory?, published?, content: {sections: [{title, text}]}, assessments: {pass_score, questions_per_attempt, questions: [{prompt, options: [{text, correct}]}]}}, or {id} for a question that stays as it is. Called by private.create_training_module and private.ship_training_module.';

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

create function private.list_training_questions(module_id text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_security_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', q.id, 'prompt', q.prompt) order by q.prompt, q.id), '[]')
    from public.training_modules m
    join private.training_questions q on q.module_id = m.id and q.version = m.version
    where m.id = list_training_questions.module_id
  );
end
$$;
comment on function private.list_training_questions is 'Implementation of public.list_training_questions, which calls it.';

create function public.list_training_questions(module_id text) returns jsonb
language sql stable set search_path = ''
begin atomic select private.list_training_questions(module_id); end;
comment on function public.list_training_questions is 'What a module''s current version asks: [{id, prompt}], without what can be chosen and what is right, as administrators learn too. Called by security administrators.';

create function private.assign_training(module text, person text, to_role public.app_role, due integer)
returns public.training_assignments
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  account constant uuid := private.account_named(person);
  assigned public.training_assignments;
begin
  perform private.require_security_admin();
  if not exists (select from public.training_modules m where m.id = module) then
    perform private.refuse(404, 'training_not_found', 'There is no such training for you.');
  elsif (person is null) = (to_role is null) or to_role = 'student' or due is null or due not between 1 and 365 then
    perform private.refuse(400, 'invalid_value', 'Assign it to a person or to a role of staff, due in 1 to 365 days.');
  elsif person is not null and (account is null or not private.is_staff(account)) then
    perform private.refuse(404, 'staff_not_found', 'There is no member of staff with this account.');
  end if;
  insert into public.training_assignments as a (module_id, user_id, role, due_days, assigned_by)
  values (module, account, to_role, due, private.current_account())
  on conflict on constraint training_assignments_once do update set due_days = excluded.due_days
  returning a.* into assigned;
  return assigned;
end
$$;
comment on function private.assign_training is 'Implementation of public.assign_training, which calls it.';

create function public.assign_training(
  module_id text, person text default null, role public.app_role default null, due_days integer default 30
) returns public.training_assignments
language sql set search_path = ''
begin atomic select private.assign_training(module_id, person, role, due_days); end;
comment on function public.assign_training is 'Assigns a module to a member of staff, by account or email address, or to a role; a second time changes the days until it is due. Called by security administrators.';

create function private.list_training_assignments(module text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_security_admin();
  return (
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'id', a.id, 'role', a.role, 'user_id', a.user_id, 'first_name', p.first_name, 'last_name', p.last_name, 'email', u.email,
          'due_days', a.due_days, 'created_at', a.created_at
        )
        order by a.role, p.last_name, p.first_name, u.email
      ),
      '[]'
    )
    from public.training_assignments a
    left join auth.users u on u.id = a.user_id
    left join public.profiles p on p.user_id = a.user_id
    where a.module_id = module
  );
end
$$;
comment on function private.list_training_assignments is 'Implementation of public.list_training_assignments, which calls it.';

create function public.list_training_assignments(module_id text) returns jsonb
language sql stable set search_path = ''
begin atomic select private.list_training_assignments(module_id); end;
comment on function public.list_training_assignments is 'To whom a module is assigned, roles first: [{id, role, user_id, first_name, last_name, email, due_days, created_at}]. Called by security administrators.';

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

