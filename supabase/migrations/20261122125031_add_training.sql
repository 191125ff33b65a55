SET local check_function_bodies = off;

CREATE TABLE "private"."training_papers" (
  "attempt_id" text  NOT NULL,
  "questions"  jsonb NOT NULL,
  "answers"    jsonb,
  CONSTRAINT "training_papers_pkey" PRIMARY KEY (attempt_id)
);

CREATE TABLE "private"."training_questions" (
  "module_id" text    NOT NULL,
  "version"   integer NOT NULL,
  "id"        text    NOT NULL,
  "prompt"    text    NOT NULL,
  "options"   jsonb   NOT NULL,
  "correct"   text[]  NOT NULL,
  CONSTRAINT "training_questions_correct_some" CHECK (((cardinality(correct) >= 1) AND (cardinality(correct) < jsonb_array_length(options)))),
  CONSTRAINT "training_questions_options_number" CHECK (((jsonb_array_length(options) >= 2) AND (jsonb_array_length(options) <= 8))),
  CONSTRAINT "training_questions_pkey" PRIMARY KEY (module_id, VERSION, id),
  CONSTRAINT "training_questions_prompt_length" CHECK (((char_length(prompt) >= 1) AND (char_length(prompt) <= 1000)))
);

CREATE TABLE "private"."training_reminders" (
  "user_id"     uuid                     NOT NULL,
  "module_id"   text                     NOT NULL,
  "due_at"      timestamp with time zone NOT NULL,
  "days_before" smallint                 NOT NULL,
  "reached_at"  timestamp with time zone NOT NULL,
  "message_id"  uuid,
  CONSTRAINT "training_reminders_pkey" PRIMARY KEY (user_id, module_id, due_at, days_before)
);

CREATE TABLE "private"."training_versions" (
  "module_id"             text                     NOT NULL,
  "version"               integer                  NOT NULL,
  "title"                 text                     NOT NULL,
  "content"               jsonb                    NOT NULL,
  "pass_score"            smallint                 NOT NULL,
  "questions_per_attempt" smallint                 NOT NULL,
  "created_at"            timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "training_versions_pass_score_range" CHECK (((pass_score >= 1) AND (pass_score <= 100))),
  CONSTRAINT "training_versions_pkey" PRIMARY KEY (module_id, VERSION),
  CONSTRAINT "training_versions_questions_per_attempt_range" CHECK (((questions_per_attempt >= 1) AND (questions_per_attempt <= 100)))
);

CREATE TABLE "public"."training_assignments" (
  "id"          text                     NOT NULL DEFAULT ('asg_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
  "module_id"   text                     NOT NULL,
  "user_id"     uuid,
  "role"        public.app_role,
  "due_days"    integer                  NOT NULL DEFAULT 30,
  "created_at"  timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "training_assignments_due_days_range" CHECK (((due_days >= 1) AND (due_days <= 365))),
  CONSTRAINT "training_assignments_of_staff" CHECK ((role <> 'student'::public.app_role)),
  CONSTRAINT "training_assignments_once" UNIQUE NULLS NOT DISTINCT (module_id, user_id, ROLE),
  CONSTRAINT "training_assignments_person_or_role" CHECK (((user_id IS NULL) <> (role IS NULL))),
  CONSTRAINT "training_assignments_pkey" PRIMARY KEY (id),
  "assigned_by" uuid                     DEFAULT auth.uid()
);

ALTER TABLE "public"."training_assignments"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."training_assignments" FROM "anon";

CREATE TABLE "public"."training_attempts" (
  "id"           text                     NOT NULL DEFAULT ('att_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
  "user_id"      uuid                     NOT NULL,
  "module_id"    text                     NOT NULL,
  "version"      integer                  NOT NULL,
  "questions"    smallint                 NOT NULL,
  "started_at"   timestamp with time zone NOT NULL DEFAULT now(),
  "expires_at"   timestamp with time zone NOT NULL,
  "submitted_at" timestamp with time zone,
  "correct"      smallint,
  "score"        numeric(5,2),
  "passed"       boolean,
  CONSTRAINT "training_attempts_correct_range" CHECK (((correct >= 0) AND (correct <= questions))),
  CONSTRAINT "training_attempts_graded_when_submitted" CHECK ((num_nulls(submitted_at, correct, score, passed) = ANY (ARRAY[0, 4]))),
  CONSTRAINT "training_attempts_pkey" PRIMARY KEY (id),
  CONSTRAINT "training_attempts_times" CHECK (((expires_at > started_at) AND (submitted_at >= started_at)))
);

ALTER TABLE "public"."training_attempts"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."training_attempts" FROM "anon";

CREATE TABLE "public"."training_certificates" (
  "id"         text                     NOT NULL DEFAULT ('crt_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
  "user_id"    uuid                     NOT NULL,
  "module_id"  text                     NOT NULL,
  "version"    integer                  NOT NULL,
  "attempt_id" text                     NOT NULL,
  "score"      numeric(5,2)             NOT NULL,
  "issued_at"  timestamp with time zone NOT NULL DEFAULT now(),
  "expires_at" timestamp with time zone NOT NULL,
  CONSTRAINT "training_certificates_attempt_id_key" UNIQUE (attempt_id),
  CONSTRAINT "training_certificates_pkey" PRIMARY KEY (id),
  CONSTRAINT "training_certificates_times" CHECK ((expires_at > issued_at))
);

ALTER TABLE "public"."training_certificates"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."training_certificates" FROM "anon";

CREATE TABLE "public"."training_modules" (
  "id"    text NOT NULL DEFAULT ('trn_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
  "title" text NOT NULL,
  CONSTRAINT "training_modules_id_form" CHECK ((id ~ '^trn_[a-z0-9_]{1,60}$'::text)),
  CONSTRAINT "training_modules_pkey" PRIMARY KEY (id),
  CONSTRAINT "training_modules_title_form" CHECK ((((char_length(title) >= 1) AND (char_length(title) <= 200)) AND (title !~ '[[:cntrl:]]'::text)))
);

ALTER TABLE "public"."training_modules"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."training_modules" FROM "anon";

CREATE TABLE "public"."training_progress" (
  "user_id"       uuid                     NOT NULL,
  "module_id"     text                     NOT NULL,
  "version"       integer                  NOT NULL,
  "sections_read" text[]                   NOT NULL DEFAULT '{}'::text[],
  "started_at"    timestamp with time zone NOT NULL DEFAULT now(),
  "updated_at"    timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "training_progress_pkey" PRIMARY KEY (user_id, module_id, VERSION)
);

ALTER TABLE "public"."training_progress"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."training_progress" FROM "anon";

CREATE TYPE "public"."training_category" AS ENUM (
  'hipaa_compliance',
  'gdpr_compliance',
  'password_security',
  'phishing_awareness',
  'data_protection',
  'incident_response',
  'social_engineering',
  'mobile_security'
);

ALTER TABLE "public"."training_modules"
  ADD COLUMN "category" public.training_category NOT NULL;

CREATE TYPE "public"."training_difficulty" AS ENUM (
  'beginner',
  'intermediate',
  'advanced'
);

ALTER TABLE "public"."training_modules"
  ADD COLUMN "difficulty" public.training_difficulty NOT NULL;

ALTER TABLE "public"."training_modules"
  ADD COLUMN "estimated_duration" integer NOT NULL;

ALTER TABLE "public"."training_modules"
  ADD COLUMN "mandatory" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."training_modules"
  ADD COLUMN "content" jsonb NOT NULL;

ALTER TABLE "public"."training_modules"
  ADD COLUMN "assessments" jsonb NOT NULL;

ALTER TABLE "public"."training_modules"
  ADD COLUMN "published" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."training_modules"
  ADD COLUMN "version" integer NOT NULL DEFAULT 1;

ALTER TABLE "public"."training_modules"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."training_modules"
  ADD COLUMN "updated_at" timestamp WITH time zone NOT NULL DEFAULT now();

CREATE OR REPLACE FUNCTION private.add_training_version (
  module                text,
  questions             jsonb,
  pass_score            integer,
  questions_per_attempt integer
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.assign_mandatory_training()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into public.training_assignments (module_id, role, assigned_by)
  select new.id, staff_role, null
  from unnest(enum_range(null::public.app_role)) as staff_role
  where staff_role <> 'student'
  on conflict on constraint training_assignments_once do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_training()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  before constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - 'content' end;
  after constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - 'content' end;
begin
  if tg_op = 'UPDATE' and private.changed_columns(after, before) = '{}' then
    return null;
  end if;
  perform private.audit(
    'training_changed',
    null,
    tg_table_name,
    coalesce(after, before) ->> 'id',
    case when tg_op <> 'INSERT' then private.changed_columns(before, coalesce(after, '{}')) end,
    case when tg_op <> 'DELETE' then private.changed_columns(after, coalesce(before, '{}')) end
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_training_grade()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.audit(
    'training_graded', null, 'training_attempts', new.id,
    after => jsonb_build_object('module_id', new.module_id, 'version', new.version, 'score', new.score, 'passed', new.passed)
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.create_training_module (
  module jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.guard_training_assignment()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if new.user_id is not null and not private.is_staff(new.user_id) then
    perform private.refuse(404, 'staff_not_found', 'There is no member of staff with this account.');
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.is_staff (
  account uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (select from public.user_roles where user_id = account and role <> 'student')
$function$;

CREATE OR REPLACE FUNCTION private.my_training (
  at timestamp with time zone
)
  RETURNS TABLE (
    module_id              text,
    title                  text,
    category               public.training_category,
    difficulty             public.training_difficulty,
    estimated_duration     integer,
    version                integer,
    status                 text,
    due_at                 timestamp with time zone,
    certificate_id         text,
    certificate_expires_at timestamp with time zone,
    sections               integer,
    sections_read          text[]
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select
    m.id, m.title, m.category, m.difficulty, m.estimated_duration, m.version,
    case
      when d.due_at <= at then 'overdue'
      when c.expires_at > at then 'completed'
      when p.started_at is not null then 'in_progress'
      when d.due_at is not null then 'assigned'
      else 'optional'
    end,
    d.due_at, c.id, c.expires_at, jsonb_array_length(m.content -> 'sections'), coalesce(p.sections_read, '{}')
  from public.training_modules m
  cross join (select private.current_account() as id offset 0) as account
  left join private.training_due d on d.module_id = m.id and d.user_id = account.id
  left join public.training_progress p on p.module_id = m.id and p.version = m.version and p.user_id = account.id
  left join lateral (
    select c.id, c.expires_at
    from public.training_certificates c
    where c.user_id = account.id and c.module_id = m.id
    order by c.expires_at desc
    limit 1
  ) c on true
  where m.published and private.is_staff(account.id)
  order by d.due_at nulls last, m.title, m.id
$function$;

CREATE OR REPLACE FUNCTION private.open_training (
  module text
)
  RETURNS public.training_modules
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  account constant uuid := private.current_account();
  found public.training_modules;
begin
  if private.is_staff(account) then
    perform pg_advisory_xact_lock(95, hashtext(account || module));
    select * into found from public.training_modules m where m.id = module and m.published;
  end if;
  if found.id is null then
    perform private.refuse(404, 'training_not_found', 'There is no such training for you.');
  end if;
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION private.read_training_sections (
  module_id text,
  sections  text[]
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
  return jsonb_build_object(
    'module_id', module.id, 'version', module.version, 'sections_read', read_so_far, 'sections', known
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.remind_of_training (
  at timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with reached as (
    select d.user_id, d.module_id, d.due_at, b.days_before,
      b.days_before = min(b.days_before) over (partition by d.user_id, d.module_id) as is_last
    from private.training_due d
    cross join (values (7), (3), (1)) as b (days_before)
    where d.due_at > at
      and d.due_at - b.days_before * interval '24 hours' between d.since and at
  ),
  stored as (
    insert into private.training_reminders (user_id, module_id, due_at, days_before, reached_at, message_id)
    select user_id, module_id, due_at, days_before, at, case when is_last then gen_random_uuid() end
    from reached
    on conflict on constraint training_reminders_pkey do nothing
    returning user_id, module_id, due_at, message_id
  )
  insert into private.outbox (id, channel, purpose, user_id, recipient, subject, body)
  select
    s.message_id,
    'email',
    'training_reminder',
    s.user_id,
    u.email,
    left(format('Training due in %s: %s', n.time_left, m.title), 200),
    format(
      E'Your training "%s" is due on %s UTC, in %s. It takes about %s minutes, and questions follow.%s',
      m.title,
      to_char(s.due_at at time zone 'UTC', 'FMDD FMMonth YYYY, HH24:MI'),
      n.time_left,
      m.estimated_duration,
      coalesce(E'\n\nRead and answer it here: ' || private.pages_url() || '/api/training/learn.html?module=' || m.id, '')
    )
  from stored s
  join auth.users u on u.id = s.user_id
  join public.training_modules m on m.id = s.module_id
  cross join lateral (select ceil(extract(epoch from s.due_at - at) / 86400)::integer as days) as whole
  cross join lateral (
    select case whole.days when 1 then 'one day' else whole.days || ' days' end as time_left
  ) as n
  where s.message_id is not null and u.email is not null
$function$;

CREATE OR REPLACE FUNCTION private.require_security_admin()
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  if not private.is_security_admin() then
    raise exception 'Only security administrators do this.' using errcode = 'insufficient_privilege';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.sees_training()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.is_staff((select private.current_account()))
$function$;

CREATE OR REPLACE FUNCTION private.ship_training_module (
  module          jsonb,
  shipped_version integer
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  select private.store_training_module(module)
  where not exists (
    select from public.training_modules m where m.id = module ->> 'id' and m.version >= shipped_version
  )
$function$;

CREATE OR REPLACE FUNCTION private.start_training_attempt (
  module_id text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
      raise exception 'Too many attempts at this module.'
        using errcode = 'PT429', detail = ceil(extract(epoch from next_at - now()))::text, hint = 'Read it again, and try after as many seconds as the details say.';
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
$function$;

CREATE OR REPLACE FUNCTION private.store_training_module (
  module jsonb
)
  RETURNS public.training_modules
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
  set title = excluded.title,
    category = excluded.category,
    difficulty = excluded.difficulty,
    estimated_duration = excluded.estimated_duration,
    mandatory = excluded.mandatory,
    content = excluded.content,
    assessments = excluded.assessments,
    published = excluded.published,
    version = m.version + 1
  returning * into stored;
  perform private.add_training_version(
    stored.id, assessed -> 'questions', (assessed ->> 'pass_score')::integer, (assessed ->> 'questions_per_attempt')::integer
  );
  return stored;
end
$function$;

CREATE OR REPLACE FUNCTION private.submit_training_attempt (
  attempt_id text,
  answers    jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
declare
  valid_for constant interval := 365 * interval '24 hours';
  attempt public.training_attempts;
  paper private.training_papers;
  version private.training_versions;
  chosen jsonb;
  certificate public.training_certificates;
begin
  select * into attempt
  from public.training_attempts a
  where a.id = submit_training_attempt.attempt_id and a.user_id = private.current_account() and private.is_staff(a.user_id)
  for update;
  if not found then
    perform private.refuse(404, 'training_not_found', 'There is no such attempt of yours.');
  end if;
  if attempt.submitted_at is not null or attempt.expires_at <= now() then
    perform private.refuse(409, 'attempt_closed', 'This attempt was submitted already, or its time is over. Start another one.');
  end if;
  select * into strict paper from private.training_papers p where p.attempt_id = attempt.id;
  select * into strict version from private.training_versions v
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
  set submitted_at = now(),
    correct = graded.correct,
    score = round(100.0 * graded.correct / a.questions, 2),
    passed = 100 * graded.correct >= version.pass_score * a.questions
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
    'correct', attempt.correct, 'score', attempt.score, 'pass_score', version.pass_score, 'passed', attempt.passed,
    'certificate', case when attempt.passed then jsonb_build_object(
      'id', certificate.id, 'issued_at', certificate.issued_at, 'expires_at', certificate.expires_at
    ) end
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.training_statistics (
  at timestamp with time zone
)
  RETURNS TABLE (
    module_id     text,
    title         text,
    version       integer,
    published     boolean,
    assigned      bigint,
    completed     bigint,
    in_progress   bigint,
    overdue       bigint,
    attempts      bigint,
    passed        bigint,
    average_score numeric
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select m.id, m.title, m.version, m.published, d.assigned, d.completed, d.in_progress, d.overdue, a.attempts, a.passed, a.average_score
  from public.training_modules m
  left join lateral (
    select
      count(*) as assigned,
      count(*) filter (where d.due_at > at and d.certificate_expires_at > at) as completed,
      count(*) filter (where d.due_at > at and (d.certificate_expires_at > at) is not true and d.started_at is not null) as in_progress,
      count(*) filter (where d.due_at <= at) as overdue
    from private.training_due d
    where d.module_id = m.id
  ) d on true
  left join lateral (
    select count(*) as attempts, count(*) filter (where a.passed) as passed, round(avg(a.score), 2) as average_score
    from public.training_attempts a
    where a.module_id = m.id and a.submitted_at is not null
  ) a on true
  where private.is_security_admin() or coalesce((select auth.role()), '') not in ('anon', 'authenticated')
  order by d.overdue desc, m.title, m.id
$function$;

CREATE OR REPLACE FUNCTION public.create_training_module (
  module jsonb
)
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.create_training_module(module)
  AS create_training_module;
END;

REVOKE ALL ON FUNCTION "public"."create_training_module"(jsonb) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.my_training()
  RETURNS TABLE (
    module_id              text,
    title                  text,
    category               public.training_category,
    difficulty             public.training_difficulty,
    estimated_duration     integer,
    version                integer,
    status                 text,
    due_at                 timestamp with time zone,
    certificate_id         text,
    certificate_expires_at timestamp with time zone,
    sections               integer,
    sections_read          text[]
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT t.module_id,
     t.title,
     t.category,
     t.difficulty,
     t.estimated_duration,
     t.version,
     t.status,
     t.due_at,
     t.certificate_id,
     t.certificate_expires_at,
     t.sections,
     t.sections_read
    FROM private.my_training(now())
      t(module_id, title, category, difficulty, estimated_duration, VERSION, status, due_at, certificate_id, certificate_expires_at, sections, sections_read);
END;

REVOKE ALL ON FUNCTION "public"."my_training"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.read_training_sections (
  module_id text,
  sections  text[]
)
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.read_training_sections(module_id, sections)
  AS read_training_sections;
END;

REVOKE ALL ON FUNCTION "public"."read_training_sections"(text, text[]) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.start_training_attempt (
  module_id text
)
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.start_training_attempt(module_id)
  AS start_training_attempt;
END;

REVOKE ALL ON FUNCTION "public"."start_training_attempt"(text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.submit_training_attempt (
  attempt_id text,
  answers    jsonb
)
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.submit_training_attempt(attempt_id, answers)
  AS submit_training_attempt;
END;

REVOKE ALL ON FUNCTION "public"."submit_training_attempt"(text, jsonb) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.training_statistics()
  RETURNS TABLE (
    module_id     text,
    title         text,
    version       integer,
    published     boolean,
    assigned      bigint,
    completed     bigint,
    in_progress   bigint,
    overdue       bigint,
    attempts      bigint,
    passed        bigint,
    average_score numeric
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT s.module_id,
     s.title,
     s.version,
     s.published,
     s.assigned,
     s.completed,
     s.in_progress,
     s.overdue,
     s.attempts,
     s.passed,
     s.average_score
    FROM private.training_statistics(now()) s(module_id, title, VERSION, published, assigned, completed, in_progress, overdue, attempts, passed, average_score);
END;

REVOKE ALL ON FUNCTION "public"."training_statistics"() FROM PUBLIC, "anon";

ALTER TABLE "private"."training_reminders"
  ADD CONSTRAINT "training_reminders_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."training_questions"
  ADD CONSTRAINT "training_questions_version_fkey" FOREIGN KEY (module_id, VERSION) REFERENCES private.training_versions(module_id, VERSION) ON DELETE CASCADE;

ALTER TABLE "public"."training_assignments"
  ADD CONSTRAINT "training_assignments_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."training_papers"
  ADD CONSTRAINT "training_papers_attempt_id_fkey" FOREIGN KEY (attempt_id) REFERENCES public.training_attempts(id) ON DELETE CASCADE;

ALTER TABLE "public"."training_attempts"
  ADD CONSTRAINT "training_attempts_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."training_attempts"
  ADD CONSTRAINT "training_attempts_version_fkey" FOREIGN KEY (module_id, VERSION) REFERENCES private.training_versions(module_id, VERSION) ON DELETE CASCADE;

ALTER TABLE "public"."training_certificates"
  ADD CONSTRAINT "training_certificates_attempt_id_fkey" FOREIGN KEY (attempt_id) REFERENCES public.training_attempts(id) ON DELETE CASCADE;

ALTER TABLE "public"."training_certificates"
  ADD CONSTRAINT "training_certificates_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."training_certificates"
  ADD CONSTRAINT "training_certificates_version_fkey" FOREIGN KEY (module_id, VERSION) REFERENCES private.training_versions(module_id, VERSION) ON DELETE CASCADE;

ALTER TABLE "public"."training_modules"
  ADD CONSTRAINT "training_modules_content_size" CHECK ((octet_length((content)::text) <= 500000));

ALTER TABLE "public"."training_modules"
  ADD CONSTRAINT "training_modules_estimated_duration_range" CHECK (((estimated_duration >= 1) AND (estimated_duration <= 600)));

ALTER TABLE "private"."training_reminders"
  ADD CONSTRAINT "training_reminders_module_id_fkey" FOREIGN KEY (module_id) REFERENCES public.training_modules(id) ON DELETE CASCADE;

ALTER TABLE "private"."training_versions"
  ADD CONSTRAINT "training_versions_module_id_fkey" FOREIGN KEY (module_id) REFERENCES public.training_modules(id) ON DELETE CASCADE;

ALTER TABLE "public"."training_assignments"
  ADD CONSTRAINT "training_assignments_module_id_fkey" FOREIGN KEY (module_id) REFERENCES public.training_modules(id) ON DELETE CASCADE;

ALTER TABLE "public"."training_modules"
  ADD CONSTRAINT "training_modules_version_positive" CHECK ((version > 0));

ALTER TABLE "public"."training_progress"
  ADD CONSTRAINT "training_progress_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "public"."training_progress"
  ADD CONSTRAINT "training_progress_version_fkey" FOREIGN KEY (module_id, VERSION) REFERENCES private.training_versions(module_id, VERSION) ON DELETE CASCADE;

CREATE VIEW "private"."training_due" WITH (security_invoker=true) AS  WITH assigned AS (
         SELECT a.module_id,
            a.user_id,
            a.created_at AS since,
            a.due_days
           FROM public.training_assignments a
          WHERE private.is_staff(a.user_id)
        UNION ALL
         SELECT a.module_id,
            r.user_id,
            GREATEST(a.created_at, r.created_at) AS "greatest",
            a.due_days
           FROM (public.training_assignments a
             JOIN public.user_roles r ON ((r.role = a.role)))
        ), earliest AS (
         SELECT DISTINCT ON (assigned.module_id, assigned.user_id) assigned.module_id,
            assigned.user_id,
            assigned.since,
            (assigned.since + ((assigned.due_days)::double precision * '24:00:00'::interval)) AS due_at
           FROM assigned
          ORDER BY assigned.module_id, assigned.user_id, (assigned.since + ((assigned.due_days)::double precision * '24:00:00'::interval))
        )
 SELECT e.user_id,
    m.id AS module_id,
    m.version,
        CASE
            WHEN (c.expires_at > e.due_at) THEN c.issued_at
            ELSE e.since
        END AS since,
    GREATEST(e.due_at, c.expires_at) AS due_at,
    c.id AS certificate_id,
    c.expires_at AS certificate_expires_at,
    p.started_at
   FROM ((((earliest e
     JOIN public.training_modules m ON (((m.id = e.module_id) AND m.published)))
     JOIN auth.users u ON (((u.id = e.user_id) AND (u.deleted_at IS NULL) AND ((u.banned_until IS NULL) OR (u.banned_until <= now())))))
     LEFT JOIN public.training_progress p ON (((p.user_id = e.user_id) AND (p.module_id = m.id) AND (p.version = m.version))))
     LEFT JOIN LATERAL ( SELECT c_1.id,
            c_1.issued_at,
            c_1.expires_at
           FROM public.training_certificates c_1
          WHERE ((c_1.user_id = e.user_id) AND (c_1.module_id = e.module_id))
          ORDER BY c_1.expires_at DESC
         LIMIT 1) c ON (true));

CREATE INDEX training_reminders_module_id_idx ON private.training_reminders USING btree (module_id);

CREATE INDEX training_assignments_user_id_idx ON public.training_assignments USING btree (user_id);

CREATE INDEX training_attempts_user_id_idx ON public.training_attempts USING btree (user_id, module_id, started_at);

CREATE INDEX training_attempts_version_idx ON public.training_attempts USING btree (module_id, VERSION);

CREATE INDEX training_certificates_user_id_idx ON public.training_certificates USING btree (user_id, module_id, expires_at);

CREATE INDEX training_certificates_version_idx ON public.training_certificates USING btree (module_id, VERSION);

CREATE INDEX training_progress_version_idx ON public.training_progress USING btree (module_id, VERSION);

CREATE CONSTRAINT TRIGGER audit_training
  AFTER INSERT OR DELETE OR UPDATE ON public.training_assignments DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_training();

CREATE TRIGGER guard_training_assignment
  BEFORE INSERT OR UPDATE OF user_id ON public.training_assignments
  FOR EACH ROW
  EXECUTE FUNCTION private.guard_training_assignment();

CREATE CONSTRAINT TRIGGER audit_training_grade
  AFTER UPDATE ON public.training_attempts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN (((old.submitted_at IS NULL) AND (new.submitted_at IS NOT NULL)))
  EXECUTE FUNCTION private.audit_training_grade();

CREATE TRIGGER assign_mandatory_training
  AFTER INSERT OR UPDATE ON public.training_modules
  FOR EACH ROW
  WHEN ((new.mandatory AND new.published))
  EXECUTE FUNCTION private.assign_mandatory_training();

CREATE CONSTRAINT TRIGGER audit_training
  AFTER INSERT OR DELETE OR UPDATE ON public.training_modules DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_training();

CREATE TRIGGER touch_updated_at
  BEFORE UPDATE ON public.training_modules
  FOR EACH ROW
  EXECUTE FUNCTION private.touch_updated_at();

CREATE POLICY "people see what they are assigned by name, security administrat" ON "public"."training_assignments"
  FOR SELECT
  TO "authenticated"
  USING (((user_id = ( SELECT private.current_account() AS current_account)) OR ( SELECT private.is_security_admin() AS is_security_admin)));

CREATE POLICY "security administrators assign modules" ON "public"."training_assignments"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (( SELECT private.is_security_admin() AS is_security_admin));

CREATE POLICY "security administrators change when modules are due" ON "public"."training_assignments"
  FOR UPDATE
  TO "authenticated"
  USING (( SELECT private.is_security_admin() AS is_security_admin))
  WITH CHECK (( SELECT private.is_security_admin() AS is_security_admin));

CREATE POLICY "security administrators withdraw assignments" ON "public"."training_assignments"
  FOR DELETE
  TO "authenticated"
  USING (( SELECT private.is_security_admin() AS is_security_admin));

CREATE POLICY "learners see their own attempts, security administrators all" ON "public"."training_attempts"
  FOR SELECT
  TO "authenticated"
  USING (((user_id = ( SELECT private.current_account() AS current_account)) OR ( SELECT private.is_security_admin() AS is_security_admin)));

CREATE POLICY "learners see their own certificates, security administrators al" ON "public"."training_certificates"
  FOR SELECT
  TO "authenticated"
  USING (((user_id = ( SELECT private.current_account() AS current_account)) OR ( SELECT private.is_security_admin() AS is_security_admin)));

CREATE POLICY "security administrators publish modules and make them mandatory" ON "public"."training_modules"
  FOR UPDATE
  TO "authenticated"
  USING (( SELECT private.is_security_admin() AS is_security_admin))
  WITH CHECK (( SELECT private.is_security_admin() AS is_security_admin));

CREATE POLICY "staff see published modules, security administrators all" ON "public"."training_modules"
  FOR SELECT
  TO "authenticated"
  USING (((published AND ( SELECT private.sees_training() AS sees_training)) OR ( SELECT private.is_security_admin() AS is_security_admin)));

CREATE POLICY "learners see their own progress, security administrators all" ON "public"."training_progress"
  FOR SELECT
  TO "authenticated"
  USING (((user_id = ( SELECT private.current_account() AS current_account)) OR ( SELECT private.is_security_admin() AS is_security_admin)));

COMMENT ON COLUMN "private"."training_papers"."answers" IS 'The options that were chosen, by question; null until it is submitted.';

COMMENT ON COLUMN "private"."training_papers"."attempt_id" IS 'The attempt.';

COMMENT ON COLUMN "private"."training_papers"."questions" IS 'Its questions in their order: [{id, prompt, choose, options: [{id, text}]}].';

COMMENT ON COLUMN "private"."training_questions"."correct" IS 'Ids of the options that are right, all of which have to be chosen and no other; sorted.';

COMMENT ON COLUMN "private"."training_questions"."id" IS 'The question, random, so that it tells nothing.';

COMMENT ON COLUMN "private"."training_questions"."module_id" IS 'The module.';

COMMENT ON COLUMN "private"."training_questions"."options" IS 'What can be chosen: [{id, text}], with random ids.';

COMMENT ON COLUMN "private"."training_questions"."prompt" IS 'What is asked.';

COMMENT ON COLUMN "private"."training_questions"."version" IS 'Its version.';

COMMENT ON COLUMN "private"."training_reminders"."days_before" IS 'How many days before: 7, 3 or 1.';

COMMENT ON COLUMN "private"."training_reminders"."due_at" IS 'The date that is reminded of.';

COMMENT ON COLUMN "private"."training_reminders"."message_id" IS 'The email; null when a later reminder was reached by then, which was sent alone.';

COMMENT ON COLUMN "private"."training_reminders"."module_id" IS 'The module.';

COMMENT ON COLUMN "private"."training_reminders"."reached_at" IS 'When it was found to be reached.';

COMMENT ON COLUMN "private"."training_reminders"."user_id" IS 'The learner.';

COMMENT ON COLUMN "private"."training_versions"."content" IS 'What is read, as in public.training_modules.';

COMMENT ON COLUMN "private"."training_versions"."created_at" IS 'When it was stored.';

COMMENT ON COLUMN "private"."training_versions"."module_id" IS 'The module.';

COMMENT ON COLUMN "private"."training_versions"."pass_score" IS 'Percent of the questions that have to be answered right.';

COMMENT ON COLUMN "private"."training_versions"."questions_per_attempt" IS 'Questions that an attempt asks, drawn from the bank.';

COMMENT ON COLUMN "private"."training_versions"."title" IS 'Its title.';

COMMENT ON COLUMN "private"."training_versions"."version" IS 'The version, from 1.';

COMMENT ON COLUMN "public"."training_assignments"."created_at" IS 'When it was assigned.';

COMMENT ON COLUMN "public"."training_assignments"."due_days" IS 'Days of 24 hours until it is due, from the assignment or, if that is later, from when the person got the role.';

COMMENT ON COLUMN "public"."training_assignments"."id" IS 'The assignment.';

COMMENT ON COLUMN "public"."training_assignments"."module_id" IS 'The module.';

COMMENT ON COLUMN "public"."training_assignments"."role" IS 'The role; null when it is for a person.';

COMMENT ON COLUMN "public"."training_assignments"."user_id" IS 'The person; null when it is for a role.';

COMMENT ON COLUMN "public"."training_attempts"."correct" IS 'Number of questions that were answered right.';

COMMENT ON COLUMN "public"."training_attempts"."expires_at" IS 'Until when it can be submitted.';

COMMENT ON COLUMN "public"."training_attempts"."id" IS 'The attempt.';

COMMENT ON COLUMN "public"."training_attempts"."module_id" IS 'The module.';

COMMENT ON COLUMN "public"."training_attempts"."passed" IS 'Whether that is the pass score or more.';

COMMENT ON COLUMN "public"."training_attempts"."questions" IS 'Number of questions that it asks.';

COMMENT ON COLUMN "public"."training_attempts"."score" IS 'Percent of the questions that were answered right.';

COMMENT ON COLUMN "public"."training_attempts"."started_at" IS 'When the questions were drawn.';

COMMENT ON COLUMN "public"."training_attempts"."submitted_at" IS 'When it was submitted; null while it is open, and for one that was never submitted.';

COMMENT ON COLUMN "public"."training_attempts"."user_id" IS 'The learner.';

COMMENT ON COLUMN "public"."training_attempts"."version" IS 'The version that the questions are of, and that grades it.';

COMMENT ON COLUMN "public"."training_certificates"."attempt_id" IS 'The attempt that passed.';

COMMENT ON COLUMN "public"."training_certificates"."expires_at" IS 'Until when it counts: 365 days of 24 hours later.';

COMMENT ON COLUMN "public"."training_certificates"."id" IS 'The certificate.';

COMMENT ON COLUMN "public"."training_certificates"."issued_at" IS 'When they passed.';

COMMENT ON COLUMN "public"."training_certificates"."module_id" IS 'The module.';

COMMENT ON COLUMN "public"."training_certificates"."score" IS 'Its score, percent.';

COMMENT ON COLUMN "public"."training_certificates"."user_id" IS 'The learner.';

COMMENT ON COLUMN "public"."training_certificates"."version" IS 'The version that they passed.';

COMMENT ON COLUMN "public"."training_modules"."assessments" IS 'How it is assessed: {pass_score, questions_per_attempt, questions}, in percent, per attempt, and in the bank.';

COMMENT ON COLUMN "public"."training_modules"."category" IS 'What it is about.';

COMMENT ON COLUMN "public"."training_modules"."content" IS 'What is read: {sections: [{id, title, text}]}, the text in Markdown.';

COMMENT ON COLUMN "public"."training_modules"."created_at" IS 'When the first version was stored.';

COMMENT ON COLUMN "public"."training_modules"."difficulty" IS 'How much it presupposes.';

COMMENT ON COLUMN "public"."training_modules"."estimated_duration" IS 'Minutes that reading it takes.';

COMMENT ON COLUMN "public"."training_modules"."id" IS 'The module, such as trn_hipaa_fundamentals.';

COMMENT ON COLUMN "public"."training_modules"."mandatory" IS 'Whether all staff have to take it: publishing it assigns it to each of their roles.';

COMMENT ON COLUMN "public"."training_modules"."published" IS 'Whether staff see and take it.';

COMMENT ON COLUMN "public"."training_modules"."title" IS 'Title.';

COMMENT ON COLUMN "public"."training_modules"."updated_at" IS 'When the row was last changed.';

COMMENT ON COLUMN "public"."training_modules"."version" IS 'Current version, from 1.';

COMMENT ON COLUMN "public"."training_progress"."module_id" IS 'The module.';

COMMENT ON COLUMN "public"."training_progress"."sections_read" IS 'Ids of the sections that they marked as read.';

COMMENT ON COLUMN "public"."training_progress"."started_at" IS 'When they marked the first one.';

COMMENT ON COLUMN "public"."training_progress"."updated_at" IS 'When they marked the last one.';

COMMENT ON COLUMN "public"."training_progress"."user_id" IS 'The learner.';

COMMENT ON COLUMN "public"."training_progress"."version" IS 'Its version.';

COMMENT ON FUNCTION "private"."add_training_version"(text, jsonb, integer, integer) IS 'Stores the current version of a module with its questions: [{prompt, options: [{text, correct}]}]. Called by private.store_training_module.';

COMMENT ON FUNCTION "private"."assign_mandatory_training"() IS 'Trigger: a mandatory module that is published is assigned to every role of staff.';

COMMENT ON FUNCTION "private"."audit_training"() IS 'Trigger: logs changes of modules and assignments, before and after.';

COMMENT ON FUNCTION "private"."audit_training_grade"() IS 'Trigger: logs attempts that were graded.';

COMMENT ON FUNCTION "private"."create_training_module"(jsonb) IS 'Implementation of public.create_training_module, which calls it.';

COMMENT ON FUNCTION "private"."guard_training_assignment"() IS 'Trigger: only members of staff are assigned a module.';

COMMENT ON FUNCTION "private"."is_staff"(uuid) IS 'Whether an account has a role other than student. Called by the functions of training.';

COMMENT ON FUNCTION "private"."my_training"(timestamp with time zone) IS 'Implementation of public.my_training, which calls it; at another time for the tests.';

COMMENT ON FUNCTION "private"."open_training"(text) IS 'A published module, for a caller who is a member of staff; an error for others. Called by the functions with which people learn.';

COMMENT ON FUNCTION "private"."read_training_sections"(text, text[]) IS 'Implementation of public.read_training_sections, which calls it.';

COMMENT ON FUNCTION "private"."remind_of_training"(timestamp with time zone) IS 'Queues emails to those whose training is due in 7, 3 or 1 days, each once for a due date. Called by cron.';

COMMENT ON FUNCTION "private"."require_security_admin"() IS 'An error unless the caller is a security administrator. Called by the functions of training.';

COMMENT ON FUNCTION "private"."sees_training"() IS 'Whether the caller is a member of staff. Called by policies.';

COMMENT ON FUNCTION "private"."ship_training_module"(jsonb, integer) IS 'Stores a module that comes with the service, unless this version or one that was made here is there already. Called by migrations.';

COMMENT ON FUNCTION "private"."start_training_attempt"(text) IS 'Implementation of public.start_training_attempt, which calls it.';

COMMENT ON FUNCTION "private"."store_training_module"(jsonb) IS 'Stores a module, or the next version of the one with this id: {id?, title, category, difficulty, estimated_duration, mandatory?, published?, content: {sections: [{title, text}]}, assessments: {pass_score, questions_per_attempt, questions: [{prompt, options: [{text, correct}]}]}}. Called by private.create_training_module and private.ship_training_module.';

COMMENT ON FUNCTION "private"."submit_training_attempt"(text, jsonb) IS 'Implementation of public.submit_training_attempt, which calls it.';

COMMENT ON FUNCTION "private"."training_statistics"(timestamp with time zone) IS 'Implementation of public.training_statistics, which calls it; at another time for the tests.';

COMMENT ON FUNCTION "public"."create_training_module"(jsonb) IS 'Stores a new module, or with an id the next version of that one; the argument is as private.store_training_module says. Returns {id, title, category, difficulty, estimated_duration, mandatory, assessments, published, version}. Called by security administrators.';

COMMENT ON FUNCTION "public"."my_training"() IS 'What the caller may learn, what is due first: status assigned, in_progress, completed (until the certificate expires), overdue or optional. Called by staff; no row for others.';

COMMENT ON FUNCTION "public"."read_training_sections"(text, text[]) IS 'Marks sections of a module as read by the caller: {module_id, version, sections_read, sections}. Called by staff; an error of code training_not_found for others.';

COMMENT ON FUNCTION "public"."start_training_attempt"(text) IS 'Draws questions, or returns those of the attempt that is open: {attempt_id, module_id, version, title, pass_score, started_at, expires_at, questions: [{id, prompt, choose, options: [{id, text}]}]}. An attempt can be submitted for 2 hours; three a day. Called by staff; an error of code training_not_found for others.';

COMMENT ON FUNCTION "public"."submit_training_attempt"(text, jsonb) IS 'Grades an attempt, once: {question id: [option ids]}; a question that is not answered is wrong. Returns {attempt_id, module_id, version, questions, correct, score, pass_score, passed, certificate: {id, issued_at, expires_at} or null}, and never which answers are right. Called by the learner; an error of code training_not_found for others.';

COMMENT ON FUNCTION "public"."training_statistics"() IS 'How many people each module is assigned to, how many of them have a certificate that counts, have begun, or are overdue, and how attempts went. Called by security administrators and the secret key; no row for others.';

COMMENT ON TABLE "private"."training_papers" IS 'What each attempt asked and what was answered. Not exposed: the answers of somebody who passed are right ones.';

COMMENT ON TABLE "private"."training_questions" IS 'The bank of questions of each version, with their answers, which nothing gives out: attempts are graded here.';

COMMENT ON TABLE "private"."training_reminders" IS 'Which reminders of a due date were reached, so that each is sent once.';

COMMENT ON TABLE "private"."training_versions" IS 'Each version of each module, as it was when somebody took it. Never changed: another content is another version.';

COMMENT ON TABLE "public"."training_assignments" IS 'Who has to take which module: a member of staff, or everybody with a role, now and later.';

COMMENT ON TABLE "public"."training_attempts" IS 'Each attempt at the questions of a module, whatever became of it.';

COMMENT ON TABLE "public"."training_certificates" IS 'Who passed which version of a module, and until when that counts.';

COMMENT ON TABLE "public"."training_modules" IS 'What staff are trained with, each module in its current version. Questions are in private.training_questions, where no learner and no administrator reads their answers.';

COMMENT ON TABLE "public"."training_progress" IS 'What somebody has read of a version of a module; deleted when they pass, so that the next time begins anew.';

COMMENT ON TYPE "public"."training_category" IS 'What a training module is about.';

COMMENT ON TYPE "public"."training_difficulty" IS 'How much a training module presupposes.';

COMMENT ON VIEW "private"."training_due" IS 'Who has to take which module, until when (due_at) and from when on they could know (since); with the last certificate and, where the module was begun, when. What is overdue has a due_at that is over.';

REVOKE ALL ON FUNCTION "private"."add_training_version"(text, jsonb, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."add_training_version"(text, jsonb, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."add_training_version"(text, jsonb, integer, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."assign_mandatory_training"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."assign_mandatory_training"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."assign_mandatory_training"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_training"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_training"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_training"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_training_grade"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_training_grade"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_training_grade"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."create_training_module"(jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."create_training_module"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."create_training_module"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."create_training_module"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."guard_training_assignment"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guard_training_assignment"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."guard_training_assignment"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_staff"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_staff"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_staff"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."my_training"(timestamp WITH time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_training"(timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."my_training"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."my_training"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."open_training"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_training"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."open_training"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."read_training_sections"(text, text[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."read_training_sections"(text, text[]) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."read_training_sections"(text, text[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."read_training_sections"(text, text[]) TO "postgres";

REVOKE ALL ON FUNCTION "private"."remind_of_training"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remind_of_training"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."remind_of_training"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."require_security_admin"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_security_admin"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."require_security_admin"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."sees_training"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."sees_training"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."sees_training"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."sees_training"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."ship_training_module"(jsonb, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."ship_training_module"(jsonb, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."ship_training_module"(jsonb, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."start_training_attempt"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."start_training_attempt"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."start_training_attempt"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."start_training_attempt"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."store_training_module"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."store_training_module"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."store_training_module"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."submit_training_attempt"(text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."submit_training_attempt"(text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."submit_training_attempt"(text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."submit_training_attempt"(text, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."training_statistics"(timestamp WITH time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."training_statistics"(timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."training_statistics"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."training_statistics"(timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."training_statistics"(timestamp WITH time zone) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."create_training_module"(jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."create_training_module"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."create_training_module"(jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."my_training"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."my_training"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."my_training"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_training_sections"(text, text[]) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."read_training_sections"(text, text[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."read_training_sections"(text, text[]) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."start_training_attempt"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."start_training_attempt"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."start_training_attempt"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."submit_training_attempt"(text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."submit_training_attempt"(text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."submit_training_attempt"(text, jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."training_statistics"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."training_statistics"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."training_statistics"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."training_statistics"() TO "service_role";

REVOKE ALL ON TABLE "public"."training_assignments" FROM "authenticated";

REVOKE ALL ("due_days") ON TABLE "public"."training_assignments" FROM "authenticated";

GRANT INSERT ("due_days"), UPDATE ("due_days") ON TABLE "public"."training_assignments" TO "authenticated";

REVOKE ALL ("module_id") ON TABLE "public"."training_assignments" FROM "authenticated";

GRANT INSERT ("module_id") ON TABLE "public"."training_assignments" TO "authenticated";

REVOKE ALL ("role") ON TABLE "public"."training_assignments" FROM "authenticated";

GRANT INSERT ("role") ON TABLE "public"."training_assignments" TO "authenticated";

REVOKE ALL ("user_id") ON TABLE "public"."training_assignments" FROM "authenticated";

GRANT INSERT ("user_id") ON TABLE "public"."training_assignments" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."training_assignments" TO "authenticated";

REVOKE ALL ON TABLE "public"."training_assignments" FROM "service_role";

GRANT SELECT ON TABLE "public"."training_assignments" TO "service_role";

REVOKE ALL ON TABLE "public"."training_attempts" FROM "authenticated";

GRANT SELECT ON TABLE "public"."training_attempts" TO "authenticated";

REVOKE ALL ON TABLE "public"."training_attempts" FROM "service_role";

GRANT SELECT ON TABLE "public"."training_attempts" TO "service_role";

REVOKE ALL ON TABLE "public"."training_certificates" FROM "authenticated";

GRANT SELECT ON TABLE "public"."training_certificates" TO "authenticated";

REVOKE ALL ON TABLE "public"."training_certificates" FROM "service_role";

GRANT SELECT ON TABLE "public"."training_certificates" TO "service_role";

REVOKE ALL ON TABLE "public"."training_modules" FROM "authenticated";

REVOKE ALL ("mandatory") ON TABLE "public"."training_modules" FROM "authenticated";

GRANT UPDATE ("mandatory") ON TABLE "public"."training_modules" TO "authenticated";

REVOKE ALL ("published") ON TABLE "public"."training_modules" FROM "authenticated";

GRANT UPDATE ("published") ON TABLE "public"."training_modules" TO "authenticated";

GRANT SELECT ON TABLE "public"."training_modules" TO "authenticated";

REVOKE ALL ON TABLE "public"."training_modules" FROM "service_role";

GRANT SELECT ON TABLE "public"."training_modules" TO "service_role";

REVOKE ALL ON TABLE "public"."training_progress" FROM "authenticated";

GRANT SELECT ON TABLE "public"."training_progress" TO "authenticated";

REVOKE ALL ON TABLE "public"."training_progress" FROM "service_role";

GRANT SELECT ON TABLE "public"."training_progress" TO "service_role";

SELECT cron.schedule_in_database('remind-of-training', '*/10 * * * *', 'select private.remind_of_training(now())', 'postgres', NULL, true);

ALTER TABLE "public"."training_assignments"
  ADD CONSTRAINT "training_assignments_assigned_by_fkey" FOREIGN KEY (assigned_by) REFERENCES auth.users(id) ON DELETE SET NULL;

CREATE INDEX training_assignments_assigned_by_idx ON public.training_assignments USING btree (assigned_by);

COMMENT ON COLUMN "public"."training_assignments"."assigned_by" IS 'The security administrator; null when publishing a mandatory module did it.';

-- No policies: this file holds rows, not tables.

-- Rows that the schema needs. Each statement can be run again; every migration ends with them, because a diff contains no rows.
insert into private.audit_head default values on conflict do nothing;
insert into private.audit_proof default values on conflict do nothing;
insert into private.cohort_settings default values on conflict do nothing;
insert into private.pipeline_settings default values on conflict do nothing;
insert into private.messaging_settings default values on conflict do nothing;
insert into private.student_limits default values on conflict do nothing;
insert into private.support_settings default values on conflict do nothing;
select vault.create_secret(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'number_hash_key')
where not exists (select from vault.secrets where name = 'number_hash_key');
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

select cron.schedule('dispatch-due-jobs', '5 seconds', 'select private.dispatch_due_jobs()');
select cron.schedule('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()');
select cron.schedule('dispatch-due-messages', '10 seconds', 'select private.dispatch_due_messages()');
select cron.schedule('dispatch-due-object-removals', '10 seconds', 'select private.dispatch_due_object_removals()');
select cron.schedule('daily-rollup', '12 * * * *', $$ select private.roll_up_days((now() at time zone 'UTC')::date - 1) $$);
select cron.schedule('purge-rate-limit-uses', '47 3 * * *', 'select private.purge_rate_limit_uses()');
select cron.schedule('purge-sent-messages', '27 3 * * *', 'select private.purge_sent_messages()');
select cron.schedule('purge-declined-contacts', '57 3 * * *', 'select private.purge_declined_contacts()');
select cron.schedule('purge-inbound-texts', '32 3 * * *', 'select private.purge_inbound_texts()');
select cron.schedule('purge-transcript-results', '37 3 * * *', 'select private.purge_transcript_results()');
select cron.schedule('verify-audit-log', '*/10 * * * *', 'select public.verify_audit_chain()');
select cron.schedule('send-review-digests', '22 * * * *', 'select private.send_review_digests()');
select cron.schedule('tick-support-alerts', '* * * * *', 'select private.tick_support_alerts(now())');
select cron.schedule('remind-of-training', '*/10 * * * *', 'select private.remind_of_training(now())');
select cron.schedule('find-standstills', '*/5 * * * *', 'select private.find_standstills(now())');
select cron.schedule('purge-worrying-days', '7 3 * * *', 'select private.purge_worrying_days()');
select cron.schedule(
  'purge-cron-runs',
  '17 3 * * *',
  $$ delete from cron.job_run_details where end_time < now() - interval '7 days' $$
);

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
-- the migrated database has. Terms of retention are settings, so those that exist are left as they are.
insert into private.retention_rules (kind, keep, starts)
values
  ('raw_media', '30 days', 'Recordings and pictures: from the end of the check-in.'),
  ('unfinished_uploads', '2 days', 'Files that no check-in was submitted with, or that belong to no row: from the upload.'),
  ('transcripts', '90 days', 'Transcripts of check-ins: from the end of the check-in.'),
  ('transcript_results', '90 days', 'What the language model made of a transcript: from the analysis.'),
  ('results', '3 years', 'Check-ins and sessions with their features and scores: from the start.'),
  ('clinical_reviews', '3 years', 'Reviews: from their closing.'),
  ('worrying_days', '30 days', 'Days with risk: from the day; no pattern looks back further.'),
  ('support_history', '3 years', 'Alerts, requests, links, verifications: from when each began.'),
  ('declined_contacts', '30 days', 'Contacts who declined, with phone and email: from their answer.'),
  ('inbound_texts', '1 year', 'That a text came in, not what it said: from its arrival.'),
  ('sent_messages', '30 days', 'Emails and texts that were sent or cancelled: from then.'),
  ('undelivered_messages', '90 days', 'Emails and texts that could not be sent: from the last attempt.'),
  ('channel_messages', '3 days', 'Messages of Realtime: from their sending.'),
  ('rate_limit_uses', '1 day', 'How often somebody called: from the last call.'),
  ('logged_accesses', '1 day', 'That a read was logged and may happen: from the entry.'),
  ('sign_in_log', '90 days', 'What Auth logs of sign-ins: from the sign-in.'),
  ('cron_runs', '7 days', 'Runs of scheduled jobs: from their end.'),
  ('audit_log', '6 years', 'Entries of the audit log: from their writing.')
on conflict do nothing;

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
  ('relation', 'public', 'consents', '{id, user_id, kind, version, granted_at, withdrawn_at}', 'student', 'choices',
    'To know what the student agreed to, in which version, and when.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'students', '{user_id, university_id, faculty, year_of_study, residence, counselor_access, check_ins,
    last_check_in_at, last_score, last_uncertainty, last_direction_of_change, risk_level, created_at, updated_at}', 'student',
    'health', 'Enrolment and the result of the last check-in, for counselors with the student''s consent.', 't.user_id = $1',
    'delete', null, null),
  ('relation', 'private', 'logged_accesses', '{reader, action, arguments_sha256, logged_at}', 'staff', 'activity',
    'To let a read happen only after it was logged.', 't.reader = $1', 'delete', null, 'logged_accesses'),
  ('relation', 'private', 'rate_limit_uses', '{subject, scope, used_at}', 'account', 'activity',
    'To limit how often one person calls.', 't.subject = $1', 'delete', null, 'rate_limit_uses'),
  -- Universities and settings
  ('relation', 'public', 'universities', '{id, name, short_name, domain, logo_url, primary_color, secondary_color, features_enabled,
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
    standstill_after, longest_student_pause, day_begins, day_ends, keep_declined}', 'nobody', null,
    'Settings of the support circle.', null, null, null, null),
  ('relation', 'private', 'student_limits', '{only_row, sessions, session_bytes, consents, files, file_bytes, check_in_bytes}',
    'nobody', null, 'Settings: how much an account may store.', null, null, null, null),
  ('relation', 'private', 'pipeline_settings', '{only_row, lease, transcription_lease, dispatch_grace, retry_backoff, max_attempts,
    max_in_flight, fail_after}', 'nobody', null, 'Settings of the pipeline.', null, null, null, null),
  ('relation', 'private', 'messaging_settings', '{only_row, lease, retry_backoff, longest_backoff, max_attempts, keep_sent,
    keep_inbound, review_digest_after}', 'nobody', null, 'Settings of the outbox.', null, null, null, null),
  ('relation', 'private', 'cohort_settings', '{only_row, smallest_cohort, aggregated_through}', 'nobody', null,
    'Settings and progress of the daily rollup.', null, null, null, null),
  ('relation', 'private', 'rate_limit_rules', '{scope, requests, period, daily_requests}', 'nobody', null,
    'Settings: how often one person may call.', null, null, null, null),
  ('relation', 'private', 'retention_rules', '{kind, keep, starts}', 'nobody', null, 'Settings: how long data is kept.', null, null,
    null, null),
  ('relation', 'private', 'personal_data', '{store, schema_name, relation_name, columns, whose, content, purpose, belongs_to,
    erasure, reason, retention}', 'nobody', null, 'This inventory.', null, null, null, null),
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
    conversation_duration, missing}', 'student', 'health',
    'What the student submitted besides media, and what the crisis check found.',
    't.check_in_id in (select c.id from checkin.check_ins c where c.user_id = $1)', 'delete', null, 'results'),
  ('relation', 'private', 'check_in_media', '{check_in_id, path, kind, ordinal, etag, bytes, info}', 'student', 'voice_and_image',
    'To find the recordings and pictures, and to reject those that have changed.',
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
  ('relation', 'public', 'buddy_contacts', '{name, phone, email, relationship, time_zone, texts_at_night}', 'support_contact',
    'contact_details', 'To ask the people whom the student named to check on them.', 't.user_id = $1', 'delete', null,
    'declined_contacts'),
  ('relation', 'public', 'buddy_contacts', '{id, user_id, notify_channel, is_active, priority_rank, verified, verification_token,
    verification_token_expires_at, verified_at, declined_at, phone_confirmed_at, confirmation_tries, created_at, updated_at}',
    'student', 'choices', 'Whom the student named, in which order, and what they agreed to.', 't.user_id = $1', 'delete', null,
    'declined_contacts'),
  ('relation', 'public', 'support_preferences', '{user_id, alerts_paused_until, pass_on_all_right}', 'student', 'choices',
    'What the student chose for alerts about them.', 't.user_id = $1', 'delete', null, null),
  ('relation', 'public', 'buddy_verification_audit', '{id, buddy_contact_id, user_id, event_type, ip_address, user_agent, metadata,
    created_at}', 'support_contact', 'activity', 'Proof of what a contact agreed to, as carriers ask for it.', 't.user_id = $1',
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
    't.user_id = $1 or t.recipient = (select u.email from auth.users u where u.id = $1)', 'delete', null, 'sent_messages'),
  ('queue', 'net', 'http_request_queue', '{*}', 'nobody', null, 'Webhooks that announce work by its id, until they are sent.', null,
    null, null, null),
  ('relation', 'net', '_http_response', '{*}', 'nobody', null,
    'How functions answered webhooks: numbers and codes. pg_net deletes them after 6 hours.', null, null, null, null),
  ('relation', 'cron', 'job', '{*}', 'nobody', null, 'Which jobs run when.', null, null, null, null),
  ('relation', 'cron', 'job_run_details', '{*}', 'nobody', null, 'When jobs ran, and how they ended.', null, null, null,
    'cron_runs'),
  ('relation', 'realtime', 'messages', '{*}', 'student', 'health', 'Progress and results, for the app that listens.',
    't.topic = ''support:'' || $1::text or t.topic in (select ''check-in:'' || c.id from checkin.check_ins c where c.user_id = $1) or t.topic in (select ''assessment:'' || s.id from public.assessment_sessions s where s.user_id = $1)',
    'delete', null, 'channel_messages'),
  ('relation', 'realtime', 'subscription', '{*}', 'nobody', null,
    'Which changes connected clients listen to, while they are connected.', null, null, null, null),
  ('relation', 'realtime', 'schema_migrations', '{*}', 'nobody', null, 'The platform''s own migrations.', null, null, null, null),
  -- Audit log
  ('relation', 'public', 'audit_logs', '{id, occurred_at, action, actor_id, actor_role, university_id, target_type, target_id,
    before, after, details, ip, user_agent, request_id, previous_hash, hash}', 'account', 'activity',
    'Proof of who did what, and of who read whose data.', 't.actor_id = $1 or t.target_id = $1::text', 'keep',
    'Proof that nothing was read or changed in secret must outlive the account; kept for the term of the audit log.', 'audit_log'),
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
    't.owner_id = $1::text', 'delete', null, 'unfinished_uploads'),
  ('relation', 'storage', 's3_multipart_uploads_parts', '{*}', 'account', 'activity', 'Parts of uploads that are not finished.',
    't.owner_id = $1::text', 'delete', null, 'unfinished_uploads'),
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
    't.payload ->> ''actor_id'' = $1::text', 'delete', null, 'sign_in_log'),
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
  -- Platform
  ('relation', 'vault', 'secrets', '{*}', 'nobody', null, 'The project''s own secrets, encrypted.', null, null, null, null),
  ('relation', 'vault', 'local_key', '{*}', 'nobody', null, 'The key of the local stack''s vault.', null, null, null, null),
  ('relation', 'supabase_migrations', 'schema_migrations', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null,
    null),
  ('relation', 'supabase_migrations', 'seed_files', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null),
  ('relation', 'supabase_functions', 'hooks', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null),
  ('relation', 'supabase_functions', 'migrations', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null);
