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
  CONSTRAINT "training_modules_title_form" CHECK (((char_length(title) >= 1) AND (char_length(title) <= 200) AND (title !~ '[[:cntrl:]]'::text)))
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
  return null;
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

CREATE OR REPLACE FUNCTION private.require_staff()
  RETURNS uuid
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  account constant uuid := private.current_account();
begin
  if not private.is_staff(account) then
    raise exception 'Training is for staff.' using errcode = 'insufficient_privilege';
  end if;
  return account;
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
  set submitted_at = now(),
    correct = graded.correct,
    score = round(100.0 * graded.correct / a.questions, 2),
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
  AFTER INSERT OR UPDATE OF user_id ON public.training_assignments
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

COMMENT ON COLUMN "private"."outbox"."user_id" IS 'The person it is about; the message is deleted with the account.';

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

COMMENT ON FUNCTION "private"."open_training"(text) IS 'A published module, for a caller who is a member of staff; an error for others and where there is none. Called by the functions with which people learn.';

COMMENT ON FUNCTION "private"."read_training_sections"(text, text[]) IS 'Implementation of public.read_training_sections, which calls it.';

COMMENT ON FUNCTION "private"."remind_of_training"(timestamp with time zone) IS 'Queues emails to those whose training is due in 7, 3 or 1 days, each once for a due date. Called by cron.';

COMMENT ON FUNCTION "private"."require_security_admin"() IS 'An error unless the caller is a security administrator. Called by the functions of training.';

COMMENT ON FUNCTION "private"."require_staff"() IS 'The caller''s account; an error unless it is a member of staff. Called by the functions with which people learn.';

COMMENT ON FUNCTION "private"."sees_training"() IS 'Whether the caller is a member of staff. Called by policies.';

COMMENT ON FUNCTION "private"."ship_training_module"(jsonb, integer) IS 'Stores a module that comes with the service, unless this version or one that was made here is there already. Called by migrations.';

COMMENT ON FUNCTION "private"."start_training_attempt"(text) IS 'Implementation of public.start_training_attempt, which calls it.';

COMMENT ON FUNCTION "private"."store_training_module"(jsonb) IS 'Stores a module, or the next version of the one with this id: {id?, title, category, difficulty, estimated_duration, mandatory?, published?, content: {sections: [{title, text}]}, assessments: {pass_score, questions_per_attempt, questions: [{prompt, options: [{text, correct}]}]}}. Called by private.create_training_module and private.ship_training_module.';

COMMENT ON FUNCTION "private"."submit_training_attempt"(text, jsonb) IS 'Implementation of public.submit_training_attempt, which calls it.';

COMMENT ON FUNCTION "private"."training_statistics"(timestamp with time zone) IS 'Implementation of public.training_statistics, which calls it; at another time for the tests.';

COMMENT ON FUNCTION "public"."create_training_module"(jsonb) IS 'Stores a new module, or with an id the next version of that one; the argument is as private.store_training_module says. Returns {id, title, category, difficulty, estimated_duration, mandatory, assessments, published, version}. Called by security administrators.';

COMMENT ON FUNCTION "public"."my_training"() IS 'What the caller may learn, what is due first: status assigned, in_progress, completed (until the certificate expires), overdue or optional. Called by staff; no row for others.';

COMMENT ON FUNCTION "public"."read_training_sections"(text, text[]) IS 'Marks sections of a module as read by the caller: {module_id, version, sections_read, sections}. Called by staff.';

COMMENT ON FUNCTION "public"."start_training_attempt"(text) IS 'Draws questions, or returns those of the attempt that is open: {attempt_id, module_id, version, title, pass_score, started_at, expires_at, questions: [{id, prompt, choose, options: [{id, text}]}]}. An attempt can be submitted for 2 hours; three a day. Called by staff.';

COMMENT ON FUNCTION "public"."submit_training_attempt"(text, jsonb) IS 'Grades an attempt, once: {question id: [option ids]}; a question that is not answered is wrong. Returns {attempt_id, module_id, version, questions, correct, score, pass_score, passed, certificate: {id, issued_at, expires_at} or null}, and never which answers are right. Called by the learner, a member of staff.';

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

REVOKE ALL ON FUNCTION "private"."require_staff"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_staff"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."require_staff"() TO "postgres";

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

alter table public.training_assignments alter column user_id set statistics 0;
alter table public.training_progress alter column user_id set statistics 0;
alter table public.training_attempts alter column user_id set statistics 0;
alter table public.training_certificates alter column user_id set statistics 0;

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

select cron.schedule('dispatch-due-jobs', '5 seconds', 'select private.dispatch_due_jobs()');
select cron.schedule('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()');
select cron.schedule('dispatch-due-messages', '10 seconds', 'select private.dispatch_due_messages()');
select cron.schedule('dispatch-due-exports', '10 seconds', 'select private.dispatch_due_exports()');
select cron.schedule('dispatch-due-object-removals', '10 seconds', 'select private.dispatch_due_object_removals()');
select cron.schedule('advance-erasures', '10 seconds', 'select private.advance_erasures()');
select cron.schedule('daily-rollup', '12 * * * *', $$ select private.roll_up_days((now() at time zone 'UTC')::date - 1) $$);
select cron.schedule('verify-audit-log', '*/10 * * * *', 'select public.verify_audit_chain()');
select cron.schedule('send-review-digests', '22 * * * *', 'select private.send_review_digests()');
select cron.schedule('tick-support-alerts', '* * * * *', 'select private.tick_support_alerts(now())');
select cron.schedule('remind-of-training', '*/10 * * * *', 'select private.remind_of_training(now())');
select cron.schedule('find-standstills', '*/5 * * * *', 'select private.find_standstills(now())');
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
  ('sign_in_log', '90 days', 'What Auth logs of sign-ins, and addresses of failed ones: from the sign-in.'),
  ('cron_runs', '7 days', 'Runs of scheduled jobs: from their end.'),
  ('exports', '7 days', 'Files of an export: from when it is ready.'),
  ('export_records', '90 days', 'That somebody asked for an export: from its end.'),
  ('audit_log', '6 years', 'Who the people of the audit log''s entries are: from their writing. The entries stay, without people.')
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
  ('relation', 'private', 'retention_rules', '{kind, keep, starts}', 'nobody', null, 'Settings: how long data is kept.', null, null,
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
  -- Platform
  ('relation', 'vault', 'secrets', '{*}', 'nobody', null, 'The project''s own secrets, encrypted.', null, null, null, null),
  ('relation', 'vault', 'local_key', '{*}', 'nobody', null, 'The key of the local stack''s vault.', null, null, null, null),
  ('relation', 'supabase_migrations', 'schema_migrations', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null,
    null),
  ('relation', 'supabase_migrations', 'seed_files', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null),
  ('relation', 'supabase_functions', 'hooks', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null),
  ('relation', 'supabase_functions', 'migrations', '{*}', 'nobody', null, 'The platform''s own records.', null, null, null, null);


-- No policies: this file holds rows, not tables. Made from training/ by `npm run training`; the last migration that has these rows
-- has them as they are here.
select private.ship_training_module($module$
{
 "id": "trn_hipaa_fundamentals",
 "title": "HIPAA Fundamentals",
 "category": "hipaa_compliance",
 "difficulty": "beginner",
 "estimated_duration": 30,
 "mandatory": true,
 "published": true,
 "content": {
  "sections": [
   {
    "title": "Why this concerns you",
    "text": "Students tell this service things that they may have told nobody else. They say how they slept, what frightens them, whether they think of harming themselves. From what they say the service makes scores, and from the scores it decides whom a counselor should look at first. Each of these steps creates a record about the health of a person who can be named. In the United States, records of this kind are protected by a set of federal rules known by the name of the act that led to them: HIPAA, the Health Insurance Portability and Accountability Act of 1996.\n\nYou do not need to be a lawyer to follow the rules. You need to recognise the information that they protect, to know what you may do with it without asking, what needs the student's permission, and what has to happen when something goes wrong. This module covers that in about half an hour. It is written for everybody who can sign in as a counselor, a university administrator or a security administrator, and it uses examples from the work with this service.\n\n### What is at stake\n\nStart with the student. Somebody whose low mood becomes known in a residence hall can lose friends, a place in a team or a recommendation. Somebody who suspects that what they say is not kept private will say less, and the next time they are in danger nobody will know. Privacy is not a wall around care. It is what makes care possible, because it is the reason why people speak.\n\nThere are also consequences for organisations and for people. The Office for Civil Rights of the US Department of Health and Human Services, OCR for short, enforces the rules. It investigates complaints, audits organisations, agrees on plans of correction that last for years, and imposes penalties that rise with the degree of negligence. Somebody who knowingly obtains or discloses protected information without a right to do so can also be prosecuted personally. Most cases that end in a penalty have nothing to do with clever attackers. They concern a lost laptop without encryption, a colleague who was curious, a message that went to the wrong person, or a risk that everybody knew of and nobody wrote down.\n\n### How to read this module\n\nEach section ends with a case. Stop there, decide what you would do, and read on. The questions at the end are not about paragraph numbers. They describe situations and ask what you would do. When a rule of your university is stricter than what is written here, follow your university.\n\n> **Case: the shared screen.** A counselor presents the dashboard's figures in a staff meeting. She has the list of open reviews in another tab, and for two seconds the wrong tab is on the projector. Eleven people see four names. Nobody laughs, nobody takes a photograph, and the counselor carries on. Has anything happened? Yes. Health information was shown to people who had no need of it. It may turn out to be a small matter, but it is not hers alone to decide that. She ends the presentation, and reports it on the same day. You will meet this case again in the section on breaches."
   },
   {
    "title": "Who has to follow the rules",
    "text": "HIPAA does not cover all health information everywhere. It covers particular organisations, and the information that they hold.\n\n### Covered entities\n\nThree kinds of organisations are covered entities: health plans, health care clearinghouses, which translate billing data from one form into another, and health care providers who send certain transactions electronically, such as claims to an insurer. A counseling centre that bills insurers electronically is a provider of that kind. One that is paid by the university alone and bills nobody may not be one. The answer does not depend on how sensitive the work is.\n\nSome universities are hybrid entities. They do many things, only some of which are covered, and they have named in writing which departments belong to the health care component. Within such a university, information may not flow freely from the component to the rest. To the rules, the psychology department across the corridor may be as much an outsider as another company.\n\n### Business associates\n\nA business associate is a person or an organisation that handles protected information on behalf of a covered entity: a hosting company, a billing service, a company that transcribes speech, a consultant who sees records. Business associates have to follow much of the rules themselves, and they are directly liable. They must have a contract, the business associate agreement, before they receive any information. The agreement says what they may do with it, that they protect it, that they report incidents, and that their own subcontractors promise the same. A company that only stores encrypted data and has no key is still a business associate.\n\nThis matters to you whenever you reach for a tool. A free translation website, a personal cloud drive, a chat program, an assistant that summarises text: if you paste a student's words into it, you have disclosed them to that company. Without an agreement that is not permitted, however useful the result is. Ask which tools are approved before you need one in a hurry.\n\n### The workforce\n\nThe rules speak of the workforce, and mean more than employees. Volunteers, trainees, interns and contractors under the organisation's direct control belong to it, paid or not. Everybody in it has to be trained, and everybody can be sanctioned for breaking the rules. A student assistant at the reception belongs to the workforce. So do you.\n\n### Student records and FERPA\n\nHere is the point that people in universities get wrong most often. Another federal law, the Family Educational Rights and Privacy Act, FERPA, governs education records. The HIPAA Privacy Rule excludes records that FERPA covers, and it excludes the treatment records of students who are 18 or older, or in higher education, when they are made by a professional and used only for the student's treatment. At many campus clinics, therefore, a student's record falls under FERPA, while the record of a member of staff treated in the same room falls under HIPAA.\n\nYou will not resolve this at your desk. Your university decides, with its lawyers, which law applies to which record, and it tells you. This service takes the safer course: it handles every check-in, score and review by the standard of this module, whatever the law is called. State laws come on top. Where a state protects notes about mental health more strictly than HIPAA does, the stricter rule wins.\n\n> **Case: the helpful spreadsheet.** A university administrator wants to see which residence needs more support. He exports a list of students with their residence from another system, and asks a counselor to add last week's risk levels so that a friend at a consultancy can draw a map. The purpose is good. But individual risk levels are not for the administrator, the friend is neither workforce nor a business associate with an agreement, and the dashboard already shows figures by residence, withheld where fewer than ten students would be counted. The counselor declines, points to the dashboard, and tells the privacy officer that the question was asked."
   },
   {
    "title": "What is protected",
    "text": "Protected health information, PHI, is information that relates to a person's past, present or future physical or mental health, to care for it, or to payment for care, and that identifies the person or could reasonably be used to do so. It does not matter whether it is spoken, on paper or electronic. When it is electronic it is called ePHI, and a further rule, the Security Rule, applies.\n\n### Both halves count\n\nTwo things have to come together: something about health, and something that leads to a person. A score of 34 by itself is a number. A score of 34 for the student in room 214 is PHI. An email address on a list of newsletter readers is contact data. The same address on the list of people who have an open clinical review is PHI, even if not a word about their state is on it. That somebody is a client at all is already information about their health.\n\nIn this service the following is protected: recordings and pictures of check-ins, transcripts, features that were measured in them, scores and risk levels, summaries, reviews and who claimed them, the names of support contacts, the messages that were sent about a student, and the entries of the log that say which student's record was opened.\n\n### What identifies somebody\n\nThe Privacy Rule lists eighteen kinds of identifiers. You need not recite them, but knowing the less obvious ones will keep you from mistakes:\n\n- names, and initials where they single somebody out;\n- places smaller than a state, such as a street, a town or most postal codes;\n- dates that belong to a person, such as birth, admission or an appointment, other than the year, and ages over 89;\n- telephone and fax numbers, email and network addresses, web addresses;\n- numbers of any account, record, certificate, licence, vehicle or device, including a student number;\n- photographs of a face, voices, fingerprints and other biometric features;\n- any other number, feature or code that is unique to the person.\n\nA recording of a voice is an identifier even when no name is spoken. So is the account's id in this service: the long code looks anonymous, but the database leads from it to the person at once.\n\n### Taking identity away\n\nInformation from which identity has been removed properly is no longer PHI. There are two recognised ways. With the first, called safe harbor, all eighteen kinds of identifiers are removed, and the organisation knows of no way in which what remains could identify somebody. With the second, an expert in statistics determines that the risk of identification is very small, and documents how. Deleting the column with the names is neither of the two. In a small group a handful of harmless facts is enough: there may be one third-year student of music in the north residence. That is why this service shows figures of ten students or more only, and why you should not work around that by subtracting one figure from another.\n\n> **Case: the anonymous example.** For a talk to new residents, a counselor writes: \"Last month a young man from the rowing team told us that he had stopped sleeping after his father's arrest.\" She has used no name. Everybody in the hall knows who it is. Real stories identify people through their details. She writes an invented one instead, and says that it is invented."
   },
   {
    "title": "What you may do, and how much of it",
    "text": "The Privacy Rule says when protected information may be used, which means within the organisation, and when it may be disclosed, which means to somebody outside. The basic principle is short: what is not permitted or required is forbidden.\n\n### Treatment, payment and operations\n\nMost daily work needs no separate permission. A covered entity may use and disclose information for treatment, for payment, and for its health care operations, such as improving quality, training, and handling complaints. A counselor may read the scores of a student who agreed to counselor access, discuss the student with the colleague who takes over the case, and refer the student to a clinic with the facts that the clinic needs.\n\nEverything else needs either a rule that permits it or the person's written authorization. An authorization says what is disclosed, to whom, for which purpose and until when, and it can be withdrawn. Marketing, the sale of information, and nearly every use of psychotherapy notes need one. Psychotherapy notes are a narrow kind: a professional's own notes about the contents of a conversation, kept apart from the rest of the record.\n\nIn this service students also give consents, one for each thing: analysis of their voice, of camera images, of their words, a support circle, access by counselors. The software checks them before each use, and a student can withdraw each at any moment. If a student has not agreed to counselor access, you see no score. Do not ask a friend of the student, a professor or an operator to look instead. A consent that was not given is an answer.\n\n### Minimum necessary\n\nWhere information is used or disclosed for purposes other than treatment, only as much as the purpose needs may be used. This is the minimum necessary standard. It has practical consequences:\n\n- Roles. You see what your role needs. A university administrator sees figures, never individual scores. A security administrator sees logs and security records, and no wellbeing data.\n- Requests. When somebody asks for \"everything about her\", ask what for, and give what answers that.\n- Habits. Open the record that you work on, not its neighbours. Close it when you are done. Put no names into subject lines, calendar entries and names of files.\n\nDisclosures to a provider for treatment are exempt, since care suffers when a clinic gets half of the picture. So are disclosures to the person themselves, and those that the person authorized.\n\n### When others ask\n\nParents, professors, coaches, police officers and journalists all call sooner or later. Before you answer, keep two questions apart: may I confirm that this person is known to us at all, and may I say anything about them? Without permission the answer to both is usually no. You can always listen. A worried father who tells you something has disclosed information to you; you have disclosed nothing to him.\n\nThe rules permit some disclosures without authorization, among them those that another law requires, reports of abuse or neglect, orders of a court, and certain requests of law enforcement. Each has its conditions. None of them has to be decided by you at the telephone: take the name, the authority, the number and the request in writing, and pass them to the privacy officer. A badge or a letterhead is not an order of a court.\n\nOne exception you have to know by heart. When you believe in good faith that disclosing information is needed to prevent or lessen a serious and imminent threat to the health or safety of a person, you may disclose it to somebody who can do something about it, as the law and your professional standards allow. If a student is in danger now, call for help first, and tell what the helpers need to know. Nobody has to wait for a form while a life is at risk.\n\n### Speaking with the student's own circle\n\nSome students name friends in this service whom it may ask to check in on them. Such a contact learns that the student would welcome a call, or that patterns over some days were of concern, and nothing else: no score, no words, no reason. When a contact calls you because of such a message, the same limits hold for you. You may listen, thank them, and tell them where help can be found at any hour. You may not add what you know, although the contact obviously knows something already and the student trusts them. The student decided how far that trust goes, and can tell them more at any time.\n\nThe same is true of family members who come along to an appointment. If the student is present and agrees, or could object and does not, you may speak about what concerns the relative's involvement in care. Ask the student first, and ask when they are alone. \"Is it all right if we talk about the plan for this week while your sister is here?\" is a good question. \"She may stay, may she not?\" is none, since hardly anybody says no to it with the sister in the room.\n\n> **Case: the friend who answered.** Tom is a support contact. He calls the centre: \"I got your text about Ana, I called her, and she said she is fine, but she did not sound fine. What is going on?\" The counselor does not look Ana up while Tom is on the line, because he would notice a pause and draw conclusions. She says that she can neither confirm nor deny anything about a student, that a call like his is worth more than he thinks, what he can do if he believes that Ana is in danger, and that anything he wants to tell her will be heard. He tells her a lot. She writes it down for the colleague who works on the review, which is treatment, and gives nothing back.\n\n> **Case: the professor's concern.** A professor writes: \"Lena has missed three seminars. I saw her go into your building. Is she all right? I could give her more time.\" The counselor answers: \"Thank you for your concern. I can neither confirm nor deny whether we know a particular student. If you are worried, you can tell her about us and how to reach us; and in an emergency call campus safety.\" If Lena wants the professor to know, she can say so in writing, and then the counselor says as much as she agreed to."
   },
   {
    "title": "The rights of students",
    "text": "The Privacy Rule gives people rights over the information about them. In this service most of them are built in, but somebody has to recognise a request when it comes by telephone, in a hallway, or in angry words.\n\n### To be told\n\nPeople must get a notice of privacy practices: what is done with information about them, which rights they have, whom they can complain to. It has to be written so that they can understand it. If a student asks you what happens with the recording, do not improvise. Show the notice and explain it.\n\n### To see and to have a copy\n\nPeople may see the information about them that is used to make decisions about them, and get a copy, in the form that they ask for where that is feasible. The organisation has 30 days, once extendable by another 30 with a written reason. It may charge what the copy costs, and no more. It may not ask why. Refusing access to records that exist is among the violations that are penalised most often.\n\nStudents can export what is stored of them in the app by themselves. If one cannot, because the account is locked or the student has left the university, do not answer \"that is in the app\". Take the request down with its date, and pass it on the same day, because the clock runs from when the organisation got it, not from when the right person read it.\n\n### To have it corrected\n\nPeople may ask that wrong or incomplete information be amended. The organisation may decline when it finds the record accurate and complete, but it must answer in writing, within 60 days as a rule, and the person may have a statement of disagreement attached. A score that a student thinks unfair is a good example: it is not erased because it is unwelcome, but the student's own view belongs beside it.\n\n### To know who received it\n\nPeople may ask for an accounting of disclosures: to whom information about them was disclosed in the past six years, other than for treatment, payment and operations, to themselves, or with their authorization. That is one reason why this service logs reads and exports, and why no one can edit the log.\n\n### To restrict and to choose the way\n\nPeople may ask to limit uses and disclosures. The organisation does not have to agree to most such requests, but it has to keep to what it has agreed to. They may also ask to be contacted in a particular way or at a particular place, and reasonable requests of that kind must be met. \"Do not leave messages with my roommate\" is such a request. Write it where colleagues will see it.\n\n### To complain without fear\n\nPeople may complain to the organisation and to the authorities. Nobody may be threatened or treated worse because they did. This protects you as well: a member of the workforce who reports in good faith what they believe to be unlawful may not be punished for it.\n\n> **Case: the request in the corridor.** After an appointment a student says in passing, \"By the way, I would like to see everything you have on me, and the number from September is wrong.\" This is a request for access and a request for amendment, on this day, though no form was filled in. The counselor thanks the student, explains the export in the app, asks which number is meant and in which form the student would like the rest, notes the date, and passes it on. She does not say that the number cannot be changed, and she does not promise that it will be."
   },
   {
    "title": "Keeping electronic records safe",
    "text": "The Security Rule is about ePHI. It asks for three qualities. Confidentiality means that only those who may see information see it. Integrity means that it is not changed or destroyed by anybody who may not. Availability means that those who need it can reach it when they need it. A counselor who cannot open a review in the night when a student is in danger has met a security failure just as one whose laptop was stolen.\n\nThe rule asks for three kinds of safeguards.\n\n### Administrative safeguards\n\nThese are decisions and habits of the organisation. At their centre is the risk analysis: an honest list of where ePHI is, what threatens it, how likely and how bad that would be, and what is done about it, renewed when things change. From it follow the rest: somebody is named as responsible for security, access is granted and withdrawn by rules, the workforce is trained and sanctioned, incidents are handled, and there is a plan for emergencies with backups that somebody has tried to restore.\n\nYour part is small and regular. Take the trainings when they are due. Tell your administrator in advance when you change roles or leave, so that access ends on that day and not some weeks later. Report what does not fit the rules, also when it is the rules that do not fit the work.\n\n### Physical safeguards\n\nBuildings, rooms and devices count. Lock the screen when you get up, even for coffee. Turn it so that nobody reads it through the glass door. Keep printed lists in a drawer that locks, and take them off the printer at once. Do not lend your device to a family member. When a device is given away or thrown away, its storage has to be erased in a way that nothing can be recovered; leave that to those who know how.\n\n### Technical safeguards\n\nSome of these the software does for you: it encrypts connections and storage, ends sessions, checks every request against your role, and logs who did what. Others work only if you take part:\n\n- **Your account is yours.** Never share a password, not with an assistant, not with support, not \"for a minute\". Each entry of the log carries a name, and if two people share it the log tells nothing about either.\n- **A second factor.** Use the authenticator. Refuse a request to confirm a sign-in that you did not begin, and report it.\n- **Encryption.** Keep PHI in the service. If something must be stored elsewhere, use an encrypted device of the organisation, never a private one, a USB stick or a private mailbox.\n- **Updates.** Install them when they are offered. Most break-ins use faults for which an update had existed for months.\n- **Email and texts.** Ordinary email and text messages can be read on the way and on locked screens. The service's own messages therefore name no student and say no result. Keep to that in yours.\n\nEncryption deserves a remark. When information was encrypted by recognised methods and the key was not lost with it, its loss does not count as a breach that has to be notified. The same laptop, with the same files, is a bad afternoon in one case and letters to thousands of people in the other. The difference was one setting.\n\n> **Case: the weekend laptop.** A counselor wants to finish notes on Sunday. He saves the transcripts of six students to his own laptop, which his daughter also uses for school, and its cloud backup copies the folder to a private account. Nothing was stolen. But ePHI is now on a device that nobody manages, in the account of a company without an agreement, where a child can open it. He should not delete everything in a panic, since what happened then can no longer be established. He reports it on Monday at the latest, better on Sunday, and follows the instructions."
   },
   {
    "title": "Curiosity, convenience and other temptations",
    "text": "Most violations begin with somebody who meant no harm. It is worth knowing how they look from the inside, because from the inside they feel like nothing.\n\n### Looking\n\nYou hear that a well-known athlete has withdrawn for personal reasons. You know that you could look. You are entitled to open records, after all, and nobody would be hurt. This is snooping, and it is the kind of violation that organisations punish most consistently, because there is no excuse that would make it an accident. That applies to relatives, neighbours and former partners, to colleagues who are students as well, and also to your own record, which you should request as everybody else does.\n\nEvery list and every record that a counselor opens in this service leaves an entry in the log, with the account, the time and the address. The entries are chained, so that a changed or missing one is found. Unusual patterns are looked at: many students in a short time, students of nobody's caseload, names from the news.\n\n### Talking\n\nConversations leak more than computers. In the elevator, in the cafeteria, in the corridor outside the group room, on the telephone in a train, people complete sentences for each other that should not have been begun. Incidental disclosures, such as a name overheard at a reception that takes reasonable care, are tolerated. A discussion of a case at a café table is not incidental. When you have to consult a colleague, find a door that closes, and leave out who it is where the question can be answered without it.\n\n### Sharing\n\nA screenshot is the quickest disclosure ever invented. It leaves the service, its access control and its log behind, lands in a folder that is copied to three clouds, and lives on in a chat. If you need help with something on the screen, describe it, or let the colleague look with their own account. Group chats of a team on private phones are full of things like \"the one from Tuesday is back\". If the team knows who that is, so does everybody who gets hold of one of the phones.\n\nDo not put anything about your work with students on social media, not even praise and not even a story with a happy end. If a student writes publicly about the service or about you, do not answer there with anything that confirms that you know them.\n\n### Helping too quickly\n\nPeople who want to get at information often ask for help. \"I am the new colleague, and my account is not active yet; could you read me the list of today?\" \"This is the hospital, we have him here, we need the medication now.\" Many such calls are true. Call back under a number that you look up yourself, ask the person's supervisor, let the caller say what they already know. Somebody with a real need will understand. Somebody without will be in a hurry.\n\n> **Case: two accounts.** At the end of the term, a counselor is ill, and her twelve open cases have to be looked after. She offers to send her password to a colleague, as it would take days until the cases are reassigned. Both mean well. But the log would now say that a woman in bed read twelve records, her account could be used for everything else too, and the next person who asks for her password will be told that this is how the team does it. The colleague asks the administrator for access in his own name. If there is no way to get it quickly, that is a gap in the plan for emergencies, which has to be reported and closed."
   },
   {
    "title": "When something goes wrong",
    "text": "A breach is an acquisition, access, use or disclosure of unsecured protected information that the Privacy Rule does not permit and that compromises its security or privacy. Unsecured means that it was readable, for example because it was not encrypted. Such an event is presumed to be a breach unless the organisation can show that the probability that information was compromised is low.\n\n### Who decides\n\nNot you. To decide, the organisation assesses at least four factors: what kind of information it was and how easily it identifies somebody; who used it or received it; whether it was really acquired or viewed; and to what extent the risk has been reduced since, for instance by a credible assurance that it was destroyed. There are three narrow exceptions, for honest mistakes within the workforce, for disclosures between people of the same organisation who both may see such information, and for recipients who could not have kept it. The assessment is written down, also when its result is that nothing has to be notified.\n\nYou have one task: to report at once, with what you know. What happened, when, which information, whose, who may have seen it, what you have done so far. Do not wait until you are certain. Do not investigate on your own, delete messages, or write to the person who received something to ask what they saw. Do not keep silent because it was your own mistake. Somebody who reports a mistake within the hour is treated differently from somebody whose mistake is discovered in the log, and rightly so.\n\n### Why minutes count\n\nThe clocks start when a breach is discovered, and it counts as discovered on the first day on which anybody of the workforce, other than the person who committed it, knew of it or would have known with reasonable care. The people concerned must be notified without unreasonable delay, and at the latest 60 days after that. If 500 people or more are concerned, the Department of Health and Human Services has to be told within the same time, and if more than 500 residents of one state are concerned, also prominent media there. Smaller breaches are collected, and reported to the Department within 60 days after the end of the calendar year. Business associates tell the covered entity, within 60 days at the latest, and usually much sooner because the agreement says so. Some states, and the law of the European Union with its 72 hours, allow less. Sixty days is a limit, not a plan: a student whose recording was seen by strangers can protect themselves only from when they know.\n\nA letter to the people concerned says in plain language what happened and when, which kinds of information were involved, what they can do to protect themselves, what the organisation is doing, and where to ask.\n\n### In this service\n\nSecurity administrators keep incidents in the service: with a severity, a timeline that can only be added to, and the breach clocks, which count from when somebody became aware. If you see something, you do not need to know where to file it. Tell your security administrator or your privacy officer, by telephone if it is urgent. If an account may be in wrong hands, ask for it to be disabled first and discuss the rest later: disabling can be undone in a minute, and a copied database cannot.\n\n> **Case: the shared screen, again.** Four names, two seconds, eleven people, all of them employed by the university, most of them not in the counseling centre. The counselor reported it on the day. The privacy officer asked what could be read, and from which seats; found that the names were legible and that the heading said \"open reviews\"; learned from those present that three had recognised somebody; and asked each to confirm in writing that they would not use or repeat it. Then the four factors were assessed and the result was recorded. Whatever it was, it was reached by the right people, in time, with evidence. And the next presentation was given from an account that sees figures only."
   },
   {
    "title": "What the organisation owes you",
    "text": "Responsibility does not end with the people at the keyboards. The rules ask a good deal of organisations, and you may ask for it.\n\n- **Officers with names.** There is a privacy officer, who answers for the policies and receives complaints, and a security official, who answers for the protection of ePHI. You should know both by name. Look them up now if you do not.\n- **Policies that fit.** There are written policies, they are kept for at least six years, and they describe what people really do. A policy that cannot be followed teaches everybody to ignore policies.\n- **Access by role.** You get the access that your work needs, it is reviewed from time to time, and it ends when you leave.\n- **Training.** New members of the workforce are trained within a reasonable time, everybody when the rules change in a way that touches their work, and in this service again after 365 days.\n- **Sanctions that are fair.** There are consequences for violations, they are graded, they apply to everybody, and they are documented.\n- **Agreements.** Before information goes to a company, there is an agreement with it. You may ask for the list of those that exist.\n- **A risk analysis.** It is current, and what it found is being worked on. Much of what is later called human error stands in an older risk analysis as an open point.\n\n### Ten habits\n\nIf you keep nothing else from this half hour, keep these:\n\n1. Open only what you work on now.\n2. Lock the screen whenever you stand up.\n3. Keep students' information in the service.\n4. Use your own account and a second factor, and lend neither.\n5. Say \"I can neither confirm nor deny\" without embarrassment.\n6. Give what the purpose needs, and no more.\n7. Paste nothing about students into tools that are not approved.\n8. Take every request for access or correction seriously, and write its date down.\n9. In danger to life, get help first.\n10. Report at once, also your own mistakes.\n\nNone of them needs much time. Together they prevent most of what OCR describes in its published cases.\n\n> **Case: the last day.** A counselor moves to another university on Friday. She would like to take along her notes on three students who will transfer to the same place, so that they need not tell everything again. It would help them. But the notes belong to the record, not to her, and the new employer is another organisation. The students can authorize that the record is sent, or take an export themselves, and the new centre can request it for treatment. She tells the three how that works, hands over her open reviews, and asks the administrator to end her roles on Friday evening. On Monday she tries to sign in, out of curiosity, and is glad that she cannot."
   }
  ]
 },
 "assessments": {
  "pass_score": 80,
  "questions_per_attempt": 15,
  "questions": [
   {
    "prompt": "Which of these makes information protected health information?",
    "options": [
     {
      "text": "It is stored electronically",
      "correct": false
     },
     {
      "text": "It relates to health, care or payment for care, and identifies the person or could",
      "correct": true
     },
     {
      "text": "It was given to a physician",
      "correct": false
     },
     {
      "text": "It is marked as confidential",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A list has nothing but email addresses of students with an open clinical review. Is it PHI?",
    "options": [
     {
      "text": "No, an email address is contact data",
      "correct": false
     },
     {
      "text": "Only if the scores are on it too",
      "correct": false
     },
     {
      "text": "Yes, since being on the list says something about health",
      "correct": true
     },
     {
      "text": "Only if it leaves the university",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A recording of a check-in mentions no name. How do you treat it?",
    "options": [
     {
      "text": "As anonymous, because nobody is named",
      "correct": false
     },
     {
      "text": "As PHI, because a voice identifies a person",
      "correct": true
     },
     {
      "text": "As PHI only if somebody recognised the voice",
      "correct": false
     },
     {
      "text": "As anonymous once it is older than a year",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Which of these are identifiers under the Privacy Rule? Choose all that apply.",
    "options": [
     {
      "text": "A student number",
      "correct": true
     },
     {
      "text": "The date of an appointment",
      "correct": true
     },
     {
      "text": "The year of an appointment",
      "correct": false
     },
     {
      "text": "A photograph of a face",
      "correct": true
     }
    ]
   },
   {
    "prompt": "You delete the column with the names from a list of twelve students with faculty, residence and risk. What is it now?",
    "options": [
     {
      "text": "De-identified, as no name is left",
      "correct": false
     },
     {
      "text": "Still PHI: in so small a group the other facts can identify people",
      "correct": true
     },
     {
      "text": "De-identified, unless somebody complains",
      "correct": false
     },
     {
      "text": "Free for use in research",
      "correct": false
     }
    ]
   },
   {
    "prompt": "How can information be de-identified in a recognised way? Choose all that apply.",
    "options": [
     {
      "text": "By removing all listed identifiers, with no knowledge of how the rest could identify somebody",
      "correct": true
     },
     {
      "text": "By the documented finding of an expert that the risk is very small",
      "correct": true
     },
     {
      "text": "By replacing names with initials",
      "correct": false
     },
     {
      "text": "By asking colleagues whether they recognise anybody",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Who belongs to the workforce that has to be trained?",
    "options": [
     {
      "text": "Employees with a permanent contract only",
      "correct": false
     },
     {
      "text": "Whoever sees patients in person",
      "correct": false
     },
     {
      "text": "Employees, trainees, volunteers and others under the organisation's direct control",
      "correct": true
     },
     {
      "text": "Everybody who studies at the university",
      "correct": false
     }
    ]
   },
   {
    "prompt": "You would like to use a free website to translate a student's transcript. No agreement exists with its operator. What do you do?",
    "options": [
     {
      "text": "Use it, and delete the text afterwards",
      "correct": false
     },
     {
      "text": "Use it after replacing the name by initials",
      "correct": false
     },
     {
      "text": "Leave it, and ask which tools are approved",
      "correct": true
     },
     {
      "text": "Use it on a private device",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A hosting company stores your encrypted data and has no key. What is it?",
    "options": [
     {
      "text": "Not concerned, as it cannot read anything",
      "correct": false
     },
     {
      "text": "A business associate, which needs an agreement",
      "correct": true
     },
     {
      "text": "A covered entity",
      "correct": false
     },
     {
      "text": "A member of the workforce",
      "correct": false
     }
    ]
   },
   {
    "prompt": "What does a business associate agreement have to do with subcontractors?",
    "options": [
     {
      "text": "Nothing, they are the associate's own affair",
      "correct": false
     },
     {
      "text": "It forbids them",
      "correct": false
     },
     {
      "text": "They have to promise the same protection",
      "correct": true
     },
     {
      "text": "They need an agreement with each student",
      "correct": false
     }
    ]
   },
   {
    "prompt": "At many campus clinics, which law may govern a student's treatment record in place of the HIPAA Privacy Rule?",
    "options": [
     {
      "text": "FERPA",
      "correct": true
     },
     {
      "text": "The Security Rule",
      "correct": false
     },
     {
      "text": "The Freedom of Information Act",
      "correct": false
     },
     {
      "text": "None",
      "correct": false
     }
    ]
   },
   {
    "prompt": "You are unsure whether HIPAA or FERPA applies to a record in this service. What do you do?",
    "options": [
     {
      "text": "Treat it as unprotected until somebody decides",
      "correct": false
     },
     {
      "text": "Protect it by the standard of this module, and leave the question to the university",
      "correct": true
     },
     {
      "text": "Ask the student to choose",
      "correct": false
     },
     {
      "text": "Decide by whether the clinic bills insurers",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Where a state protects notes on mental health more strictly than HIPAA does, which applies?",
    "options": [
     {
      "text": "HIPAA, because it is federal law",
      "correct": false
     },
     {
      "text": "The stricter rule of the state",
      "correct": true
     },
     {
      "text": "Whichever the counselor prefers",
      "correct": false
     },
     {
      "text": "Neither, they cancel each other out",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Which use needs no separate written authorization?",
    "options": [
     {
      "text": "Selling a list to a publisher",
      "correct": false
     },
     {
      "text": "Marketing for a sleep app",
      "correct": false
     },
     {
      "text": "Discussing a student with the colleague who takes over the treatment",
      "correct": true
     },
     {
      "text": "A story about a student on the web page",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A student has not consented to counselor access. A professor asks you for the score. What is right?",
    "options": [
     {
      "text": "Ask an operator to look it up",
      "correct": false
     },
     {
      "text": "Tell the professor the risk level alone",
      "correct": false
     },
     {
      "text": "You see no score, and you ask nobody else to look",
      "correct": true
     },
     {
      "text": "Call the student's roommate",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Which disclosures are exempt from the minimum necessary standard? Choose all that apply.",
    "options": [
     {
      "text": "To a provider for treatment",
      "correct": true
     },
     {
      "text": "To the person themselves",
      "correct": true
     },
     {
      "text": "To a newspaper",
      "correct": false
     },
     {
      "text": "To the university's marketing department",
      "correct": false
     }
    ]
   },
   {
    "prompt": "What does \"minimum necessary\" ask of somebody who prepares a report for the provost?",
    "options": [
     {
      "text": "To include everything, since the provost is responsible",
      "correct": false
     },
     {
      "text": "To use figures that answer the question, without individual records",
      "correct": true
     },
     {
      "text": "To shorten the report to two pages",
      "correct": false
     },
     {
      "text": "To replace names by student numbers",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Where may a student's name stand?",
    "options": [
     {
      "text": "In the subject line of an email to a colleague",
      "correct": false
     },
     {
      "text": "In the title of an entry in a shared calendar",
      "correct": false
     },
     {
      "text": "In the record of the service",
      "correct": true
     },
     {
      "text": "In the name of a file on a shared drive",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A father calls, worried, and asks whether his daughter comes to you. She has authorized nothing. What may you do? Choose all that apply.",
    "options": [
     {
      "text": "Listen to what he tells you",
      "correct": true
     },
     {
      "text": "Tell him how to reach help in an emergency",
      "correct": true
     },
     {
      "text": "Confirm that she is a client, and nothing more",
      "correct": false
     },
     {
      "text": "Tell him that she is doing well",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A police officer shows a badge and asks for a student's record. There is no danger at the moment. What do you do?",
    "options": [
     {
      "text": "Give a copy, because police may see everything",
      "correct": false
     },
     {
      "text": "Give the name and risk level only",
      "correct": false
     },
     {
      "text": "Take the request with name, authority and number, and pass it to the privacy officer",
      "correct": true
     },
     {
      "text": "Say that the student is not known, to end it",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A student is on the phone, and you believe in good faith that they are about to harm themselves. Whom may you tell?",
    "options": [
     {
      "text": "Nobody, without written authorization",
      "correct": false
     },
     {
      "text": "Those who can prevent it, with what they need to know",
      "correct": true
     },
     {
      "text": "Only the student's parents",
      "correct": false
     },
     {
      "text": "Only the privacy officer, who then decides",
      "correct": false
     }
    ]
   },
   {
    "prompt": "What are psychotherapy notes?",
    "options": [
     {
      "text": "Everything that a counselor writes in the record",
      "correct": false
     },
     {
      "text": "Transcripts of check-ins",
      "correct": false
     },
     {
      "text": "A professional's own notes on the contents of a conversation, kept apart from the record",
      "correct": true
     },
     {
      "text": "The results of a questionnaire",
      "correct": false
     }
    ]
   },
   {
    "prompt": "In a talk you want to use an example. Which is acceptable?",
    "options": [
     {
      "text": "A real case without the name",
      "correct": false
     },
     {
      "text": "A real case in which the faculty was changed",
      "correct": false
     },
     {
      "text": "An invented case that you call invented",
      "correct": true
     },
     {
      "text": "A real case from another university",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A student says in the corridor that they want to see all that is stored about them. What is this?",
    "options": [
     {
      "text": "Nothing, until the form was filled in",
      "correct": false
     },
     {
      "text": "A request for access, whose time runs from today",
      "correct": true
     },
     {
      "text": "A complaint to the authorities",
      "correct": false
     },
     {
      "text": "A matter for the student's advisor",
      "correct": false
     }
    ]
   },
   {
    "prompt": "How long does an organisation normally have to answer a request for access?",
    "options": [
     {
      "text": "7 days",
      "correct": false
     },
     {
      "text": "30 days, once extendable by 30 with a written reason",
      "correct": true
     },
     {
      "text": "60 days, extendable without limit",
      "correct": false
     },
     {
      "text": "One year",
      "correct": false
     }
    ]
   },
   {
    "prompt": "May you ask why a student wants a copy of their record, before you give it?",
    "options": [
     {
      "text": "No, the right does not depend on a reason",
      "correct": true
     },
     {
      "text": "Yes, and refuse a copy if the reason is poor",
      "correct": false
     },
     {
      "text": "Yes, if it is more than 50 pages",
      "correct": false
     },
     {
      "text": "Only when a lawyer asks for them",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A student finds a score wrong, and you are sure that it is correctly computed. What follows?",
    "options": [
     {
      "text": "The score has to be deleted",
      "correct": false
     },
     {
      "text": "Nothing, since scores cannot be disputed",
      "correct": false
     },
     {
      "text": "The organisation may decline in writing, and the student may have a statement attached",
      "correct": true
     },
     {
      "text": "The counselor changes the score to a value in between",
      "correct": false
     }
    ]
   },
   {
    "prompt": "What is an accounting of disclosures?",
    "options": [
     {
      "text": "A bill for copies",
      "correct": false
     },
     {
      "text": "A list of who received the information in six years, with some exceptions",
      "correct": true
     },
     {
      "text": "A report of all breaches at the university",
      "correct": false
     },
     {
      "text": "The log of the student's own sign-ins",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A student asks never to be called at the number of the shared flat. What is right?",
    "options": [
     {
      "text": "It can be ignored, because it is the number on file",
      "correct": false
     },
     {
      "text": "A reasonable request of that kind has to be met, where colleagues will see it",
      "correct": true
     },
     {
      "text": "It is valid for the counselor who heard it only",
      "correct": false
     },
     {
      "text": "It needs a physician's certificate",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A colleague reports a suspected violation in good faith, and it turns out to be none. What may happen to the colleague?",
    "options": [
     {
      "text": "A warning for a false report",
      "correct": false
     },
     {
      "text": "A transfer",
      "correct": false
     },
     {
      "text": "Nothing, as reporting in good faith must not be punished",
      "correct": true
     },
     {
      "text": "A fine by the authorities",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Which three qualities does the Security Rule protect?",
    "options": [
     {
      "text": "Confidentiality, integrity and availability",
      "correct": true
     },
     {
      "text": "Speed, price and privacy",
      "correct": false
     },
     {
      "text": "Secrecy, silence and speed",
      "correct": false
     },
     {
      "text": "Authorization, accounting and amendment",
      "correct": false
     }
    ]
   },
   {
    "prompt": "On the night of a crisis nobody can open the list of reviews. How does the Security Rule see this?",
    "options": [
     {
      "text": "As no matter of security, because nothing was disclosed",
      "correct": false
     },
     {
      "text": "As a failure of availability",
      "correct": true
     },
     {
      "text": "As a breach that has to be notified",
      "correct": false
     },
     {
      "text": "As a failure of the counselor on duty",
      "correct": false
     }
    ]
   },
   {
    "prompt": "What is at the centre of the administrative safeguards?",
    "options": [
     {
      "text": "A firewall",
      "correct": false
     },
     {
      "text": "A guard at the door",
      "correct": false
     },
     {
      "text": "A risk analysis that is kept current",
      "correct": true
     },
     {
      "text": "A list of passwords",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A colleague's account is not active yet. She asks you to sign in for her and let her work. What do you do?",
    "options": [
     {
      "text": "Agree, and stay in the room",
      "correct": false
     },
     {
      "text": "Agree if it is for one student only",
      "correct": false
     },
     {
      "text": "Decline, and help her to get access of her own",
      "correct": true
     },
     {
      "text": "Write her your password on paper, which cannot be hacked",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A laptop with student records is stolen. It was encrypted by a recognised method, and the key was not with it. What follows?",
    "options": [
     {
      "text": "A breach that has to be notified within 60 days",
      "correct": false
     },
     {
      "text": "It is reported, and does not count as a breach of unsecured information",
      "correct": true
     },
     {
      "text": "Nothing, so it need not be reported",
      "correct": false
     },
     {
      "text": "The media have to be told",
      "correct": false
     }
    ]
   },
   {
    "prompt": "You saved transcripts to your private laptop, which is backed up to a private cloud. You notice that it was wrong. What is first?",
    "options": [
     {
      "text": "Delete everything at once, and say nothing",
      "correct": false
     },
     {
      "text": "Report it, and follow the instructions",
      "correct": true
     },
     {
      "text": "Move the files to a USB stick",
      "correct": false
     },
     {
      "text": "Wait whether somebody notices",
      "correct": false
     }
    ]
   },
   {
    "prompt": "You hear that a famous athlete has withdrawn. You are a counselor of the same university, and not involved. May you look at the record?",
    "options": [
     {
      "text": "Yes, counselors may open any record",
      "correct": false
     },
     {
      "text": "Yes, if you tell nobody",
      "correct": false
     },
     {
      "text": "No, this is snooping, whatever the motive",
      "correct": true
     },
     {
      "text": "Only after the news is public",
      "correct": false
     }
    ]
   },
   {
    "prompt": "What does the log of this service tell about a counselor who opens a student's record?",
    "options": [
     {
      "text": "Nothing, as reads are not logged",
      "correct": false
     },
     {
      "text": "The account, the time and the address",
      "correct": true
     },
     {
      "text": "That somebody of the team opened it",
      "correct": false
     },
     {
      "text": "Only that it was exported",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A name is overheard at the reception although reasonable care was taken. What is it called?",
    "options": [
     {
      "text": "An incidental disclosure",
      "correct": true
     },
     {
      "text": "A breach that has to be notified to the media",
      "correct": false
     },
     {
      "text": "An authorization",
      "correct": false
     },
     {
      "text": "A sale of information",
      "correct": false
     }
    ]
   },
   {
    "prompt": "The hospital calls and asks for a student's medication at once. You do not know the caller. What do you do?",
    "options": [
     {
      "text": "Read it out, since every minute counts",
      "correct": false
     },
     {
      "text": "Hang up",
      "correct": false
     },
     {
      "text": "Call back under a number that you look up yourself",
      "correct": true
     },
     {
      "text": "Ask for the caller's date of birth",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A letter with a student's results went to a wrong address. Who decides whether it is a breach that has to be notified?",
    "options": [
     {
      "text": "The person who sent it",
      "correct": false
     },
     {
      "text": "The person who received it",
      "correct": false
     },
     {
      "text": "The organisation, after a documented assessment of the risk",
      "correct": true
     },
     {
      "text": "Nobody, if the letter comes back",
      "correct": false
     }
    ]
   },
   {
    "prompt": "What do you do when you notice a possible breach? Choose all that apply.",
    "options": [
     {
      "text": "Report it at once with what you know",
      "correct": true
     },
     {
      "text": "Say what you have done so far",
      "correct": true
     },
     {
      "text": "Find out on your own who is guilty",
      "correct": false
     },
     {
      "text": "Delete the messages that are concerned",
      "correct": false
     }
    ]
   },
   {
    "prompt": "How long after its discovery must people be notified of a breach at the latest?",
    "options": [
     {
      "text": "24 hours",
      "correct": false
     },
     {
      "text": "30 days",
      "correct": false
     },
     {
      "text": "60 days, and without unreasonable delay",
      "correct": true
     },
     {
      "text": "One year",
      "correct": false
     }
    ]
   },
   {
    "prompt": "When does a breach count as discovered?",
    "options": [
     {
      "text": "When the privacy officer has finished the assessment",
      "correct": false
     },
     {
      "text": "When it is in the newspaper",
      "correct": false
     },
     {
      "text": "When anybody of the workforce, other than who committed it, knew or should have known of it",
      "correct": true
     },
     {
      "text": "When the authorities ask",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A breach concerns 800 people. When is the Department of Health and Human Services told?",
    "options": [
     {
      "text": "Within the same time as the people concerned",
      "correct": true
     },
     {
      "text": "With the annual list",
      "correct": false
     },
     {
      "text": "Only when it asks",
      "correct": false
     },
     {
      "text": "After three years",
      "correct": false
     }
    ]
   },
   {
    "prompt": "You leave for another university on Friday. What may you take along?",
    "options": [
     {
      "text": "Your notes on students who will transfer there",
      "correct": false
     },
     {
      "text": "The names of your students, to greet them",
      "correct": false
     },
     {
      "text": "Nothing about students; they can authorize that records are sent",
      "correct": true
     },
     {
      "text": "A copy of everything, on an encrypted stick",
      "correct": false
     }
    ]
   }
  ]
 }
}
$module$, 1);
select private.ship_training_module($module$
{
 "id": "trn_phishing_awareness",
 "title": "Phishing Awareness Training",
 "category": "phishing_awareness",
 "difficulty": "beginner",
 "estimated_duration": 25,
 "mandatory": true,
 "published": true,
 "content": {
  "sections": [
   {
    "title": "What phishing is, and why it is meant for you",
    "text": "Phishing is an attempt to make a person do something for an attacker by pretending to be somebody else: to type a password into a copied page, to open a file, to confirm a sign-in, to pay a bill, to send a list. It comes by email most often, but just as well by text message, telephone call, chat, printed letter, or a square code on a poster. What it has in common is not the channel. It is a story, told by somebody who is not who they seem to be, in which you are asked to act.\n\nYou may think that you are not important enough. Nobody writes to you because of your rank. They write because your account opens something. A counselor's account opens the names of students in a crisis. An administrator's account opens the settings of a university. A security administrator's account can assign roles to other accounts. And every account of a university opens a mailbox, from which the next hundred messages can be sent to people who trust the address. Attackers buy and sell such accounts by the thousand.\n\n### What happens with a stolen account\n\nIt helps to know what the attacker does next, because it explains why minutes count. Within the first quarter of an hour, often by a program, the mailbox is searched for words such as \"invoice\", \"password\", \"reset\" and \"student\". A rule is added that moves answers into a folder which nobody opens, so that the owner notices nothing. The address is used to write to colleagues, in an existing conversation, with an attachment. Other services are asked for a new password, which they send to the same mailbox. If the account can open records, they are copied. Then the attacker waits, sometimes for weeks, until there is something to earn.\n\nFor a service like this one, money is not the worst of it. Somebody who copied what students have said in their worst nights can ask each of them for money, one by one. This has happened to patients of a psychotherapy provider in Europe: when the company did not pay, the attacker wrote to tens of thousands of patients directly, and published notes of many. No backup repairs that.\n\n### You are not the last line of defence\n\nFilters stop most of such messages. The second factor stops many stolen passwords. The service limits how often a sign-in can be tried, and looks for unusual reads. You are one layer among several, and you are allowed to make a mistake. What the others cannot do is notice that a message does not sound like your dean. You can. And when something did get past you, you are the one who can say so first. This module is about both: to notice, and to say so.\n\n> **Case: twenty past four.** On a Friday an email arrives: \"Your session for the review of a student at HIGH RISK is about to expire. Sign in again within 15 minutes, or the case is closed without action.\" The logo is right, and the counselor has had a hard week. She wants to click, since a student could be in danger. That is exactly what the message was built from: her sense of duty, the hour, and a limit of time. She opens the service by her own bookmark instead. There is no such review. The time that she lost is forty seconds."
   },
   {
    "title": "How it works on people",
    "text": "Phishing rarely defeats technology. It uses ways of thinking that serve us well on most days. If you know them, you can feel them being pulled.\n\n### Urgency\n\n\"Within 24 hours.\" \"Last notice.\" \"I am in a meeting and need it now.\" Haste is the most common ingredient, because thinking takes time. A real deadline survives a telephone call. Make it a habit to slow down when you are told to hurry, in particular when you are told that there is no time to ask somebody.\n\n### Authority\n\n\"This is the office of the president.\" \"IT security requires.\" \"The auditor is here.\" We are used to doing what those ask who are entitled to ask. Attackers read the organisation's web page, and know the names of all of them. Genuine authority can be checked: the president has an office with a number in the directory. No one with genuine authority will be angry because you checked, and if somebody is, they should be told why you did.\n\n### Fear, and relief\n\n\"Unusual activity was found.\" \"A complaint was made against you.\" \"Your salary could not be transferred.\" The message makes you afraid, and in the same breath offers the button that makes it good again. Relief is what is being sold. When a message frightens you, take your hands off the keyboard for a moment, and then find out by another way whether it is true.\n\n### Helpfulness\n\nPeople in counseling like to help; it is why they chose the work. \"I am a student, I have locked myself out, and my appointment is in ten minutes. Could you just read the code to me?\" To say no feels unkind. Keep two things apart: to help the person, which you do by showing them the proper way, and to do the particular thing that they ask for, which you need not do.\n\n### Curiosity and reward\n\n\"The salaries of all staff, 2026.\" \"You were mentioned in a comment.\" \"Gift card for your feedback.\" The file with the salaries went to you by mistake, so it seems, and one look would harm nobody. Accidents of this kind are staged. The more you would like to open it, the better it was made for you.\n\n### Familiarity\n\nThe strongest story is the one that continues something real. Attackers who sit in a colleague's mailbox answer to a conversation of last week, with its subject, its text and its jokes below. \"As discussed, here is the updated list.\" There is nothing wrong with the sender, the language or the occasion. Only the request is new. Such a message is recognised by what it wants, not by how it looks.\n\n### Routine\n\nSomebody who confirms thirty sign-ins a week confirms the thirty-first. Somebody who opens fifty attachments a day opens the fifty-first. Attackers rely on this when they send requests to confirm a sign-in again and again, at night, until somebody taps \"yes\" so that it stops. Each tap is a decision. If you have not just signed in yourself, the answer is no.\n\n> **Case: the friendly voice.** The telephone says \"IT Helpdesk\". A calm man knows the counselor's name, her department and that the mail was slow this morning, which is true. He says that they are moving mailboxes, and that to keep hers she should read him the six digits that are about to appear on her phone. They appear. He apologises for the trouble. Everything about him is pleasant, and the number that is displayed is the right one, since the number of a caller can be faked. The digits are the second factor of a sign-in that he has begun with her password, which was stolen somewhere else long ago. No helpdesk in the world needs them. She says, \"I will call you back,\" and dials the number from the directory."
   },
   {
    "title": "Reading a message",
    "text": "You do not need to be a detective, but you should know where to look, and how much each sign is worth.\n\n### Who sent it\n\nA sender has two parts: a name that can be anything, and an address. Phones often show the name alone. Tap on it to see the address, and read the address from the right: what stands directly before the first slash, or at the end of an email address, decides to whom it belongs. `wellbeing.northfield.example.edu` belongs to `northfield.example.edu`. `northfield.example.edu.sign-in.example.com` belongs to `example.com`, whoever that is, and all that comes before is decoration.\n\nLook for exchanged letters as well: `rn` for `m`, a `1` for an `l`, an extra hyphen, another ending, a letter of another alphabet that looks the same. Then remember that a correct address proves little. It can be faked where the receiving system does not check it, and it is quite genuine when the colleague's mailbox was taken over.\n\n### Where a link leads\n\nThe text of a link can say anything, including an address. What counts is where it leads: on a computer, rest the pointer on it and read what is shown at the edge of the window; on a phone, hold it down until a preview appears, and do not let it open. Short links and square codes hide where they lead. So do links that first go to a service of a well-known company and from there to somewhere else.\n\nThe most reliable method needs no reading at all. Do not use the link. Open the service by your bookmark, or type its address. If something important is waiting for you there, you will see it there. A bookmark cannot be phished.\n\n### The lock, and what it does not say\n\nA lock beside the address says that nobody between you and the page can listen. It does not say who is at the other end. Pages of attackers have locks. A page that looks exactly like your sign-in page is no proof either; copying a page takes a minute. What a copy cannot have is the right address. Your password manager and your security key know this better than you: they offer a password or a signature only at the address where it was saved. When your password manager suddenly offers nothing on a page that you believe to know, that is a warning, and not an inconvenience to be solved by copying the password over.\n\n### What it asks for\n\nAsk of every unexpected message: what does it want me to do? There are few things that attackers need, and so the list is short.\n\n- Type a password or a code.\n- Confirm a sign-in, or add a device or an authenticator.\n- Open a file, switch on \"content\" or \"editing\", or install something that helps you.\n- Let an application read your mail or files: a page of the real company asks whether you allow it, and no password is needed at all.\n- Send information: a list, a document, a number, a photograph of an identity card.\n- Change where money goes: another account, a gift card, a new supplier.\n- Answer, for now. \"Are you at your desk?\" is harmless, and begins a conversation.\n\nIf it asks for one of these and you did not expect it, check by another way. It does not matter how good it looks.\n\n### What is no sign any more\n\nYou may have learned to look for poor spelling, strange greetings and clumsy logos. Some messages still have them. Good ones have not for years, and text, voices and pictures can now be made by machines in any language and style. A message without a single mistake is no reason for trust. The reverse holds as well: a clumsy message from the payroll office may be quite genuine. Check the request, not the style.\n\n> **Case: the shared document.** \"Dr. Osei shared a document with you: Waiting list spring.docx\". The mail really comes from the well-known company that offers document sharing; the address is right, and the link leads to that company. The document opens and contains one sentence: \"This file is protected. Sign in with your university account to view it\", with a button. The button leads to `university-login.example.net`. Each step was genuine but the last, because anybody can share a document with anybody. The counselor had not expected a list, and her password manager stayed silent on the page. She closed it and asked Dr. Osei, who knew of nothing."
   },
   {
    "title": "Other ways to reach you",
    "text": "Email is watched by filters. That is why attackers like the ways that are not.\n\n### Text messages\n\nTexts are short, so nobody expects an explanation; they show no address that one could examine; and a fake can appear in the same thread as genuine ones, because the phone sorts by the name that is displayed. \"Your parcel could not be delivered.\" \"New device signed in to your account. Not you? Tap here.\" The rule is the same: do not use the link, open the app or the page by yourself.\n\nMembers of a student's support circle get texts from this service, with a link to a page. If a contact asks you whether such a text is genuine, do not send them a link yourself. Tell them that the page never asks for a password or for money, that they can call the student without any link, and that they may reply STOP to any of our texts.\n\n### Calls\n\nCalls allow no pause, and a voice makes trust. Numbers on the display can be faked, and voices can be imitated from a minute of a recording, such as a lecture or a greeting on an answering machine. If a call asks for something unusual, you do not have to find out whether the voice is real. End it in a friendly way, and call back under a number that you already have. Agree with your team on what nobody will ever ask for by telephone: passwords, codes, gift cards, and names of students.\n\n### Chat and collaboration tools\n\nA message within your own team's chat feels safe, as if the door had been checked before. But accounts are taken over there as well, guests can be invited, and some settings let anybody from outside write to you with any name. Treat a request in chat like one by email.\n\n### Square codes\n\nA code on a poster, on a parking meter, or in the attachment of an email is a link that you cannot read. Attackers like it for two reasons: filters do not see it, and you open it on your phone, which is protected less and shows less of the address. Look at the address that the phone displays before you open it. Never sign in to your work account on a page that you reached with a code which you did not create yourself. And be careful with codes that sign in a device: scanning such a code from somebody else's screen signs them in as you.\n\n### Things you find\n\nA USB stick in the car park, labelled \"Final grades\"; a charging cable in a meeting room; a free one from a fair. Such things can be computers that type commands as soon as they are plugged in. Bring what you find to IT security, and plug in nothing.\n\n### People at the door\n\n\"I am here for the printer.\" \"My card does not work, could you hold the door?\" Visitors in work clothes with a ladder get in nearly everywhere. Accompany people whom you do not know to the reception. It is not impolite; it is what you would want for your own home.\n\n> **Case: the dean's voice.** An assistant hears a voice message from the dean: he is at the airport, his mother has fallen ill, and he needs the list of students with an open review, because the crisis team must be told before the weekend; please to this private address, as his account does not work abroad. It is his voice, down to the small cough. It uses authority, urgency, sympathy, and a plausible reason for the strange way. But the request would be wrong even if it were he: a dean does not get that list, and no list of students goes to a private address. When what is asked for is forbidden, there is no need to find out who asks. She reports it, and calls the dean's own number; he is in his office."
   },
   {
    "title": "Attacks made for one person",
    "text": "Most phishing is sent to thousands. Some is written for you alone, after somebody has read your page, your talks, your family's photographs, and the minutes of a committee in which you sit.\n\n### Preparation\n\nLook at yourself as an attacker would. The university's page says with whom you work, and to whom you report. A calendar that is public says when you are away. A conference lists you as a speaker on Thursday. From this, a message can be made: on Wednesday evening, from the organiser, with \"the new template for your slides\". You cannot hide all that, and need not. But know what is public, so that it does not convince you when it returns. That somebody knows your supervisor's name proves nothing.\n\n### The long conversation\n\nA careful attacker does not ask at once. A doctoral student asks for an interview about counseling, then has some clever questions, then sends the questionnaire as a file that \"only works with editing switched on\". After three weeks it would be impolite not to open it. Trust that has grown in the conversation does not make the file safe. Ask for questions in the text of the mail, or open files in the preview of your mail program, which runs no macros.\n\n### Money and data of others\n\nTwo kinds of fraud deserve a fixed rule, because they are so successful. In the first, a supplier or colleague announces a new bank account. In the second, a superior wants data of staff or students in a hurry. For both, agree that nothing is changed or sent on the strength of one message: a second person checks by a call under a known number. A rule that always applies offends nobody. It also protects the person who would have to say no to the president alone.\n\n### Consent to an application\n\nA page asks whether \"Campus Calendar Helper\" may read your mail and files and \"maintain access to data you have given it access to\". The page is genuine, it belongs to the company that runs your mail, and no password is asked for. If you agree, the application reads your mail from then on, without a password and a second factor, and after you change your password, until somebody withdraws the consent. Agree only to applications that your university has approved, and read what they ask for. One that colours a calendar does not need your mail.\n\n### Administrators and their tools\n\nIf you administer something, you are worth more than others. Messages about certificates that expire, about a vulnerability that must be patched today, about a ticket by a furious user, are written for you. Use your administrator's account for administration only, and read no mail with it. Follow no link out of a warning; go to the console by your own way. And be suspicious of helpful commands: \"paste this line to verify that you are human\" has installed more malicious software lately than many viruses did.\n\n> **Case: the journal.** A counselor who has published on sleep gets an invitation to review for a journal. The editor's name is right, the title of the manuscript fits. The portal offers \"Sign in with your institution\", shows the university's own page, takes the password and then asks for the code. An hour later her mailbox answers to colleagues with an attachment. What happened: the page between her and the university passed on everything that she typed, the code too, and kept the session that resulted. A code can be passed on; a security key or passkey would not have worked, because it signs for the address of the page, and that was another one. She noticed that the address ended in a word that she did not know, but the page looked so familiar."
   },
   {
    "title": "Protecting yourself beforehand",
    "text": "Some protection works while you are tired, and that is the best kind.\n\n### A password manager\n\nLet it create a different, long password for every service, and remember one long passphrase for the manager itself. A password that you use twice is as safe as the weaker of the two places. When a shop that you have forgotten loses its list of customers, programs try every address and password on mail providers, universities and services like this one within hours. A different password for each service ends that. And, as you have seen, the manager reads addresses better than you do.\n\n### A second factor that cannot be passed on\n\nEvery second factor is better than none. Codes by text message can be intercepted, or obtained by moving your number to another card; codes from an authenticator cannot, but you can be talked out of them; a passkey or a security key cannot be used on a wrong page at all. Use the strongest that is offered. Set up a second one while you have the first, and keep the recovery codes on paper in a safe place, not in the mailbox that they are meant to recover.\n\n### Updates, and a screen that locks\n\nPhishing often only opens the door, and a fault in the browser or the office program does the rest. Install updates when they are offered, restart when that is asked for, and keep work on devices that the university manages.\n\n### Less to find\n\nDelete mails with passwords, identity cards and lists that you do not need any more. An attacker in your mailbox finds what is there, from ten years. Do not send PHI or names of students by mail at all, and then they cannot be found in one.\n\n### Bookmarks\n\nSave the address of the service, the mail and the directory. Then you have a way to check anything, within seconds, without using what came with the message. If you take one thing from this module, take this.\n\n### What this service will never do\n\n- It never asks by email, text or telephone for your password or for a code.\n- Its emails to staff name no student and contain no result; who wants to know more has to sign in.\n- It sends no attachments.\n- Its reminders about training lead to its own pages, and you can reach them by your bookmark just as well.\n- Nobody of the operator needs your account in order to help you.\n\n> **Case: a night of requests.** At 2:14 the phone asks: \"Are you trying to sign in? Yes / No\". The administrator taps No and falls asleep again. It asks at 2:16, at 2:17, and then every minute. Then a text arrives: \"IT support here, sorry for the many requests, a test has gone wrong. Please tap Yes once, then it stops.\" It would be easy. But somebody has the right password, otherwise there would be no requests, and the text proves only that they also know the number. He taps No, switches the phone to silent, changes the password from his computer by his bookmark, ends all sessions, and reports it the same night. In the log there are forty tries from an address abroad, and not one sign-in."
   },
   {
    "title": "When you notice something",
    "text": "A suspicious message that nobody reports protects one person. One that is reported protects everybody who got the same.\n\n### You have not clicked\n\nReport it with the button in your mail program, or forward it as an attachment to IT security, so that the technical details are kept. Then delete it. Do not answer, not even in order to tell the sender what you think. Do not forward it to colleagues as a warning, since some will click on it; a warning goes out from IT security. If the message came from the account of somebody you know, call them: they may not know that they have a visitor.\n\nYou do not have to be sure. Of what is reported, much turns out to be harmless, and nobody will laugh. It is the cheapest information that a security team can get.\n\n### You have clicked, or typed, or opened\n\nThen do this, in this order:\n\n1. **Say so at once.** Call your security administrator or IT security. What do they need? When it was, what you saw, what you typed, on which device. That call is more important than everything that follows.\n2. **Change the password** from another device, by your bookmark, and everywhere else where you use the same one.\n3. **End all sessions** of the account, and look at the second factors, devices, forwarding rules and applications that are registered. Remove what you do not know, after it was photographed or written down.\n4. **Leave the device on, and take it off the network,** if you opened a file or installed something: pull the cable, switch off Wi-Fi. Do not switch it off, as traces in memory would be lost.\n5. **Delete nothing.** The message, the page in the history and the file are evidence.\n6. **Write down the time,** as exactly as you can. The log of the service is searched from there.\n\nIf the account can open records of students, a security administrator will disable it for a while and look at what was read. This is no punishment. It is the only way to know that nothing happened, and the clocks of the law, 72 hours in Europe and 60 days under HIPAA, count from when somebody knew.\n\n### It is not about blame\n\nEverybody can be deceived, at the right moment with the right story: people who teach this subject have been. The damage depends on the time between the click and the call. In organisations in which people are ashamed, that is days. In those in which one can say \"I think I have just done something stupid\", it is minutes. If a colleague tells you that, thank them, and help them to call.\n\nTests with harmless phishing messages exist as well. If you fall for one, you learn something at no cost. If you report one, you have done exactly what would have been right with a real one.\n\n> **Case: eleven minutes.** At 9:02 a counselor signs in on a page that she reached through a mail about the new room plan. At 9:04 she sees that the address is wrong. Her stomach drops. At 9:05 she calls the security administrator and says: \"I have typed my password into a wrong page, and the code.\" At 9:07 her account is disabled, and all of its sessions have ended. At 9:13 somebody tries to use it from another country. There is nothing to be had. At ten, everybody who got the same mail has been warned, two colleagues call in as well, and at eleven she works again, with a new password and a security key. In the report on the incident there is a sentence about her: \"The quick report prevented access to student records.\""
   },
   {
    "title": "A short list to keep",
    "text": "Print this section if you like, and put it where you can see it.\n\n### Before you act on a message\n\n- Did I expect it?\n- What does it want me to do?\n- What happens if I do nothing until I have asked?\n- Which of the feelings is it using: hurry, fear, duty, curiosity?\n- How can I check it without using anything that came with it?\n\n### Always\n\n- Open services by your bookmark.\n- Read addresses from the right.\n- Let the password manager decide whether a page is the right one.\n- Confirm only sign-ins that you have begun yourself.\n- Call back under a number that you already had.\n- Let a second person check changes of bank accounts and requests for data.\n- Report, also when you are not sure, and at once when you have clicked.\n\n### Never\n\n- Never tell anybody a password or a code, whoever they are.\n- Never switch on macros or paste commands because a page or a file asks you to.\n- Never plug in what you have found.\n- Never send names of students by mail, text or chat.\n- Never stay silent because it is embarrassing.\n\n> **Case: an ordinary Tuesday.** In one day, an administrator gets: a request to confirm a sign-in that she has just made; a mail by the payroll office about a form, with two spelling mistakes; an invitation to a meeting by a colleague who sits next door; a text about a parcel; and a reminder that this training is due. She confirms the first, because she began it. She opens the payroll portal by her bookmark and finds the form there: clumsy, but genuine. She asks her colleague over the partition: yes, it was him. She deletes the text, as she expects no parcel. She opens the training by her bookmark. Nothing of it took more than half a minute, and none of it depended on whether the message looked good. That is all there is to it."
   }
  ]
 },
 "assessments": {
  "pass_score": 85,
  "questions_per_attempt": 20,
  "questions": [
   {
    "prompt": "What do all kinds of phishing have in common?",
    "options": [
     {
      "text": "They come by email",
      "correct": false
     },
     {
      "text": "Somebody pretends to be somebody else, so that you act for them",
      "correct": true
     },
     {
      "text": "They contain a virus",
      "correct": false
     },
     {
      "text": "They have spelling mistakes",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Why is a counselor's account attractive to attackers? Choose all that apply.",
    "options": [
     {
      "text": "It opens the names of students in a crisis",
      "correct": true
     },
     {
      "text": "Messages can be sent to people who trust the address",
      "correct": true
     },
     {
      "text": "It can print money",
      "correct": false
     },
     {
      "text": "Counselors have no second factor",
      "correct": false
     }
    ]
   },
   {
    "prompt": "An attacker is in a mailbox. What is typically done early, so that the owner notices nothing?",
    "options": [
     {
      "text": "The mailbox is deleted",
      "correct": false
     },
     {
      "text": "A rule is added that hides answers",
      "correct": true
     },
     {
      "text": "The owner gets a friendly greeting",
      "correct": false
     },
     {
      "text": "The computer is switched off",
      "correct": false
     }
    ]
   },
   {
    "prompt": "\"Sign in within 15 minutes, or the review is closed without action.\" Which is the best response?",
    "options": [
     {
      "text": "Use the link, as a student may be in danger",
      "correct": false
     },
     {
      "text": "Open the service by your bookmark and look",
      "correct": true
     },
     {
      "text": "Answer and ask for more time",
      "correct": false
     },
     {
      "text": "Ignore it and tell nobody",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Somebody says that there is no time to ask anybody. What does that tell you?",
    "options": [
     {
      "text": "That you should hurry",
      "correct": false
     },
     {
      "text": "That the person is important",
      "correct": false
     },
     {
      "text": "That you should slow down and check",
      "correct": true
     },
     {
      "text": "That the request is certainly false",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A mail from \"the president\" asks for gift cards, and to tell nobody. What do you do?",
    "options": [
     {
      "text": "Buy them, and ask for the money back later",
      "correct": false
     },
     {
      "text": "Answer, and ask whether it is really the president",
      "correct": false
     },
     {
      "text": "Check with the president's office under the number in the directory, and report the mail",
      "correct": true
     },
     {
      "text": "Buy one only",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A message continues last week's conversation with a colleague, and has a new attachment that you did not expect. What is the best check?",
    "options": [
     {
      "text": "The old text below proves that it is genuine",
      "correct": false
     },
     {
      "text": "The absence of mistakes",
      "correct": false
     },
     {
      "text": "A call to the colleague under a known number",
      "correct": true
     },
     {
      "text": "A reply to the message",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Your phone asks again and again, at night, whether you are signing in. You are not. What do you do? Choose all that apply.",
    "options": [
     {
      "text": "Tap Yes once, so that it stops",
      "correct": false
     },
     {
      "text": "Tap No",
      "correct": true
     },
     {
      "text": "Change the password by your bookmark",
      "correct": true
     },
     {
      "text": "Report it",
      "correct": true
     }
    ]
   },
   {
    "prompt": "Why does somebody send forty requests to confirm a sign-in?",
    "options": [
     {
      "text": "The authenticator is broken",
      "correct": false
     },
     {
      "text": "They have the password, and hope that you confirm out of weariness",
      "correct": true
     },
     {
      "text": "It is a test that each phone does monthly",
      "correct": false
     },
     {
      "text": "They want to drain the battery",
      "correct": false
     }
    ]
   },
   {
    "prompt": "\"IT Helpdesk\" asks for the six digits on your phone. The displayed number is right. What do you do?",
    "options": [
     {
      "text": "Read them out, because the number is right",
      "correct": false
     },
     {
      "text": "Read out the first three",
      "correct": false
     },
     {
      "text": "Read out nothing, and call back under the number in the directory",
      "correct": true
     },
     {
      "text": "Ask the caller's name, and then read them out",
      "correct": false
     }
    ]
   },
   {
    "prompt": "To whom does the address `northfield.example.edu.sign-in.example.com` belong?",
    "options": [
     {
      "text": "northfield.example.edu",
      "correct": false
     },
     {
      "text": "sign-in",
      "correct": false
     },
     {
      "text": "example.com",
      "correct": true
     },
     {
      "text": "It cannot be told",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Where do you begin, when you read the host of an address?",
    "options": [
     {
      "text": "At the left",
      "correct": false
     },
     {
      "text": "At the right, before the first single slash",
      "correct": true
     },
     {
      "text": "In the middle",
      "correct": false
     },
     {
      "text": "At the longest word",
      "correct": false
     }
    ]
   },
   {
    "prompt": "The sender's address is exactly that of your colleague. What does it prove?",
    "options": [
     {
      "text": "That the colleague wrote it",
      "correct": false
     },
     {
      "text": "Little: it can be faked, or the mailbox was taken over",
      "correct": true
     },
     {
      "text": "That the mail passed the filter of viruses",
      "correct": false
     },
     {
      "text": "That the attachment is safe",
      "correct": false
     }
    ]
   },
   {
    "prompt": "What is the most reliable way to follow up a message that asks you to sign in?",
    "options": [
     {
      "text": "Rest the pointer on the link and read it",
      "correct": false
     },
     {
      "text": "Use the link in a private window",
      "correct": false
     },
     {
      "text": "Leave the link, and open the service by your bookmark",
      "correct": true
     },
     {
      "text": "Copy the link into a chat and ask",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A page shows a lock beside its address. What does that mean?",
    "options": [
     {
      "text": "Nobody between you and the page can listen",
      "correct": true
     },
     {
      "text": "The page belongs to who it says",
      "correct": false
     },
     {
      "text": "The page was checked by your university",
      "correct": false
     },
     {
      "text": "It has no malicious software",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Your password manager offers nothing on a page that looks like your sign-in page. What is the likely reason?",
    "options": [
     {
      "text": "The manager is out of date",
      "correct": false
     },
     {
      "text": "The address is another one than where the password was saved",
      "correct": true
     },
     {
      "text": "You have typed too slowly",
      "correct": false
     },
     {
      "text": "The page is under maintenance",
      "correct": false
     }
    ]
   },
   {
    "prompt": "And what do you do then?",
    "options": [
     {
      "text": "Copy the password from the manager into the page",
      "correct": false
     },
     {
      "text": "Leave the page, and open the service by your bookmark",
      "correct": true
     },
     {
      "text": "Switch the manager off",
      "correct": false
     },
     {
      "text": "Choose a simpler password",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Which unexpected requests call for a check by another way? Choose all that apply.",
    "options": [
     {
      "text": "To switch on editing or content in a file",
      "correct": true
     },
     {
      "text": "To change the account to which a supplier is paid",
      "correct": true
     },
     {
      "text": "To let an application read your mail",
      "correct": true
     },
     {
      "text": "To take part in the staff meeting that is in your calendar every week",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A message has no mistake and good style. What follows?",
    "options": [
     {
      "text": "It is genuine",
      "correct": false
     },
     {
      "text": "It is fake",
      "correct": false
     },
     {
      "text": "Nothing: texts of any style can be made by machine",
      "correct": true
     },
     {
      "text": "It was written by a lawyer",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A genuine company tells you that somebody shared a document. The document has a button to \"sign in with your university account\". What do you think of it?",
    "options": [
     {
      "text": "It is safe, as the company is genuine",
      "correct": false
     },
     {
      "text": "Anybody can share a document with anybody, and the button may lead anywhere",
      "correct": true
     },
     {
      "text": "It is safe, if the logo of the university is there",
      "correct": false
     },
     {
      "text": "It is safe on a phone",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A text about a parcel appears in the same thread as genuine ones. Why can it still be fake?",
    "options": [
     {
      "text": "Phones delete genuine ones",
      "correct": false
     },
     {
      "text": "The phone sorts by a name that anybody can use",
      "correct": true
     },
     {
      "text": "Parcels are never announced by text",
      "correct": false
     },
     {
      "text": "It cannot be fake",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A support contact asks you whether a text from this service is genuine. What is good advice? Choose all that apply.",
    "options": [
     {
      "text": "The page never asks for a password or money",
      "correct": true
     },
     {
      "text": "You can call the student without any link",
      "correct": true
     },
     {
      "text": "You can reply STOP",
      "correct": true
     },
     {
      "text": "I will send you a better link from my private phone",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A caller's voice is without doubt that of your dean. Why should you still call back before you do something unusual?",
    "options": [
     {
      "text": "Deans do not telephone",
      "correct": false
     },
     {
      "text": "Voices can be imitated from a short recording",
      "correct": true
     },
     {
      "text": "Telephones distort",
      "correct": false
     },
     {
      "text": "It is required by HIPAA",
      "correct": false
     }
    ]
   },
   {
    "prompt": "The dean's voice asks for a list of students in review, to a private address. What is the simplest reason to decline?",
    "options": [
     {
      "text": "The voice sounds tired",
      "correct": false
     },
     {
      "text": "The request would be forbidden even if it were the dean",
      "correct": true
     },
     {
      "text": "It is Friday",
      "correct": false
     },
     {
      "text": "The list is long",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A message in your team's chat asks you to run a program. What is true?",
    "options": [
     {
      "text": "Chat is inside, so it is safe",
      "correct": false
     },
     {
      "text": "Accounts are taken over there as well, so it is checked like a mail",
      "correct": true
     },
     {
      "text": "Only administrators can write in chat",
      "correct": false
     },
     {
      "text": "Programs cannot be sent by chat",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Why do attackers like square codes? Choose all that apply.",
    "options": [
     {
      "text": "Filters do not see where they lead",
      "correct": true
     },
     {
      "text": "They are opened on a phone, which shows less of the address",
      "correct": true
     },
     {
      "text": "They need no internet",
      "correct": false
     },
     {
      "text": "They work without a page",
      "correct": false
     }
    ]
   },
   {
    "prompt": "You find a USB stick labelled \"Final grades\" in the car park. What do you do?",
    "options": [
     {
      "text": "Plug it in to find the owner",
      "correct": false
     },
     {
      "text": "Plug it into a colleague's computer",
      "correct": false
     },
     {
      "text": "Bring it to IT security, plugged in nowhere",
      "correct": true
     },
     {
      "text": "Format it and use it",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A stranger with a ladder asks you to hold the door of the staff area. What is right?",
    "options": [
     {
      "text": "Hold it, a ladder is heavy",
      "correct": false
     },
     {
      "text": "Accompany the person to the reception",
      "correct": true
     },
     {
      "text": "Lend your card",
      "correct": false
     },
     {
      "text": "Walk on",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A message names your supervisor, your project and tomorrow's talk. What does that prove?",
    "options": [
     {
      "text": "Nothing, as all of it can be public",
      "correct": true
     },
     {
      "text": "That the sender works with you",
      "correct": false
     },
     {
      "text": "That the sender has your password",
      "correct": false
     },
     {
      "text": "That IT has checked it",
      "correct": false
     }
    ]
   },
   {
    "prompt": "After three weeks of pleasant mails, a doctoral student sends a file that \"only works with editing switched on\". What do you do?",
    "options": [
     {
      "text": "Open it, because trust has grown",
      "correct": false
     },
     {
      "text": "Ask for the questions in the text of the mail",
      "correct": true
     },
     {
      "text": "Open it on a colleague's computer",
      "correct": false
     },
     {
      "text": "Switch editing on, and off again afterwards",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Which rule protects best from fraud with bank accounts?",
    "options": [
     {
      "text": "Changes are made only on Mondays",
      "correct": false
     },
     {
      "text": "Changes need a mail by the supplier",
      "correct": false
     },
     {
      "text": "A second person checks each change by a call under a known number",
      "correct": true
     },
     {
      "text": "Changes need a letter with a signature",
      "correct": false
     }
    ]
   },
   {
    "prompt": "You allowed an application to read your mail, and regret it. What ends its access?",
    "options": [
     {
      "text": "Changing the password",
      "correct": false
     },
     {
      "text": "Switching off the computer",
      "correct": false
     },
     {
      "text": "Withdrawing the consent",
      "correct": true
     },
     {
      "text": "Deleting its welcome mail",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A page says: \"Paste this line into the command window to verify that you are human.\" What is it?",
    "options": [
     {
      "text": "A usual check",
      "correct": false
     },
     {
      "text": "An attempt to make you install malicious software",
      "correct": true
     },
     {
      "text": "A step of the update",
      "correct": false
     },
     {
      "text": "Harmless, if you have no administrator's rights",
      "correct": false
     }
    ]
   },
   {
    "prompt": "How should an administrator's account be used? Choose all that apply.",
    "options": [
     {
      "text": "For administration alone",
      "correct": true
     },
     {
      "text": "Without reading mail in it",
      "correct": true
     },
     {
      "text": "For everything, as it has more rights",
      "correct": false
     },
     {
      "text": "Shared by the team on duty",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Why did the code from the authenticator not protect the counselor on the journal's page?",
    "options": [
     {
      "text": "The code was too short",
      "correct": false
     },
     {
      "text": "The page in between passed it on to the real sign-in",
      "correct": true
     },
     {
      "text": "The authenticator was out of date",
      "correct": false
     },
     {
      "text": "It was typed twice",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Which second factor cannot be used on a wrong page at all?",
    "options": [
     {
      "text": "A code by text message",
      "correct": false
     },
     {
      "text": "A code from an authenticator",
      "correct": false
     },
     {
      "text": "A passkey or security key",
      "correct": true
     },
     {
      "text": "A question about your first pet",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A shop where you have an account lost its passwords. You use the same one at work. What can happen?",
    "options": [
     {
      "text": "Nothing, a shop is no university",
      "correct": false
     },
     {
      "text": "Programs try it at your work account within hours",
      "correct": true
     },
     {
      "text": "The shop changes it for you",
      "correct": false
     },
     {
      "text": "Only your orders become public",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Where do recovery codes belong?",
    "options": [
     {
      "text": "In the mailbox that they recover",
      "correct": false
     },
     {
      "text": "On paper in a safe place",
      "correct": true
     },
     {
      "text": "In a shared document of the team",
      "correct": false
     },
     {
      "text": "In the contact list of the phone",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Which of these will this service never do? Choose all that apply.",
    "options": [
     {
      "text": "Ask for your password by text",
      "correct": true
     },
     {
      "text": "Send an email to staff that names a student with a result",
      "correct": true
     },
     {
      "text": "Remind you of a training by email",
      "correct": false
     },
     {
      "text": "Ask for a code by telephone",
      "correct": true
     }
    ]
   },
   {
    "prompt": "You got a suspicious mail, and have not clicked. What do you do?",
    "options": [
     {
      "text": "Forward it to all colleagues as a warning",
      "correct": false
     },
     {
      "text": "Answer the sender",
      "correct": false
     },
     {
      "text": "Report it, then delete it",
      "correct": true
     },
     {
      "text": "Delete it without a word",
      "correct": false
     }
    ]
   },
   {
    "prompt": "You are not sure whether a message is phishing. Should you report it?",
    "options": [
     {
      "text": "No, false reports cost time",
      "correct": false
     },
     {
      "text": "Yes, reports of harmless messages are welcome",
      "correct": true
     },
     {
      "text": "Only if a colleague agrees",
      "correct": false
     },
     {
      "text": "Only after clicking, to be sure",
      "correct": false
     }
    ]
   },
   {
    "prompt": "You have typed your password into a wrong page. What is first?",
    "options": [
     {
      "text": "Delete the mail and the history",
      "correct": false
     },
     {
      "text": "Call your security administrator or IT security",
      "correct": true
     },
     {
      "text": "Wait whether something happens",
      "correct": false
     },
     {
      "text": "Switch the computer off",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Which device do you use to change the password afterwards?",
    "options": [
     {
      "text": "The same one, it is quickest",
      "correct": false
     },
     {
      "text": "Another one, by your bookmark",
      "correct": true
     },
     {
      "text": "A stranger's phone",
      "correct": false
     },
     {
      "text": "None, the attacker would see it",
      "correct": false
     }
    ]
   },
   {
    "prompt": "You opened a file that was malicious. What do you do with the device?",
    "options": [
     {
      "text": "Switch it off at once",
      "correct": false
     },
     {
      "text": "Go on, and watch what happens",
      "correct": false
     },
     {
      "text": "Leave it on, and take it off the network",
      "correct": true
     },
     {
      "text": "Format it yourself",
      "correct": false
     }
    ]
   },
   {
    "prompt": "Why should you delete nothing after a click?",
    "options": [
     {
      "text": "Deleting takes too long",
      "correct": false
     },
     {
      "text": "Message, history and file are evidence",
      "correct": true
     },
     {
      "text": "Deleted mails come back",
      "correct": false
     },
     {
      "text": "The attacker is told when you delete",
      "correct": false
     }
    ]
   },
   {
    "prompt": "After you reported a click, your account is disabled for some hours. Why?",
    "options": [
     {
      "text": "As a punishment",
      "correct": false
     },
     {
      "text": "So that it cannot be used, while it is found out what was read",
      "correct": true
     },
     {
      "text": "Because the law demands 60 days",
      "correct": false
     },
     {
      "text": "In order to save costs",
      "correct": false
     }
    ]
   },
   {
    "prompt": "What decides most how much damage a click does?",
    "options": [
     {
      "text": "The colour of the page",
      "correct": false
     },
     {
      "text": "The rank of the person",
      "correct": false
     },
     {
      "text": "The time between the click and the report",
      "correct": true
     },
     {
      "text": "The length of the password",
      "correct": false
     }
    ]
   },
   {
    "prompt": "A colleague tells you, ashamed, that she clicked on something an hour ago. What do you do?",
    "options": [
     {
      "text": "Promise to tell nobody",
      "correct": false
     },
     {
      "text": "Tell her that it is probably nothing",
      "correct": false
     },
     {
      "text": "Thank her, and help her to report it now",
      "correct": true
     },
     {
      "text": "Take over her computer and look into it",
      "correct": false
     }
    ]
   },
   {
    "prompt": "You fall for a test with a harmless phishing message. What is the right conclusion?",
    "options": [
     {
      "text": "Your career is over",
      "correct": false
     },
     {
      "text": "Tests are unfair, so ignore them",
      "correct": false
     },
     {
      "text": "You have learned something at no cost; next time report it",
      "correct": true
     },
     {
      "text": "Nobody should open mail any more",
      "correct": false
     }
    ]
   }
  ]
 }
}
$module$, 1);
