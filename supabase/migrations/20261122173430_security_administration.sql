SET local check_function_bodies = off;

DROP FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text);

DROP FUNCTION "private"."custom_access_token"(jsonb);

CREATE TABLE "private"."blocked_addresses" (
  "network"     cidr                     NOT NULL,
  "reason"      text                     NOT NULL,
  "incident_id" text,
  "blocked_at"  timestamp with time zone NOT NULL DEFAULT now(),
  "until"       timestamp with time zone NOT NULL,
  "times"       integer                  NOT NULL DEFAULT 1,
  CONSTRAINT "blocked_addresses_pkey" PRIMARY KEY (network),
  CONSTRAINT "blocked_addresses_reason_length" CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
  CONSTRAINT "blocked_addresses_times_range" CHECK (((times >= 1) AND (times <= 1000)))
);

CREATE TABLE "private"."compliance_checks" (
  "id"       text NOT NULL,
  "title"    text NOT NULL,
  "expected" text NOT NULL,
  CONSTRAINT "compliance_checks_id_form" CHECK ((id ~ '^[a-z][a-z_]{1,60}$'::text)),
  CONSTRAINT "compliance_checks_pkey" PRIMARY KEY (id)
);

CREATE TABLE "private"."compliance_facts" (
  "fact"        text                     NOT NULL,
  "happened_at" timestamp with time zone NOT NULL,
  "reference"   text                     NOT NULL,
  "told_at"     timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "compliance_facts_known"
    CHECK
    ((fact = ANY (ARRAY['backup'::text, 'restore_test'::text, 'risk_analysis'::text, 'impact_assessment'::text, 'encryption_at_rest'::text, 'access_review'::text,
    'incident_exercise'::text]))),
  CONSTRAINT "compliance_facts_past" CHECK ((happened_at <= told_at)),
  CONSTRAINT "compliance_facts_pkey" PRIMARY KEY (fact),
  CONSTRAINT "compliance_facts_reference_length" CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 500)))
);

CREATE TABLE "private"."detection_rules" (
  "rule" text NOT NULL,
  CONSTRAINT "detection_rules_pkey" PRIMARY KEY (RULE),
  CONSTRAINT "detection_rules_rule_form" CHECK ((rule ~ '^[a-z_]{1,60}$'::text))
);

CREATE TABLE "private"."detection_settings" (
  "only_row"             boolean                  NOT NULL DEFAULT true,
  "trust_auth_addresses" boolean                  NOT NULL DEFAULT false,
  "log_changes"          bigint                   NOT NULL DEFAULT 0,
  "verified_all_at"      timestamp with time zone,
  CONSTRAINT "detection_settings_only_row" CHECK (only_row),
  CONSTRAINT "detection_settings_pkey" PRIMARY KEY (only_row)
);

CREATE TABLE "private"."disabled_accounts" (
  "account"             uuid                     NOT NULL,
  "reason"              text                     NOT NULL,
  "incident_id"         text,
  "disabled_at"         timestamp with time zone NOT NULL DEFAULT now(),
  "banned_until_before" timestamp with time zone,
  CONSTRAINT "disabled_accounts_pkey" PRIMARY KEY (account),
  CONSTRAINT "disabled_accounts_reason_length" CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500)))
);

CREATE TABLE "private"."enabled_policies" (
  "policy_id" text    NOT NULL,
  "priority"  integer NOT NULL,
  CONSTRAINT "enabled_policies_pkey" PRIMARY KEY (policy_id)
);

CREATE TABLE "private"."evidence" (
  "id"          bigint                   GENERATED ALWAYS AS IDENTITY NOT NULL,
  "incident_id" text                     NOT NULL,
  "content"     jsonb                    NOT NULL,
  "sha256"      bytea                    NOT NULL,
  "sealed_at"   timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "evidence_once" UNIQUE (incident_id, sha256),
  CONSTRAINT "evidence_pkey" PRIMARY KEY (id),
  CONSTRAINT "evidence_sha256_length" CHECK ((octet_length(sha256) = 32))
);

CREATE TABLE "private"."known_networks" (
  "network" cidr NOT NULL,
  "kind"    text NOT NULL,
  "note"    text NOT NULL DEFAULT ''::text,
  CONSTRAINT "known_networks_kind_known" CHECK ((kind = ANY (ARRAY['platform'::text, 'campus'::text]))),
  CONSTRAINT "known_networks_note_length" CHECK ((char_length(note) <= 200)),
  CONSTRAINT "known_networks_pkey" PRIMARY KEY (network)
);

CREATE TABLE "private"."policy_counts" (
  "key"        text    NOT NULL,
  "policy_id"  text    NOT NULL,
  "kind"       text    NOT NULL,
  "by_account" boolean NOT NULL,
  "within_s"   integer NOT NULL,
  "threshold"  integer NOT NULL,
  CONSTRAINT "policy_counts_pkey" PRIMARY KEY (policy_id, key)
);

CREATE TABLE "private"."policy_days" (
  "policy_id" text   NOT NULL,
  "day"       date   NOT NULL,
  "triggered" bigint NOT NULL,
  CONSTRAINT "policy_days_pkey" PRIMARY KEY (policy_id, day)
);

CREATE TABLE "private"."policy_firings" (
  "id"        bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  "policy_id" text   NOT NULL,
  CONSTRAINT "policy_firings_pkey" PRIMARY KEY (id)
);

CREATE TABLE "private"."policy_triggers" (
  "policy_id"      text                     NOT NULL,
  "backend"        integer                  NOT NULL,
  "triggered"      bigint                   NOT NULL,
  "last_triggered" timestamp with time zone NOT NULL,
  CONSTRAINT "policy_triggers_pkey" PRIMARY KEY (policy_id, backend)
);

CREATE TABLE "private"."probe_accounts" (
  "user_id"        uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "run_id"         text                     NOT NULL,
  "part"           text                     NOT NULL,
  "tokens_expired" boolean                  NOT NULL DEFAULT false,
  "created_at"     timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "probe_accounts_once" UNIQUE (run_id, part),
  CONSTRAINT "probe_accounts_part_known" CHECK ((part = ANY (ARRAY['attacker'::text, 'victim'::text]))),
  CONSTRAINT "probe_accounts_pkey" PRIMARY KEY (user_id)
);

CREATE TABLE "private"."quarantines" (
  "function_name" text                     NOT NULL,
  "reason"        text                     NOT NULL,
  "incident_id"   text,
  "since"         timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "quarantines_function_name_form" CHECK ((function_name ~ '^(\*|[a-z][a-z-]{0,60})$'::text)),
  CONSTRAINT "quarantines_pkey" PRIMARY KEY (function_name),
  CONSTRAINT "quarantines_reason_length" CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500)))
);

CREATE TABLE "private"."schema_snapshot_of" (
  "only_row"  boolean                  NOT NULL DEFAULT true,
  "migration" text,
  "taken_at"  timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "schema_snapshot_of_only_row" CHECK (only_row),
  CONSTRAINT "schema_snapshot_of_pkey" PRIMARY KEY (only_row)
);

CREATE TABLE "private"."schema_snapshot" (
  "aspect" text NOT NULL,
  "object" text NOT NULL,
  "state"  text NOT NULL,
  CONSTRAINT "schema_snapshot_pkey" PRIMARY KEY (aspect, object)
);

CREATE TABLE "private"."security_events" (
  "id"          bigint                   GENERATED ALWAYS AS IDENTITY NOT NULL,
  "kind"        text                     NOT NULL,
  "source"      text                     NOT NULL,
  "minute"      timestamp with time zone NOT NULL,
  "occurred_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "last_at"     timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  "address"     inet,
  "account"     uuid,
  "occurrences" integer                  NOT NULL DEFAULT 1,
  "details"     jsonb                    NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT "security_events_details_size" CHECK ((octet_length((details)::text) <= 2000)),
  CONSTRAINT "security_events_kind_known"
    CHECK
    ((kind = ANY (ARRAY['sign_in_failed'::text, 'sign_in_succeeded'::text, 'token_refused'::text, 'access_refused'::text, 'rate_limited'::text, 'worker_secret_refused'::text,
    'link_refused'::text,
    'address_refused'::text,
    'students_read'::text, 'data_exported'::text, 'role_changed'::text, 'settings_changed'::text, 'policy_changed'::text, 'policy_triggered'::text, 'chain_broken'::text]))),
  CONSTRAINT "security_events_occurrences_positive" CHECK ((occurrences > 0)),
  CONSTRAINT "security_events_once_a_minute" UNIQUE NULLS NOT DISTINCT (kind, minute, source, address, account),
  CONSTRAINT "security_events_pkey" PRIMARY KEY (id),
  CONSTRAINT "security_events_source_known" CHECK ((source = ANY (ARRAY['functions'::text, 'auth'::text, 'database'::text])))
);

CREATE TABLE "public"."compliance_assessments" (
  "id" text NOT NULL,
  CONSTRAINT "compliance_assessments_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."compliance_assessments"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."compliance_assessments" FROM "anon";

CREATE TABLE "public"."compliance_controls" (
  "id" text NOT NULL,
  CONSTRAINT "compliance_controls_id_form" CHECK ((id ~ '^ctl_[a-z0-9_]{1,60}$'::text)),
  CONSTRAINT "compliance_controls_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."compliance_controls"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."compliance_controls" FROM "anon";

CREATE TABLE "public"."security_incidents" (
  "id" text NOT NULL DEFAULT ('inc_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
  CONSTRAINT "security_incidents_id_form" CHECK ((id ~ '^inc_[a-z0-9_]{1,60}$'::text)),
  CONSTRAINT "security_incidents_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."security_incidents"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."security_incidents" FROM "anon";

CREATE TABLE "public"."security_policies" (
  "id"   text NOT NULL DEFAULT ('pol_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
  "name" text NOT NULL,
  CONSTRAINT "security_policies_id_form" CHECK ((id ~ '^pol_[a-z0-9_]{1,60}$'::text)),
  CONSTRAINT "security_policies_name_form" CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200) AND (name !~ '[[:cntrl:]]'::text))),
  CONSTRAINT "security_policies_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."security_policies"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."security_policies" FROM "anon";

CREATE TABLE "public"."security_test_results" (
  "run_id" text NOT NULL
);

ALTER TABLE "public"."security_test_results"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."security_test_results" FROM "anon";

CREATE TABLE "public"."security_test_runs" (
  "id"        text    NOT NULL DEFAULT ('run_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
  "test_id"   text    NOT NULL,
  "scheduled" boolean NOT NULL DEFAULT false,
  CONSTRAINT "security_test_runs_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."security_test_runs"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."security_test_runs" FROM "anon";

CREATE TABLE "public"."security_tests" (
  "id"   text NOT NULL DEFAULT ('tst_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
  "name" text NOT NULL,
  CONSTRAINT "security_tests_id_form" CHECK ((id ~ '^tst_[a-z0-9_]{1,60}$'::text)),
  CONSTRAINT "security_tests_name_form" CHECK (((name !~ '[[:cntrl:]]'::text) AND ((char_length(name) >= 1) AND (char_length(name) <= 200)))),
  CONSTRAINT "security_tests_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."security_tests"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."security_tests" FROM "anon";

CREATE TABLE "public"."vulnerabilities" (
  "id" text NOT NULL DEFAULT ('vul_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)),
  CONSTRAINT "vulnerabilities_pkey" PRIMARY KEY (id)
);

ALTER TABLE "public"."vulnerabilities"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."vulnerabilities" FROM "anon";

CREATE TYPE "private"."policy_action" AS ENUM (
  'send_alerts',
  'disable_users',
  'create_audit_trails'
);

ALTER TABLE "private"."policy_firings"
  ADD COLUMN "action" private.policy_action NOT NULL;

ALTER TABLE "private"."policy_firings"
  ADD COLUMN "account" uuid;

ALTER TABLE "private"."policy_firings"
  ADD COLUMN "address" inet;

ALTER TABLE "private"."policy_firings"
  ADD COLUMN "fired_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TYPE "public"."audit_action" ADD VALUE 'security_test_changed' BEFORE 'students_listed';


SET local check_function_bodies = off;

ALTER TYPE "public"."audit_action" ADD VALUE 'security_test_run' BEFORE 'students_listed';


SET local check_function_bodies = off;

ALTER TYPE "public"."audit_action" ADD VALUE 'vulnerability_changed' BEFORE 'students_listed';


SET local check_function_bodies = off;

ALTER TYPE "public"."audit_action" ADD VALUE 'compliance_assessed' AFTER 'legal_hold_lifted';


SET local check_function_bodies = off;

ALTER TYPE "public"."audit_action" ADD VALUE 'control_decided' AFTER 'compliance_assessed';


SET local check_function_bodies = off;

ALTER TYPE "public"."audit_action" ADD VALUE 'incident_changed' AFTER 'control_decided';


SET local check_function_bodies = off;

ALTER TYPE "public"."audit_action" ADD VALUE 'response_action' AFTER 'incident_changed';


SET local check_function_bodies = off;

ALTER TYPE "public"."audit_action" ADD VALUE 'evidence_sealed' AFTER 'response_action';


SET local check_function_bodies = off;

ALTER TYPE "public"."audit_action" ADD VALUE 'policy_triggered' AFTER 'evidence_sealed';


SET local check_function_bodies = off;

CREATE TYPE "public"."compliance_framework" AS ENUM (
  'hipaa',
  'gdpr',
  'soc2'
);

ALTER TABLE "public"."compliance_assessments"
  ADD COLUMN "framework" public.compliance_framework NOT NULL;

ALTER TABLE "public"."compliance_assessments"
  ADD COLUMN "started_at" timestamp WITH time zone NOT NULL;

ALTER TABLE "public"."compliance_assessments"
  ADD COLUMN "ended_at" timestamp WITH time zone NOT NULL;

ALTER TABLE "public"."compliance_assessments"
  ADD COLUMN "requested_by" uuid;

ALTER TABLE "public"."compliance_assessments"
  ADD COLUMN "controls" jsonb NOT NULL;

ALTER TABLE "public"."compliance_assessments"
  ADD COLUMN "evidence" jsonb NOT NULL;

ALTER TABLE "public"."compliance_assessments"
  ADD COLUMN "hash" bytea NOT NULL;

ALTER TABLE "public"."compliance_controls"
  ADD COLUMN "framework" public.compliance_framework NOT NULL;

ALTER TABLE "public"."compliance_controls"
  ADD COLUMN "reference" text NOT NULL;

ALTER TABLE "public"."compliance_controls"
  ADD COLUMN "title" text NOT NULL;

ALTER TABLE "public"."compliance_controls"
  ADD COLUMN "requirement" text NOT NULL;

ALTER TABLE "public"."compliance_controls"
  ADD COLUMN "checks" text[] NOT NULL;

CREATE TYPE "public"."compliance_status" AS ENUM (
  'not_assessed',
  'compliant',
  'partial',
  'non_compliant',
  'not_applicable'
);

ALTER TABLE "private"."compliance_checks"
  ADD COLUMN "failure" public.compliance_status NOT NULL;

ALTER TABLE "private"."compliance_checks"
  ADD COLUMN "source" text;

ALTER TABLE "private"."compliance_checks"
  ADD COLUMN "query" text NOT NULL;

ALTER TABLE "public"."compliance_controls"
  ADD COLUMN "automated_status" public.compliance_status NOT NULL DEFAULT 'not_assessed'::public.compliance_status;

ALTER TABLE "public"."compliance_controls"
  ADD COLUMN "automated_at" timestamp WITH time zone;

ALTER TABLE "public"."compliance_controls"
  ADD COLUMN "decision" public.compliance_status;

ALTER TABLE "public"."compliance_controls"
  ADD COLUMN "decision_reason" text;

ALTER TABLE "public"."compliance_controls"
  ADD COLUMN "decision_evidence" jsonb;

ALTER TABLE "public"."compliance_controls"
  ADD COLUMN "decided_at" timestamp WITH time zone;

ALTER TABLE "public"."compliance_controls"
  ADD COLUMN "decided_by" uuid;

CREATE TYPE "public"."enforcement_point" AS ENUM (
  'request',
  'sign_in'
);

ALTER TABLE "private"."enabled_policies"
  ADD COLUMN "enforcement_points" public.enforcement_point[] NOT NULL;

ALTER TABLE "private"."enabled_policies"
  ADD COLUMN "dry_run" boolean NOT NULL;

ALTER TABLE "private"."enabled_policies"
  ADD COLUMN "actions" jsonb NOT NULL;

ALTER TABLE "private"."enabled_policies"
  ADD COLUMN "condition" jsonpath NOT NULL;

CREATE TYPE "public"."incident_severity" AS ENUM (
  'low',
  'medium',
  'high',
  'critical'
);

CREATE TYPE "public"."incident_status" AS ENUM (
  'open',
  'investigating',
  'contained',
  'resolved',
  'closed'
);

CREATE TYPE "public"."incident_type" AS ENUM (
  'unauthorized_access',
  'data_breach',
  'brute_force_attacks',
  'privilege_escalation',
  'data_exfiltration',
  'compliance_violations',
  'suspicious_activity',
  'system_compromise'
);

ALTER TABLE "private"."detection_rules"
  ADD COLUMN "type" public.incident_type NOT NULL;

ALTER TABLE "private"."detection_rules"
  ADD COLUMN "severity" public.incident_severity NOT NULL;

ALTER TABLE "private"."detection_rules"
  ADD COLUMN "threshold" integer NOT NULL;

ALTER TABLE "private"."detection_rules"
  ADD COLUMN "period" interval NOT NULL;

ALTER TABLE "private"."detection_rules"
  ADD COLUMN "respond" text[] NOT NULL DEFAULT '{}'::text[];

ALTER TABLE "private"."detection_rules"
  ADD COLUMN "enabled" boolean NOT NULL DEFAULT true;

ALTER TABLE "private"."detection_rules"
  ADD COLUMN "about" text NOT NULL;

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "type" public.incident_type NOT NULL;

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "severity" public.incident_severity NOT NULL;

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "status" public.incident_status NOT NULL DEFAULT 'open'::public.incident_status;

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "title" text NOT NULL;

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "description" text NOT NULL;

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "detected_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "affected_systems" text[] NOT NULL DEFAULT '{}'::text[];

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "affected_users" text[] NOT NULL DEFAULT '{}'::text[];

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "indicators" jsonb NOT NULL DEFAULT '{}'::jsonb;

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "response" jsonb NOT NULL DEFAULT '[]'::jsonb;

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "timeline" jsonb NOT NULL DEFAULT '[]'::jsonb;

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "metadata" jsonb NOT NULL DEFAULT '{}'::jsonb;

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "key" text NOT NULL;

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "owner" uuid;

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "aware_at" timestamp WITH time zone;

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "last_seen_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."security_incidents"
  ADD COLUMN "ended_at" timestamp WITH time zone;

CREATE TYPE "private"."finding" AS (
  "rule"        text,
  "key"         text,
  "title"       text,
  "description" text,
  "evidence"    jsonb,
  "affected"    uuid[],
  "addresses"   inet[],
  "systems"     text[],
  "type"        public.incident_type,
  "severity"    public.incident_severity
);

CREATE TYPE "public"."policy_category" AS ENUM (
  'access_control',
  'data_protection',
  'authentication',
  'compliance',
  'incident_response',
  'monitoring'
);

ALTER TABLE "public"."security_policies"
  ADD COLUMN "category" public.policy_category NOT NULL;

CREATE TYPE "public"."policy_type" AS ENUM (
  'preventive',
  'detective',
  'corrective'
);

ALTER TABLE "public"."security_policies"
  ADD COLUMN "type" public.policy_type NOT NULL;

ALTER TABLE "public"."security_policies"
  ADD COLUMN "conditions" jsonb NOT NULL;

ALTER TABLE "public"."security_policies"
  ADD COLUMN "actions" jsonb NOT NULL;

ALTER TABLE "public"."security_policies"
  ADD COLUMN "enforcement_points" public.enforcement_point[] NOT NULL DEFAULT '{request,sign_in}'::public.enforcement_point[];

ALTER TABLE "public"."security_policies"
  ADD COLUMN "priority" integer NOT NULL;

ALTER TABLE "public"."security_policies"
  ADD COLUMN "enabled" boolean NOT NULL DEFAULT true;

ALTER TABLE "public"."security_policies"
  ADD COLUMN "dry_run" boolean NOT NULL DEFAULT false;

ALTER TABLE "public"."security_policies"
  ADD COLUMN "trigger_count" integer NOT NULL DEFAULT 0;

ALTER TABLE "public"."security_policies"
  ADD COLUMN "last_triggered" timestamp WITH time zone;

ALTER TABLE "public"."security_policies"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."security_policies"
  ADD COLUMN "updated_at" timestamp WITH time zone NOT NULL DEFAULT now();

CREATE TYPE "public"."security_probe_status" AS ENUM (
  'queued',
  'running',
  'passed',
  'faults_found',
  'failed'
);

CREATE TYPE "public"."security_probe" AS ENUM (
  'forged_tokens',
  'foreign_tokens',
  'ended_tokens',
  'other_students_rows',
  'other_students_files',
  'other_students_channels',
  'role_escalation',
  'hidden_schemas',
  'rate_limits',
  'injection',
  'security_headers',
  'worker_doors',
  'replayed_links'
);

ALTER TABLE "public"."security_test_results"
  ADD COLUMN "probe" public.security_probe NOT NULL;

ALTER TABLE "public"."security_test_results"
  ADD COLUMN "status" public.security_probe_status NOT NULL DEFAULT 'queued'::public.security_probe_status;

ALTER TABLE "public"."security_test_results"
  ADD COLUMN "attempts" smallint NOT NULL DEFAULT 0;

ALTER TABLE "public"."security_test_results"
  ADD COLUMN "due_at" timestamp WITH time zone NOT NULL DEFAULT '-infinity'::timestamp WITH time zone;

ALTER TABLE "public"."security_test_results"
  ADD COLUMN "started_at" timestamp WITH time zone;

ALTER TABLE "public"."security_test_results"
  ADD COLUMN "ended_at" timestamp WITH time zone;

ALTER TABLE "public"."security_test_results"
  ADD COLUMN "checks" integer;

ALTER TABLE "public"."security_test_results"
  ADD COLUMN "findings" jsonb NOT NULL DEFAULT '[]'::jsonb;

ALTER TABLE "public"."security_test_results"
  ADD COLUMN "error_code" text;

ALTER TABLE "public"."security_tests"
  ADD COLUMN "probes" public.security_probe[] NOT NULL;

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "probe" public.security_probe NOT NULL;

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "fault" text NOT NULL;

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "title" text NOT NULL;

CREATE TYPE "public"."security_test_run_status" AS ENUM (
  'running',
  'completed',
  'failed'
);

ALTER TABLE "public"."security_test_runs"
  ADD COLUMN "status" public.security_test_run_status NOT NULL DEFAULT 'running'::public.security_test_run_status;

ALTER TABLE "public"."security_test_runs"
  ADD COLUMN "requested_by" uuid;

ALTER TABLE "public"."security_test_runs"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."security_test_runs"
  ADD COLUMN "ended_at" timestamp WITH time zone;

CREATE TYPE "public"."security_test_schedule" AS ENUM (
  'on_demand',
  'daily',
  'weekly'
);

ALTER TABLE "public"."security_tests"
  ADD COLUMN "schedule" public.security_test_schedule NOT NULL DEFAULT 'on_demand'::public.security_test_schedule;

ALTER TABLE "public"."security_tests"
  ADD COLUMN "enabled" boolean NOT NULL DEFAULT true;

ALTER TABLE "public"."security_tests"
  ADD COLUMN "next_run_at" timestamp WITH time zone;

ALTER TABLE "public"."security_tests"
  ADD COLUMN "created_at" timestamp WITH time zone NOT NULL DEFAULT now();

CREATE TYPE "public"."vulnerability_severity" AS ENUM (
  'low',
  'medium',
  'high',
  'critical'
);

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "severity" public.vulnerability_severity NOT NULL;

CREATE TYPE "public"."vulnerability_status" AS ENUM (
  'open',
  'fixed',
  'accepted'
);

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "status" public.vulnerability_status NOT NULL DEFAULT 'open'::public.vulnerability_status;

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "evidence" jsonb NOT NULL DEFAULT '{}'::jsonb;

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "found_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "found_in" text;

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "last_found_at" timestamp WITH time zone NOT NULL DEFAULT now();

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "times_found" integer NOT NULL DEFAULT 1;

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "fixed_at" timestamp WITH time zone;

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "fixed_in" text;

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "accepted_at" timestamp WITH time zone;

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "accepted_by" uuid;

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "accepted_until" timestamp WITH time zone;

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "accepted_reason" text;

ALTER TABLE "public"."vulnerabilities"
  ADD COLUMN "regression_of" text;

CREATE OR REPLACE FUNCTION private.accept_vulnerability (
  vulnerability text,
  reason        text,
  until         timestamp with time zone
)
  RETURNS public.vulnerabilities
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  old public.vulnerabilities;
  accepted public.vulnerabilities;
begin
  perform private.require_security_admin();
  select * into old from public.vulnerabilities v where v.id = vulnerability for update;
  if not found then
    perform private.refuse(404, 'vulnerability_not_found', 'There is no vulnerability of this id.');
  elsif old.status = 'fixed' then
    perform private.refuse(409, 'vulnerability_fixed', 'It is fixed. If it comes back, that is another vulnerability.');
  elsif until is null or until <= now() or until > now() + interval '366 days'
    or reason is null or char_length(reason) not between 10 and 2000
  then
    perform private.refuse(400, 'invalid_value', 'Accept it for at most 366 days, and give a reason of 10 to 2000 characters.');
  end if;
  update public.vulnerabilities v
  set status = 'accepted', accepted_at = now(), accepted_until = until, accepted_reason = reason,
    accepted_by = private.current_account()
  where v.id = vulnerability
  returning * into accepted;
  perform private.audit(
    'vulnerability_changed', null, 'vulnerabilities', vulnerability,
    private.changed_columns(to_jsonb(old), to_jsonb(accepted)) - 'accepted_by',
    private.changed_columns(to_jsonb(accepted), to_jsonb(old)) - 'accepted_by'
  );
  return accepted;
end
$function$;

CREATE OR REPLACE FUNCTION private.account_of_address (
  email_address text
)
  RETURNS uuid
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select id from auth.users where email = lower(email_address) and deleted_at is null and not is_sso_user limit 1
$function$;

CREATE OR REPLACE FUNCTION private.act_on_firing()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.take_policy_action(new.policy_id, new.action, new.account, new.address);
  return null;
exception
  -- What a policy cannot do must not undo the request that it applied to.
  when others then
    raise warning 'The action % of the policy % failed: %', new.action, new.policy_id, sqlerrm;
    return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.activity_findings (
  at timestamp with time zone
)
  RETURNS SETOF private.finding
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with r as (
    select max(period) filter (where rule = 'mass_reading') as reading_period,
      max(threshold) filter (where rule = 'mass_reading') as reading,
      max(period) filter (where rule = 'mass_export') as export_period,
      max(threshold) filter (where rule = 'mass_export') as exports,
      max(period) filter (where rule = 'many_addresses') as address_period,
      max(threshold) filter (where rule = 'many_addresses') as addresses,
      max(period) filter (where rule = 'role_change') as role_period
    from private.detection_rules
  )
  select
    'mass_reading', 'reading:' || l.actor_id, 'One person reads many students',
    format('%s students and %s pages of lists within the period.', count(distinct l.subject_id), count(*) filter (where l.action = 'students_listed')),
    jsonb_build_object(
      'students', count(distinct l.subject_id),
      'pages', count(*) filter (where l.action = 'students_listed'),
      'audit_entries', jsonb_build_array(min(l.id), max(l.id))
    ),
    array[l.actor_id], array_agg(distinct l.ip) filter (where l.ip is not null), array['students'],
    null::public.incident_type, null::public.incident_severity
  from r
  join private.audit_log l on l.action in ('student_read', 'students_listed') and l.occurred_at > at - r.reading_period
  where l.actor_id is not null and l.occurred_at > private.resolved_at('reading:' || l.actor_id)
  group by l.actor_id, r.reading
  having count(distinct l.subject_id) >= r.reading or count(*) filter (where l.action = 'students_listed') >= r.reading
  union all
  select
    'mass_export', 'exports:' || host(l.ip), 'Exports of many accounts from one address',
    format('%s accounts exported their data from %s.', count(distinct l.actor_id), host(l.ip)),
    jsonb_build_object('accounts', count(distinct l.actor_id), 'audit_entries', jsonb_build_array(min(l.id), max(l.id))),
    array_agg(distinct l.actor_id) filter (where l.actor_id is not null), array[l.ip], array['exports'], null, null
  from r
  join private.audit_log l on l.action = 'data_exported' and l.occurred_at > at - r.export_period
  where l.ip is not null
    and private.network_kind(l.ip) is null
    and l.occurred_at > private.resolved_at('exports:' || host(l.ip))
  group by l.ip, r.exports
  having count(distinct l.actor_id) >= r.exports
  union all
  select
    'many_addresses', 'addresses:' || e.account, 'One account signs in from many addresses',
    format('Signed in from %s addresses within the period.', count(distinct private.block_network(e.address))),
    jsonb_build_object('networks', count(distinct private.block_network(e.address))),
    array[e.account], (array_agg(distinct e.address))[:100], array['sign_in'], null, null
  from r
  join private.security_events e on e.kind = 'sign_in_succeeded' and e.minute >= date_trunc('minute', at - r.address_period)
  where e.account is not null and private.network_kind(e.address) is null
    and e.last_at > private.resolved_at('addresses:' || e.account)
  group by e.account, r.addresses
  having count(distinct private.block_network(e.address)) >= r.addresses
  union all
  -- Roles are granted by operators, who are no account, or by a security administrator to somebody else.
  select
    'role_change', 'roles:' || l.actor_id, 'Somebody grants a role that is not theirs to grant',
    format('The role %s was granted by %s.', string_agg(distinct l.after ->> 'role', ', '),
      case when bool_or(l.actor_id = l.subject_id) then 'its holder' else 'no security administrator' end),
    jsonb_build_object('roles', jsonb_agg(distinct l.after -> 'role'), 'audit_entries', jsonb_build_array(min(l.id), max(l.id))),
    array[l.actor_id] || (array_agg(distinct l.subject_id) filter (where l.subject_id <> l.actor_id)),
    array_agg(distinct l.ip) filter (where l.ip is not null), array['roles'], null, null
  from r
  join private.audit_log l on l.action = 'role_granted' and l.occurred_at > at - r.role_period
  where l.actor_id is not null
    and (
      l.actor_id = l.subject_id
      or not exists (select from public.user_roles u where u.user_id = l.actor_id and u.role = 'security_admin')
    )
    and l.occurred_at > private.resolved_at('roles:' || l.actor_id)
  group by l.actor_id
$function$;

CREATE OR REPLACE FUNCTION private.address_digits (
  address inet
)
  RETURNS text
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
begin
  -- The bytes of an address follow four of header.
  return case family(address) when 4 then '00000000000000000000ffff' else '' end
    || encode(substring(inet_send(host(address)::inet) from 5), 'hex');
end
$function$;

CREATE OR REPLACE FUNCTION private.advance_security_tests (
  at timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  due text[];
begin
  -- Their workers were lost with the last attempt.
  update public.security_test_results r
  set status = 'failed', error_code = coalesce(r.error_code, 'worker_lost'), ended_at = at
  where r.status in ('queued', 'running') and r.due_at <= at and r.attempts >= 3;
  perform private.end_security_test_run(r.id) from public.security_test_runs r where r.status = 'running';
  with begun as (
    update public.security_tests t
    -- What was missed is not caught up: one run says how things are now.
    set next_run_at = at + case t.schedule when 'daily' then interval '1 day' else interval '7 days' end
    where t.enabled and t.next_run_at <= at
    returning t.id
  )
  select array_agg(b.id) into due from begun b;
  perform private.begin_security_test_run(test, null) from unnest(due) as test;
  update public.vulnerabilities v
  set status = 'open'
  where v.status = 'accepted' and v.accepted_until <= at;
  delete from private.probe_accounts a using public.security_test_runs r
  where r.id = a.run_id and r.ended_at < at - interval '1 day';
  perform private.dispatch_security_tests()
  where exists (select from public.security_test_results r where r.status in ('queued', 'running') and r.due_at <= at);
end
$function$;

CREATE OR REPLACE FUNCTION private.assess_compliance (
  assessed public.compliance_framework
)
  RETURNS public.compliance_assessments
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  made public.compliance_assessments;
begin
  -- One assessment of a framework at a time, so that the last one is what the controls show.
  perform pg_advisory_xact_lock(88, array_position(enum_range(null::public.compliance_framework), assessed));
  made.id := 'asm_' || replace(gen_random_uuid()::text, '-', '');
  made.framework := assessed;
  made.requested_by := private.current_account();
  made.started_at := clock_timestamp();
  select coalesce(jsonb_agg(private.run_compliance_check(c) order by c.id), '[]') into made.evidence
  from private.compliance_checks c
  where c.id in (select unnest(k.checks) from public.compliance_controls k where k.framework = assessed);
  made.ended_at := clock_timestamp();

  update public.compliance_controls k
  set automated_status = private.automated_status(k.checks, made.evidence), automated_at = made.ended_at
  where k.framework = assessed and k.checks <> '{}';
  select jsonb_agg(
    jsonb_build_object(
      'id', k.id,
      'reference', k.reference,
      'title', k.title,
      'requirement', k.requirement,
      'checks', k.checks,
      'automated_status', k.automated_status,
      'decision', private.decision_of(k)
    )
    order by k.id
  ) into made.controls
  from public.compliance_controls k
  where k.framework = assessed;

  made.hash := private.assessment_hash(made);
  insert into public.compliance_assessments values (made.*);
  perform private.audit(
    'compliance_assessed',
    target_type => 'compliance_assessments',
    target_id => made.id,
    details => jsonb_build_object('framework', assessed, 'sha256', encode(made.hash, 'hex'))
  );
  return made;
end
$function$;

CREATE OR REPLACE FUNCTION private.assessment_hash (
  assessment public.compliance_assessments
)
  RETURNS bytea
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select sha256(
    convert_to(
      jsonb_build_array(
        assessment.id,
        assessment.framework,
        extract(epoch from assessment.started_at),
        extract(epoch from assessment.ended_at),
        assessment.controls,
        assessment.evidence
      )::text,
      'UTF8'
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.attested_address()
  RETURNS inet
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  told text := private.request_header('x-client-address');
  address text := split_part(told, ' ', 1);
begin
  if told is not null and told = address || ' ' || (
    select encode(extensions.hmac('x-client-address ' || address, decrypted_secret, 'sha256'), 'hex')
    from vault.decrypted_secrets
    where name = 'pipeline_secret'
  ) then
    return address::inet;
  end if;
  return null;
exception
  when invalid_text_representation then
    return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_evidence()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.audit(
    'evidence_sealed', null, 'security_incidents', new.incident_id,
    details => jsonb_build_object('sha256', encode(new.sha256, 'hex'))
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_failed_sign_in (
  reason     text,
  ip         inet,
  user_agent text,
  request_id text DEFAULT NULL::text,
  tried      text DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.audit(
    'sign_in_failed',
    actor => null,
    details => jsonb_build_object('reason', reason),
    ip => ip,
    user_agent => user_agent,
    request_id => request_id
  );
  perform private.note_security_event(
    'sign_in_failed', private.account_of_address(tried), ip, jsonb_build_object('reason', reason), 'functions'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_incident()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.audit(
    'incident_changed', null, 'security_incidents', new.id,
    case when tg_op = 'UPDATE' then jsonb_build_object('status', old.status, 'severity', old.severity) end,
    jsonb_build_object('status', new.status, 'severity', new.severity, 'type', new.type)
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.audit_response()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  latest jsonb := new.response -> -1;
  actor uuid := (new.timeline -> -1 ->> 'by')::uuid;
begin
  perform private.audit(
    'response_action', null, 'security_incidents', new.id,
    details => jsonb_build_object('action', latest -> 'action', 'undone', latest -> 'undone', 'status', latest -> 'status'),
    actor => actor,
    subject => case
      when latest ->> 'action' = 'disable_user' and pg_input_is_valid(latest ->> 'target', 'uuid') then (latest ->> 'target')::uuid
    end
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.automated_status (
  checks   text[],
  evidence jsonb
)
  RETURNS public.compliance_status
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
    when bool_or(e.result = 'failed' and e.failure = 'non_compliant') then 'non_compliant'
    when bool_or(e.result = 'failed') then 'partial'
    when bool_and(e.result = 'passed') then 'compliant'
    else 'not_assessed'
  end::public.compliance_status
  from unnest(checks) as c (id)
  left join jsonb_to_recordset(evidence) as e (check_id text, result text, failure text) on e.check_id = c.id
$function$;

CREATE OR REPLACE FUNCTION private.begin_security_test_run (
  test     text,
  begun_by uuid
)
  RETURNS public.security_test_runs
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  run public.security_test_runs;
begin
  -- One run of a test at a time: who asks again joins the one that goes on.
  insert into public.security_test_runs (test_id, scheduled, requested_by)
  values (test, begun_by is null, begun_by)
  on conflict (test_id) where status = 'running' do nothing
  returning * into run;
  if run.id is null then
    select r.* into run from public.security_test_runs r where r.test_id = test and r.status = 'running';
    return run;
  end if;
  insert into public.security_test_results (run_id, probe)
  select run.id, p from public.security_tests t cross join lateral unnest(t.probes) as p where t.id = test;
  insert into private.probe_accounts (run_id, part) values (run.id, 'attacker'), (run.id, 'victim');
  perform private.dispatch_security_tests();
  return run;
end
$function$;

CREATE OR REPLACE FUNCTION private.block_address (
  address  inet,
  until    timestamp with time zone,
  reason   text,
  incident text                     DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
declare
  blocked private.blocked_addresses;
begin
  if private.network_kind(address) is not null then
    return jsonb_build_object('status', 'failed', 'detail', 'This network is known, and is never blocked.');
  end if;
  insert into private.blocked_addresses as b (network, reason, incident_id, until)
  values (
    private.block_network(address),
    left(reason, 500),
    incident,
    coalesce(block_address.until, now() + interval '1 hour')
  )
  on conflict on constraint blocked_addresses_pkey do update
  set
    reason = excluded.reason,
    incident_id = excluded.incident_id,
    blocked_at = case when b.until > now() then b.blocked_at else now() end,
    times = case when b.until > now() then b.times else least(b.times + 1, 1000) end,
    until = greatest(
      b.until,
      coalesce(
        block_address.until,
        case when b.until > now() then b.until else now() + interval '1 hour' * power(2, least(b.times, 10)) end
      )
    )
  returning * into blocked;
  return jsonb_build_object('status', 'done', 'until', blocked.until, 'times', blocked.times);
end
$function$;

CREATE OR REPLACE FUNCTION private.block_network (
  address inet
)
  RETURNS cidr
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
    when family(address) = 4 then network(set_masklen(address, 32))
    when address <<= inet '::ffff:0:0/96' then network(set_masklen(replace(host(address), '::ffff:', '')::inet, 32))
    else network(set_masklen(address, 64))
  end
$function$;

CREATE OR REPLACE FUNCTION private.chain_findings (
  at timestamp with time zone
)
  RETURNS SETOF private.finding
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  settings private.detection_settings;
  changes bigint;
  verdict record;
begin
  select * into strict settings from private.detection_settings;
  select coalesce(sum(case relname when 'audit_logs' then n_tup_upd + n_tup_del else n_tup_upd end), 0)
  into changes
  from pg_stat_user_tables
  where (schemaname, relname) in (('public', 'audit_logs'), ('private', 'audit_identities'));
  if changes <> settings.log_changes or settings.verified_all_at is null or settings.verified_all_at < at - interval '1 day'
    or exists (select from public.security_incidents where key = 'audit_chain' and ended_at is null)
  then
    select * into verdict from private.verify_audit_log(1);
    if verdict.intact then
      update private.detection_settings set log_changes = changes, verified_all_at = at;
    end if;
  else
    select * into verdict from private.verify_audit_log(null);
  end if;
  if verdict.intact is false then
    perform private.note_security_event('chain_broken', null, null, jsonb_build_object('broken_at', verdict.broken_at));
    return next row(
      'broken_chain', 'audit_chain', 'The audit log was altered',
      format('The chain of the audit log is broken%s: %s.', ' at entry ' || verdict.broken_at, verdict.problem),
      jsonb_build_object('broken_at', verdict.broken_at, 'problem', verdict.problem, 'entries', verdict.entries),
      null, null, array['audit_log'], null, null
    )::private.finding;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.change_incident (
  incident text,
  status   public.incident_status,
  owner    uuid,
  note     text,
  aware_at timestamp with time zone
)
  RETURNS public.security_incidents
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  subject public.security_incidents;
  next_status public.incident_status := status;
  next_owner uuid := owner;
  known_at timestamptz := aware_at;
begin
  perform private.require_security_admin();
  select * into subject from public.security_incidents i where i.id = incident for update;
  if not found then
    perform private.refuse(404, 'incident_not_found', 'There is no such incident.');
  end if;
  if next_owner is not null and not private.has_role(next_owner, 'security_admin', null) then
    perform private.refuse(404, 'staff_not_found', 'There is no security administrator with this account.');
  end if;
  if known_at > now() or jsonb_array_length(subject.timeline) >= 990 then
    perform private.refuse(400, 'invalid_value', 'A breach is known from the past on, and a timeline has an end.');
  end if;
  if next_status <> subject.status and not private.may_become(subject.status, next_status) then
    perform private.refuse(
      409, 'incident_transition', format('An incident that is %s cannot become %s.', subject.status, next_status)
    );
  end if;
  update public.security_incidents i
  set
    status = coalesce(next_status, i.status),
    owner = coalesce(next_owner, i.owner),
    aware_at = coalesce(known_at, i.aware_at),
    timeline = i.timeline || private.incident_entry('changed', jsonb_strip_nulls(jsonb_build_object(
      'status', nullif(next_status, i.status),
      'owner', nullif(next_owner, i.owner),
      'aware_at', known_at,
      'note', left(note, 2000)
    )))
  where i.id = incident
  returning * into subject;
  return subject;
end
$function$;

CREATE OR REPLACE FUNCTION private.check_call (
  address inet,
  called  text
)
  RETURNS TABLE (
    code    text,
    retry_s integer
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return query
  select 'address_blocked', greatest(1, ceil(extract(epoch from b.until - now())))::integer
  from private.blocked_addresses b
  where address is not null and b.network = private.block_network(address) and b.until > now()
  union all
  select 'quarantined', 60 from private.quarantines q where q.function_name in (called, '*')
  order by 1
  limit 1;
end
$function$;

CREATE OR REPLACE FUNCTION private.check_policy_actions (
  actions jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  known constant text[] := '{block_access,require_mfa,log_events,send_alerts,disable_users,apply_rate_limits,create_audit_trails}';
  given record;
begin
  if jsonb_typeof(actions) <> 'array' or jsonb_array_length(actions) not between 1 and 7 then
    perform private.refuse_policy('actions', 'it is a list of 1 to 7 actions');
  end if;
  for given in
    select
      format('actions[%s]', a.position - 1) as place,
      a.value,
      case jsonb_typeof(a.value) when 'object' then a.value ->> 'action' end as action,
      case jsonb_typeof(a.value) when 'object' then array(select k from jsonb_object_keys(a.value) as k order by k) end as members
    from jsonb_array_elements(actions) with ordinality as a (value, position)
  loop
    if given.action is null or given.action <> all (known) then
      perform private.refuse_policy(given.place || '.action', 'it is one of ' || array_to_string(known, ', '));
    end if;
    if given.action = 'apply_rate_limits' then
      if given.members <> '{action,period,requests}'
        or not coalesce(private.is_integer_between(given.value -> 'requests', 1, 10000), false)
        or not coalesce(private.is_integer_between(given.value -> 'period', 1, 86400), false) then
        perform private.refuse_policy(
          given.place, 'it names requests, from 1 to 10000, and period, from 1 to 86400 seconds, in whole numbers'
        );
      end if;
    elsif given.members <> '{action}' then
      perform private.refuse_policy(given.place, format('%s has no other members', given.action));
    end if;
  end loop;
  if (select count(distinct a ->> 'action') from jsonb_array_elements(actions) as a) < jsonb_array_length(actions) then
    perform private.refuse_policy('actions', 'it names each action once');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.claim_security_probe()
  RETURNS TABLE (
    run_id   text,
    probe    public.security_probe,
    attempts smallint,
    attacker uuid,
    victim   uuid
  )
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
declare
  chosen public.security_test_results;
begin
  -- One probe at a time, whichever run it belongs to: what they use up of limits must not add up.
  perform pg_advisory_xact_lock(92, 0);
  if exists (select from public.security_test_results r where r.status = 'running' and r.due_at > now()) then
    return;
  end if;
  select r.* into chosen
  from public.security_test_results r
  join public.security_test_runs u on u.id = r.run_id
  where r.status in ('queued', 'running') and r.due_at <= now() and r.attempts < 3
  order by u.created_at, r.run_id, r.probe
  limit 1
  for update of r skip locked;
  if chosen.run_id is null then
    return;
  end if;
  return query
  update public.security_test_results r
  set status = 'running', attempts = r.attempts + 1, started_at = now(), due_at = clock_timestamp() + interval '2 minutes'
  where r.run_id = chosen.run_id and r.probe = chosen.probe
  returning
    r.run_id, r.probe, r.attempts,
    (select a.user_id from private.probe_accounts a where a.run_id = r.run_id and a.part = 'attacker'),
    (select a.user_id from private.probe_accounts a where a.run_id = r.run_id and a.part = 'victim');
end
$function$;

CREATE OR REPLACE FUNCTION private.compile_comparison (
  condition jsonb,
  place     text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  named constant text := condition ->> 'field';
  op constant text := condition ->> 'op';
  value constant jsonb := condition -> 'value';
  known record;
  operators text[];
  given jsonb;
  operand text;
  comparisons text[];
begin
  select * into known from private.policy_fields() f where f.field = named and jsonb_typeof(condition -> 'field') = 'string';
  if not found then
    perform private.refuse_policy(place || '.field', 'it is one of ' || (select string_agg(field, ', ') from private.policy_fields()));
  end if;
  operators := case known.kind
    when 'flag' then '{eq}'
    when 'number' then '{eq,ne,lt,lte,gt,gte,in,not_in,exists}'
    when 'address' then '{in,not_in,exists}'
    when 'text' then case when known.choices is null then '{eq,ne,in,not_in,starts_with,contains,exists}' else '{eq,ne,in,not_in,exists}' end
    else '{eq,ne,in,not_in,exists}'
  end;
  if jsonb_typeof(condition -> 'op') <> 'string' or op <> all (operators) then
    perform private.refuse_policy(place || '.op', format('for %s it is one of %s', known.field, array_to_string(operators, ', ')));
  end if;
  operand := '$.' || known.field || case known.kind when 'set' then '[*]' when 'address' then '_digits' else '' end;

  if op = 'exists' or known.kind = 'flag' then
    if jsonb_typeof(value) <> 'boolean' then
      perform private.refuse_policy(place || '.value', 'it is true or false');
    end if;
    return case
      when known.kind = 'flag' then format('%s == %s', operand, value)
      else case when value = 'false' then '!' else '' end || format('exists(%s)', operand)
    end;
  end if;

  if op in ('in', 'not_in') then
    if jsonb_typeof(value) <> 'array' or jsonb_array_length(value) not between 1 and 100 then
      perform private.refuse_policy(place || '.value', 'it is a list of 1 to 100 values');
    end if;
    given := value;
  else
    given := jsonb_build_array(value);
  end if;
  select array_agg(
    case
      when known.kind = 'address' then
        format(
          '(%1$s >= "%2$s" && %1$s <= "%3$s")',
          operand, private.address_digits(network(l.literal::inet)), private.address_digits(broadcast(l.literal::inet))
        )
      when op = 'starts_with' then format('%s starts with %s', operand, l.literal)
      when op = 'contains' then format('%s like_regex %s flag "q"', operand, l.literal)
      when op in ('lt', 'lte', 'gt', 'gte') then
        format('%s %s %s', operand, case op when 'lt' then '<' when 'lte' then '<=' when 'gt' then '>' else '>=' end, l.literal)
      else format('%s == %s', operand, l.literal)
    end
  )
  into comparisons
  from jsonb_array_elements(given) with ordinality as v (value, position)
  cross join lateral (
    select private.policy_literal(
      v.value, known.kind, known.choices,
      place || '.value' || case when op in ('in', 'not_in') then format('[%s]', v.position - 1) else '' end
    ) as literal
  ) as l;
  return case
    -- What is not known is neither equal nor unequal.
    when op in ('ne', 'not_in') then
      format('(exists(%s) && !(%s))', replace(operand, '[*]', ''), array_to_string(comparisons, ' || '))
    else '(' || array_to_string(comparisons, ' || ') || ')'
  end;
end
$function$;

CREATE OR REPLACE FUNCTION private.compile_condition (
  condition jsonb,
  place     text    DEFAULT 'conditions'::text,
  depth     integer DEFAULT 1
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  members text[];
  operands jsonb;
  predicates text[];
begin
  if depth > 8 then
    perform private.refuse_policy(place, 'conditions are nested more than 8 levels deep');
  end if;
  if jsonb_typeof(condition) is distinct from 'object' then
    perform private.refuse_policy(place, 'it is an object');
  end if;
  members := array(select k from jsonb_object_keys(condition) as k order by k);
  case
    when members = '{field,op,value}' then
      return private.compile_comparison(condition, place);
    when members = '{by,count,of,within}' then
      return '(' || private.compile_count(condition, place) || ')';
    when members = '{not}' then
      return '(!(' || private.compile_condition(condition -> 'not', place || '.not', depth + 1) || '))';
    when members in ('{all}', '{any}') then
      place := place || '.' || members[1];
      operands := condition -> members[1];
      if jsonb_typeof(operands) <> 'array' or jsonb_array_length(operands) not between 1 and 50 then
        perform private.refuse_policy(place, 'it is a list of 1 to 50 conditions');
      end if;
      select array_agg(private.compile_condition(o.operand, format('%s[%s]', place, o.position - 1), depth + 1) order by o.position)
      into predicates
      from jsonb_array_elements(operands) with ordinality as o (operand, position);
      return '(' || array_to_string(predicates, case members[1] when 'all' then ' && ' else ' || ' end) || ')';
    else
      perform private.refuse_policy(
        place, 'its members are all, any, not, or field, op and value, or count, of, by and within'
      );
  end case;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.compile_count (
  condition jsonb,
  place     text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  kinds constant text[] := private.security_event_kinds();
begin
  if not coalesce(private.is_integer_between(condition -> 'count', 1, 1000), false) then
    perform private.refuse_policy(place || '.count', 'it is a whole number from 1 to 1000');
  end if;
  if not coalesce(private.is_integer_between(condition -> 'within', 60, 86400), false) then
    perform private.refuse_policy(place || '.within', 'it is a whole number of seconds from 60 to 86400');
  end if;
  if jsonb_typeof(condition -> 'by') <> 'string' or condition ->> 'by' not in ('address', 'account') then
    perform private.refuse_policy(place || '.by', 'it is one of address, account');
  end if;
  if jsonb_typeof(condition -> 'of') <> 'string' or condition ->> 'of' <> all (kinds) then
    perform private.refuse_policy(place || '.of', 'it is one of ' || array_to_string(kinds, ', '));
  end if;
  return format('$.reached[*] == "%s"', private.policy_count_key(condition));
end
$function$;

CREATE OR REPLACE FUNCTION private.compile_policy()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- More would take longer than a request may wait for them; bench/policies.ts.
  most constant integer := 200;
  compiled constant jsonpath := private.compile_condition(new.conditions)::jsonpath;
begin
  perform private.check_policy_actions(new.actions);
  -- Two at once could exceed the limit together.
  perform pg_advisory_xact_lock(86, 0);
  delete from private.enabled_policies where policy_id = new.id;
  delete from private.rate_limit_rules where scope = 'policy ' || new.id;
  if not new.enabled then
    return null;
  end if;
  insert into private.enabled_policies (policy_id, priority, enforcement_points, dry_run, actions, condition)
  values (new.id, new.priority, new.enforcement_points, new.dry_run, new.actions, compiled);
  if (select count(*) from private.enabled_policies) > most then
    perform private.refuse(409, 'policy_limit', format('%s policies are enabled, as many as can be. Disable another one first.', most));
  end if;
  perform private.refuse_to_lock_out(new, compiled);
  insert into private.policy_counts (key, policy_id, kind, by_account, within_s, threshold)
  select distinct
    private.policy_count_key(c), new.id, c ->> 'of', c ->> 'by' = 'account', (c ->> 'within')::integer, (c ->> 'count')::integer
  from jsonb_path_query(new.conditions, '$.** ? (exists(@.count))') as c
  where jsonb_typeof(c) = 'object';
  insert into private.rate_limit_rules (scope, requests, period)
  select 'policy ' || new.id, (a ->> 'requests')::integer, (a ->> 'period')::integer * interval '1 second'
  from jsonb_array_elements(new.actions) as a
  where a ->> 'action' = 'apply_rate_limits';
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.condition_holds (
  condition jsonb,
  facts     jsonb
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_path_match(facts, private.compile_condition(condition)::jsonpath)
$function$;

CREATE OR REPLACE FUNCTION private.count_policy_trigger (
  policy text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  insert into private.policy_triggers as t (policy_id, backend, triggered, last_triggered)
  values (policy, pg_backend_pid(), 1, clock_timestamp())
  on conflict on constraint policy_triggers_pkey do update
  set triggered = t.triggered + 1, last_triggered = excluded.last_triggered;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_upload()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  allowance record;
begin
  if private.attested_address() is not null then
    return new;
  end if;
  select * into allowance from private.consume_user_rate_limit(new.owner_id::uuid, 'file-upload');
  if not allowance.allowed then
    raise exception 'Too many uploads. Try again in % s.', allowance.reset_s using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.create_security_test (
  test_name     text,
  test_probes   public.security_probe[],
  test_schedule public.security_test_schedule
)
  RETURNS public.security_tests
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  created public.security_tests;
begin
  perform private.require_security_admin();
  insert into public.security_tests (name, probes, schedule, next_run_at)
  values (
    test_name,
    array(select distinct p from unnest(test_probes) as p order by p),
    test_schedule,
    case when test_schedule <> 'on_demand' then now() end
  )
  returning * into created;
  perform private.audit(
    'security_test_changed', null, 'security_tests', created.id, after => to_jsonb(created) - array['created_by', 'created_at']
  );
  return created;
end
$function$;

CREATE OR REPLACE FUNCTION private.crisis_resources (
  student uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.university_crisis_resources((select university_id from public.profiles where user_id = student))
$function$;

CREATE OR REPLACE FUNCTION private.current_account()
  RETURNS uuid
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  account uuid := private.signed_in_account();
begin
  if exists (select from public.user_roles where user_id = account) and private.policies_allow() then
    return account;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.custom_access_token (
  event jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  told text := event #>> '{metadata,ip_address}';
  address inet := case
    when pg_input_is_valid(told, 'inet') then told::inet
    else (select s.ip from auth.sessions s where s.id = (event #>> '{claims,session_id}')::uuid)
  end;
  rejection jsonb;
  confirmed boolean;
begin
  if private.is_blocked(address) then
    return '{"error": {"http_code": 403, "message": "This address is blocked for now."}}';
  end if;
  rejection := private.enforce_at_sign_in(event, address);
  if rejection ->> 'code' <> 'mfa_required' then
    return jsonb_build_object(
      'error', jsonb_build_object(
        'http_code', case rejection ->> 'code' when 'rate_limited' then 429 else 403 end,
        'message', 'A security policy refuses this sign-in.'
      )
    );
  end if;
  select exists (select from auth.users where id = (event ->> 'user_id')::uuid and email_confirmed_at is not null) into confirmed;
  return jsonb_set(
    event,
    '{claims}',
    (event -> 'claims')
      || jsonb_build_object('email_verified', confirmed)
      || jsonb_strip_nulls(
        jsonb_build_object(
          'exp', private.custom_token_expiry((event ->> 'user_id')::uuid, (event #>> '{claims,exp}')::bigint)
        )
      )
      || case when rejection is null then '{}'::jsonb else '{"mfa_required": true}' end
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.custom_token_expiry (
  account uuid,
  expiry  bigint
)
  RETURNS bigint
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case
    when exists (select from private.probe_accounts p where p.user_id = account and p.tokens_expired) then expiry - 86400
    else expiry
  end
$function$;

CREATE OR REPLACE FUNCTION private.decide_control (
  control_id text,
  status     public.compliance_status,
  reason     text,
  evidence   jsonb
)
  RETURNS public.compliance_controls
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  decided public.compliance_controls;
begin
  perform private.require_security_admin();
  if coalesce(char_length(reason) not between 1 and 2000, true) or private.is_evidence(evidence) is not true or status is null then
    perform private.refuse(400, 'invalid_value', 'A decision needs a status, a reason, and evidence: [{description, link?}].');
  end if;
  update public.compliance_controls k
  set decision = nullif(status, 'not_assessed'),
    decision_reason = case when status <> 'not_assessed' then reason end,
    decision_evidence = case when status <> 'not_assessed' then evidence end,
    decided_at = case when status <> 'not_assessed' then clock_timestamp() end,
    decided_by = case when status <> 'not_assessed' then (select private.current_account()) end
  where k.id = control_id
  returning * into decided;
  if decided.id is null then
    perform private.refuse(404, 'control_not_found', 'There is no such control.');
  end if;
  -- Logged here and not by a trigger: why a decision was withdrawn is in no column.
  perform private.audit(
    'control_decided',
    target_type => 'compliance_controls',
    target_id => control_id,
    details => jsonb_build_object('status', status, 'reason', reason, 'evidence', evidence)
  );
  return decided;
end
$function$;

CREATE OR REPLACE FUNCTION private.decision_of (
  control public.compliance_controls
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select case
    when control.decision is not null then jsonb_build_object(
      'status', control.decision,
      'reason', control.decision_reason,
      'evidence', control.decision_evidence,
      'decided_at', to_char(control.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    )
  end
$function$;

CREATE OR REPLACE FUNCTION private.detect_as_administrator()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_security_admin();
  return (
    select jsonb_build_object(
      'detected',
      coalesce(jsonb_agg(jsonb_build_object('id', d.incident, 'rule', d.rule, 'opened', d.opened) order by d.incident), '[]')
    )
    from private.detect_incidents(now()) d
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.detect_incidents (
  at timestamp with time zone DEFAULT now()
)
  RETURNS TABLE (
    incident text,
    rule     text,
    opened   boolean
  )
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
begin
  -- One run at a time: the next one finds the same.
  perform pg_advisory_xact_lock(84, 0);
  if not exists (
    select from private.schema_snapshot_of where migration is not distinct from private.last_migration()
  ) then
    perform private.take_schema_snapshot();
  end if;
  return query
  with found as materialized (
    select (f).*
    from (
      select private.sign_in_findings(at) as f
      union all
      select private.refusal_findings(at)
      union all
      select private.activity_findings(at)
      union all
      select private.system_findings(at)
      union all
      select private.chain_findings(at)
    ) all_findings
  ),
  incidents as materialized (
    select
      f.addresses,
      f.affected[1] as account,
      r.rule,
      r.respond,
      exists (select from public.security_incidents i where i.key = f.key and i.ended_at is null) as known,
      private.open_incident(
        coalesce(f.type, r.type),
        coalesce(f.severity, r.severity),
        f.title,
        f.description,
        f.evidence || jsonb_build_object(
          'rule', r.rule, 'threshold', r.threshold, 'period', r.period,
          'addresses', coalesce((select jsonb_agg(host(a)) from unnest(f.addresses) a), '[]')
        ),
        coalesce(f.affected, '{}'),
        f.key,
        f.systems
      ) as id
    from found f
    join private.detection_rules r on r.rule = f.rule and r.enabled
  ),
  responded as materialized (
    select i.id, i.rule, not i.known as opened, private.respond_automatically(i.id, i.respond, i.addresses, i.account)
    from incidents i
  )
  select r.id, r.rule, r.opened from responded r;
end
$function$;

CREATE OR REPLACE FUNCTION private.disable_account (
  account  uuid,
  reason   text,
  incident text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
declare
  ban timestamptz;
begin
  select u.banned_until into ban from auth.users u where u.id = disable_account.account for update;
  if not found then
    return jsonb_build_object('status', 'failed', 'detail', 'There is no such account.');
  end if;
  if exists (select from private.disabled_accounts d where d.account = disable_account.account and ban > now()) then
    return '{"status": "done"}';
  end if;
  begin
    -- Auth cannot read an infinite time.
    update auth.users set banned_until = now() + interval '100 years' where id = disable_account.account;
  exception
    when sqlstate 'PT409' then
      return jsonb_build_object('status', 'failed', 'detail', sqlerrm);
  end;
  insert into private.disabled_accounts (account, reason, incident_id, banned_until_before)
  values (disable_account.account, left(reason, 500), incident, ban)
  on conflict on constraint disabled_accounts_pkey do update
  set reason = excluded.reason, incident_id = excluded.incident_id, disabled_at = now();
  return '{"status": "done"}';
end
$function$;

CREATE OR REPLACE FUNCTION private.dispatch_security_tests()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  select private.call_function('probe-security', '{"type": "INSERT", "schema": "public", "table": "security_test_results"}')
$function$;

CREATE OR REPLACE FUNCTION private.enable_account (
  account uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
declare
  disabled private.disabled_accounts;
begin
  perform from auth.users u where u.id = enable_account.account for update;
  delete from private.disabled_accounts d where d.account = enable_account.account returning * into disabled;
  if found then
    update auth.users u
    set banned_until = case when disabled.banned_until_before > now() then disabled.banned_until_before end
    where u.id = enable_account.account;
  end if;
  return '{"status": "done"}';
end
$function$;

CREATE OR REPLACE FUNCTION private.end_security_test_run (
  run text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  perform from public.security_test_runs r where r.id = run and r.status = 'running' for update;
  if not found
    or exists (select from public.security_test_results r where r.run_id = run and r.status in ('queued', 'running'))
  then
    return;
  end if;
  update public.security_test_runs r
  set ended_at = now(),
    status = case
      when exists (select from public.security_test_results p where p.run_id = run and p.status = 'failed')
        then 'failed'::public.security_test_run_status
      else 'completed'
    end
  where r.id = run;
  delete from auth.users u using private.probe_accounts a where a.run_id = run and u.id = a.user_id;
  delete from private.erasures e using private.probe_accounts a where a.run_id = run and e.user_id = a.user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.enforce_at_sign_in (
  event   jsonb,
  address inet
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  told text := event -> 'claims' ->> 'session_id';
  session uuid := case when pg_input_is_valid(told, 'uuid') then told::uuid end;
begin
  if not exists (select from private.enabled_policies where 'sign_in' = any (enforcement_points)) then
    return null;
  end if;
  return private.enforce_policies(
    private.policy_facts(
      (event ->> 'user_id')::uuid, session, address,
      jsonb_build_object(
        'service', 'auth',
        'aal', event -> 'claims' ->> 'aal',
        'sign_in_method', event ->> 'authentication_method',
        'user_agent', left((select s.user_agent from auth.sessions s where s.id = session), 500)
      )
    ),
    'sign_in',
    true
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.enforce_on_function (
  account    uuid,
  session    uuid,
  address    inet,
  method     text,
  path       text,
  user_agent text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  rejection jsonb;
begin
  if not exists (select from private.enabled_policies) then
    return null;
  end if;
  rejection := private.enforce_policies(
    private.policy_facts(
      account, session, address,
      jsonb_build_object(
        'service', 'functions', 'function', split_part(path, '/', 2), 'method', method, 'path', left(path, 1000),
        'user_agent', left(user_agent, 500)
      )
    ),
    'request',
    true
  );
  -- Help is never behind a block.
  return rejection || case when rejection ->> 'code' = 'access_blocked'
    then jsonb_build_object('crisis_resources', private.crisis_resources(account)) else '{}' end;
end
$function$;

CREATE OR REPLACE FUNCTION private.enforce_on_rest()
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  account constant uuid := (select auth.uid());
  writes constant boolean := current_setting('transaction_read_only') = 'off';
  rejection jsonb;
  allowance record;
begin
  if (select auth.role()) = 'service_role' then
    return;
  end if;
  -- The functions have enforced and counted the request that they serve.
  if private.attested_address() is null then
    if exists (select from private.enabled_policies) then
      rejection := private.enforce_policies(private.facts_of_request(), 'request', writes);
    end if;
    if rejection is null and writes and account is not null then
      select * into allowance from private.consume_user_rate_limit(account, 'data-api');
      if not allowance.allowed then
        rejection := to_jsonb(allowance) || '{"code": "rate_limited"}';
      end if;
    end if;
    if rejection is not null then
      perform private.reject_request(rejection);
    end if;
  end if;
  perform set_config('private.allowed_request', private.mark_of_request(), true);
end
$function$;

CREATE OR REPLACE FUNCTION private.enforce_policies (
  facts jsonb,
  point public.enforcement_point,
  acts  boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  account constant uuid := facts ->> 'account';
  address constant inet := facts ->> 'address';
  policy private.enabled_policies;
  action jsonb;
  allowance record;
  rejection jsonb;
begin
  for policy in
    select p.*
    from private.enabled_policies p
    where point = any (p.enforcement_points) and jsonb_path_match(facts, p.condition, '{}', true)
    order by p.priority, p.policy_id
  loop
    if acts then
      perform private.count_policy_trigger(policy.policy_id);
    end if;
    continue when policy.dry_run;
    for action in select a from jsonb_array_elements(policy.actions) as a loop
      case action ->> 'action'
        when 'block_access' then
          rejection := coalesce(rejection, '{"code": "access_blocked"}');
        when 'require_mfa' then
          -- Without an account there is no code to give; a sign-in gives it afterwards.
          if account is not null and facts ->> 'aal' is distinct from 'aal2' then
            rejection := coalesce(rejection, '{"code": "mfa_required"}');
          end if;
        when 'apply_rate_limits' then
          if acts and rejection is null and coalesce(account::text, address::text) is not null then
            select * into strict allowance
            from private.consume_rate_limit(
              coalesce(account, left(encode(sha256(convert_to(address::text, 'UTF8')), 'hex'), 32)::uuid), 'policy ' || policy.policy_id
            );
            if not allowance.allowed then
              rejection := to_jsonb(allowance) || '{"code": "rate_limited"}';
            end if;
          end if;
        when 'log_events' then
          if acts then
            perform private.note_security_event('policy_triggered', account, address, jsonb_build_object(policy.policy_id, true));
          end if;
        else
          if acts then
            perform private.fire_policy_action(policy.policy_id, (action ->> 'action')::private.policy_action, account, address);
          end if;
      end case;
    end loop;
  end loop;
  return rejection;
end
$function$;

CREATE OR REPLACE FUNCTION private.evaluate_policies (
  context           jsonb,
  enforcement_point text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  facts constant jsonb := private.policy_facts(
    (context ->> 'account')::uuid, null, (context ->> 'address')::inet, context - array['account', 'address']
  );
begin
  return (
    select jsonb_build_object(
      'decision', coalesce((array_agg(d.decision order by p.priority, p.id) filter (where d.decision is not null))[1], 'allow'),
      'decided_by', (array_agg(p.id order by p.priority, p.id) filter (where d.decision is not null))[1],
      'policies', coalesce(
        jsonb_agg(
          jsonb_build_object(
            'id', p.id,
            'name', p.name,
            'priority', p.priority,
            'dry_run', p.dry_run,
            'holds', h.explained -> 'holds',
            'conditions', h.explained,
            'actions', p.actions
          )
          order by p.priority, p.id
        ),
        '[]'
      )
    )
    from private.enabled_policies e
    join public.security_policies p on p.id = e.policy_id
    cross join lateral (select private.explain_condition(p.conditions, facts) as explained) as h
    cross join lateral (
      select case
        when p.dry_run or h.explained -> 'holds' <> 'true' then null
        when p.actions @> '[{"action": "block_access"}]' then 'block_access'
        when p.actions @> '[{"action": "require_mfa"}]' and facts -> 'signed_in' = 'true' and facts ->> 'aal' is distinct from 'aal2'
          then 'require_mfa'
      end as decision
    ) as d
    where evaluate_policies.enforcement_point::public.enforcement_point = any (e.enforcement_points)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.execute_security_test (
  test text
)
  RETURNS public.security_test_runs
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  run public.security_test_runs;
begin
  perform private.require_security_admin();
  perform from public.security_tests t where t.id = test for key share;
  if not found then
    perform private.refuse(404, 'security_test_not_found', 'There is no security test of this id.');
  end if;
  run := private.begin_security_test_run(test, private.current_account());
  perform private.audit('security_test_run', null, 'security_tests', test, details => jsonb_build_object('run_id', run.id));
  return run;
end
$function$;

CREATE OR REPLACE FUNCTION private.explain_condition (
  condition jsonb,
  facts     jsonb
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object('holds', coalesce(private.condition_holds(condition, facts), false)) || case
    when condition ? 'not' then jsonb_build_object('not', private.explain_condition(condition -> 'not', facts))
    when condition ? 'all' or condition ? 'any' then (
      select jsonb_build_object(k, (
        select jsonb_agg(private.explain_condition(o.operand, facts) order by o.position)
        from jsonb_array_elements(condition -> k) with ordinality as o (operand, position)
      ))
      from jsonb_object_keys(condition) as k
    )
    else condition
  end
$function$;

CREATE OR REPLACE FUNCTION private.facts_of_request()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  return private.policy_facts(
    (select auth.uid()),
    case when pg_input_is_valid(auth.jwt() ->> 'session_id', 'uuid') then (auth.jwt() ->> 'session_id')::uuid end,
    private.request_ip(),
    jsonb_build_object(
      'service', case
        when nullif(current_setting('storage.operation', true), '') is not null then 'storage'
        when nullif(current_setting('realtime.topic', true), '') is not null then 'realtime'
        else 'rest'
      end,
      'method', nullif(current_setting('request.method', true), ''),
      'path', left(nullif(current_setting('request.path', true), ''), 1000),
      'user_agent', left(private.request_header('user-agent'), 500)
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.fail_security_probe (
  run     text,
  failed  public.security_probe,
  attempt smallint,
  code    text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  update public.security_test_results r
  set status = (case when r.attempts < 3 then 'queued' else 'failed' end)::public.security_probe_status,
    error_code = left(code, 100),
    due_at = now() + interval '10 seconds' * power(2, r.attempts - 1),
    ended_at = case when r.attempts >= 3 then now() end
  where r.run_id = run and r.probe = failed and r.attempts = attempt and r.status = 'running';
  perform private.end_security_test_run(run);
end
$function$;

CREATE OR REPLACE FUNCTION private.finish_security_probe (
  run     text,
  done    public.security_probe,
  attempt smallint,
  attacks integer,
  faults  jsonb
)
  RETURNS boolean
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  update public.security_test_results r
  set status = (case when faults = '[]' then 'passed' else 'faults_found' end)::public.security_probe_status,
    checks = attacks, findings = faults, error_code = null, ended_at = now()
  where r.run_id = run and r.probe = done and r.attempts = attempt and r.status = 'running';
  if not found then
    return false;
  end if;
  perform private.follow_findings(run, done, faults);
  perform private.end_security_test_run(run);
  perform private.dispatch_security_tests() where exists (select from public.security_test_results r where r.status = 'queued');
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.fire_policy_action (
  policy  text,
  action  private.policy_action,
  account uuid,
  address inet
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  again_after constant interval := case action when 'send_alerts' then '1 hour' else '1 minute' end;
begin
  -- Asks first, because an insert would lock the row even where it changes nothing.
  if exists (
    select
    from private.policy_firings f
    where f.policy_id = policy
      and f.action = fire_policy_action.action
      and f.account is not distinct from fire_policy_action.account
      and f.address is not distinct from fire_policy_action.address
      and f.fired_at > now() - again_after
  ) then
    return;
  end if;
  insert into private.policy_firings as f (policy_id, action, account, address)
  values (policy, fire_policy_action.action, fire_policy_action.account, fire_policy_action.address)
  on conflict on constraint policy_firings_once do update set fired_at = excluded.fired_at
  where f.fired_at <= excluded.fired_at - again_after;
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_findings (
  run    text,
  looked public.security_probe,
  faults jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  update public.vulnerabilities v
  set status = 'fixed', fixed_at = now(), fixed_in = run
  where v.probe = looked
    and v.status <> 'fixed'
    and not exists (select from jsonb_array_elements(faults) as f (fault) where f.fault ->> 'fault' = v.fault);
  insert into public.vulnerabilities as v (probe, fault, title, severity, evidence, found_in, regression_of)
  select
    looked, f.fault ->> 'fault', f.fault ->> 'title', (f.fault ->> 'severity')::public.vulnerability_severity, f.fault -> 'evidence', run,
    (
      select o.id
      from public.vulnerabilities o
      where o.probe = looked and o.fault = f.fault ->> 'fault' and o.status = 'fixed'
      order by o.fixed_at desc
      limit 1
    )
  from jsonb_array_elements(faults) as f (fault)
  on conflict (probe, fault) where status <> 'fixed' do update
  set title = excluded.title,
    severity = excluded.severity,
    evidence = excluded.evidence,
    last_found_at = now(),
    times_found = v.times_found + 1;
end
$function$;

CREATE OR REPLACE FUNCTION private.furnish_probe_victim (
  victim            uuid,
  link_hash         text,
  expired_link_hash text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  check_in constant uuid := gen_random_uuid();
  session constant uuid := gen_random_uuid();
  contact constant uuid := gen_random_uuid();
  requests uuid[];
begin
  perform from auth.users where id = victim for key share;
  if not private.is_probe(victim) or exists (select from checkin.check_ins c where c.user_id = victim) then
    return;
  end if;
  insert into public.consents (user_id, kind, version)
  values (victim, 'text', '2026-11'), (victim, 'support_circle', '2026-11');
  insert into public.assessment_sessions (id, user_id, assessment_type) values (session, victim, 'daily');
  perform private.store_session_analysis(
    session, victim, '{"modality": "text", "analysis": {}, "measures": {}, "quality": 1, "risk_level": "none"}'
  );
  perform private.store_session_score(
    session, victim,
    '{"final_score": 50, "confidence": 0.5, "risk_level": "none", "fusion_score": {}, "algorithm_version": "probe"}'
  );
  insert into checkin.check_ins (id, user_id, type) values (check_in, victim, 'daily');
  insert into checkin.audio_analysis (check_in_id, user_id, quality) values (check_in, victim, 1);
  insert into checkin.visual_analysis (check_in_id, user_id, quality) values (check_in, victim, 1);
  insert into checkin.text_analysis (check_in_id, user_id, quality) values (check_in, victim, 1);
  insert into checkin.fusion_results (
    check_in_id, user_id, score, uncertainty, direction_of_change, significance, risk_level, summary, themes, drivers_positive,
    drivers_negative, drivers, components, baseline, algorithm_version
  )
  values (check_in, victim, 50, 0.5, 'same', 'low', 'none', 'A probe.', '{}', '{}', '{}', '[]', '[]', '{}', 'probe');
  insert into checkin.user_baselines (user_id, version, check_ins, score_mean, score_sd, state)
  values (victim, 1, 1, 50, 10, '{}');
  insert into public.support_preferences (user_id) values (victim);
  -- Without an outbox row nobody is sent anything, and what counts as delivered is not waited for. The number is fictional.
  insert into public.buddy_contacts (id, user_id, name, phone, email, priority_rank, verified, verified_at)
  values (contact, victim, 'Probe', '+12025550199', 'contact@probe.invalid', 1, true, now());
  insert into public.buddy_verification_audit (buddy_contact_id, user_id, event_type)
  values (contact, victim, 'verification_accepted');
  with made as (
    insert into public.buddy_check_in_requests (buddy_contact_id, user_id, request_type, sent_at, delivery_status)
    select contact, victim, 'user_initiated', now(), 'delivered' from generate_series(1, 2)
    returning id
  )
  select array_agg(id) into requests from made;
  insert into private.buddy_links (request_id, token_hash, number_hash, expires_at)
  values
    (requests[1], link_hash, private.hash_of_number('+12025550199'), now() + interval '1 day'),
    (requests[2], expired_link_hash, private.hash_of_number('+12025550199'), now() - interval '1 hour');
  insert into public.support_alerts (user_id, status, worrying_days, all_right_at, ended_at)
  values (victim, 'resolved', 3, now(), now());
end
$function$;

CREATE OR REPLACE FUNCTION private.incident_entry (
  event   text,
  details jsonb DEFAULT '{}'::jsonb,
  actor   uuid  DEFAULT auth.uid()
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_strip_nulls(jsonb_build_object('at', clock_timestamp(), 'event', event, 'by', actor)) || details
$function$;

CREATE OR REPLACE FUNCTION private.is_blocked (
  address inet
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if address is null then
    return false;
  end if;
  return exists (
    select from private.blocked_addresses where network = private.block_network(address) and until > now()
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.is_evidence (
  evidence jsonb
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
    when jsonb_typeof(evidence) <> 'array' then false
    else jsonb_array_length(evidence) between 1 and 20
      and not exists (
        select
        from jsonb_array_elements(evidence) as e (item)
        where jsonb_typeof(item) <> 'object'
          or jsonb_typeof(item -> 'description') is distinct from 'string'
          or char_length(item ->> 'description') not between 1 and 1000
          or coalesce(jsonb_typeof(item -> 'link'), 'string') <> 'string'
          or (item ->> 'link') !~ '^https://[A-Za-z0-9_.-]+(:[0-9]{1,5})?(/([A-Za-z0-9_.~:/@!$&''()*+,;=-]|%[0-9A-Fa-f]{2})*)?(\?([A-Za-z0-9_.~:/?@!$&''()*+,;=-]|%[0-9A-Fa-f]{2})*)?(#([A-Za-z0-9_.~:/?@!$&''()*+,;=-]|%[0-9A-Fa-f]{2})*)?$'
          or char_length(item ->> 'link') > 500
          or item - array['description', 'link'] <> '{}'
      )
  end
$function$;

CREATE OR REPLACE FUNCTION private.is_integer_between (
  value          jsonb,
  least_value    integer,
  greatest_value integer
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case when jsonb_typeof(value) = 'number' and value::text ~ '^-?\d{1,9}$' then (value #>> '{}')::integer between least_value and greatest_value end
$function$;

CREATE OR REPLACE FUNCTION private.is_probe (
  account uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (select from private.probe_accounts where user_id = account)
$function$;

CREATE OR REPLACE FUNCTION private.keep_a_security_administrator()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if not exists (select from public.user_roles where user_id = new.id and role = 'security_admin') then
    return new;
  end if;
  perform pg_advisory_xact_lock(85, 0);
  if not exists (
    select
    from public.user_roles r
    join auth.users u on u.id = r.user_id
    where r.role = 'security_admin'
      and r.user_id <> new.id
      and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= now())
  ) then
    raise exception 'The last security administrator cannot be disabled.' using errcode = 'PT409';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.last_migration()
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  version text;
begin
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    execute 'select max(version) from supabase_migrations.schema_migrations' into version;
  end if;
  return version;
end
$function$;

CREATE OR REPLACE FUNCTION private.mark_of_request()
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
begin
  return md5(concat_ws(
    '|', current_setting('request.jwt.claims', true), current_setting('request.headers', true), current_setting('request.path', true)
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.may_become (
  status    public.incident_status,
  following public.incident_status
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select following = any (
    (case status
      when 'open' then array['investigating', 'contained', 'resolved']
      when 'investigating' then array['contained', 'resolved']
      when 'contained' then array['investigating', 'resolved']
      when 'resolved' then array['investigating', 'closed']
      else '{}'
    end)::public.incident_status[]
  )
$function$;

CREATE OR REPLACE FUNCTION private.network_kind (
  address inet
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select kind from private.known_networks where address <<= network order by masklen(network) desc limit 1
$function$;

CREATE OR REPLACE FUNCTION private.open_incident (
  type        public.incident_type,
  severity    public.incident_severity,
  title       text,
  description text,
  indicators  jsonb                    DEFAULT '{}'::jsonb,
  affected    uuid[]                   DEFAULT '{}'::uuid[],
  key         text                     DEFAULT NULL::text,
  systems     text[]                   DEFAULT '{}'::text[]
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
declare
  incident text;
begin
  insert into public.security_incidents as i (
    type, severity, title, description, indicators, affected_users, affected_systems, key, aware_at, timeline
  )
  values (
    open_incident.type,
    open_incident.severity,
    left(open_incident.title, 500),
    left(open_incident.description, 5000),
    open_incident.indicators,
    array(select distinct a::text from unnest(affected) a where a is not null order by 1 limit 1000),
    systems,
    coalesce(left(open_incident.key, 300), gen_random_uuid()::text),
    case when open_incident.type = 'data_breach' then now() end,
    jsonb_build_array(private.incident_entry('detected', jsonb_build_object('severity', open_incident.severity), null))
  )
  on conflict (key) where status = any (array['open', 'investigating', 'contained']::public.incident_status[]) do update
  set
    last_seen_at = now(),
    severity = greatest(i.severity, excluded.severity),
    indicators = i.indicators || excluded.indicators,
    affected_users = array(
      select distinct a from unnest(i.affected_users || excluded.affected_users) a order by a limit 1000
    ),
    timeline = case
      when jsonb_array_length(i.timeline) < 900
        and (
          i.severity < excluded.severity
          or not i.affected_users @> excluded.affected_users
          or i.status = 'contained'
          or i.last_seen_at < now() - interval '1 hour'
        )
      then i.timeline || private.incident_entry('seen_again', jsonb_build_object('severity', greatest(i.severity, excluded.severity)), null)
      else i.timeline
    end
  returning id into incident;
  return incident;
end
$function$;

CREATE OR REPLACE FUNCTION private.outcome_of_action (
  policy  jsonb,
  action  jsonb,
  context jsonb,
  enforce boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  named constant text := action ->> 'action';
  account constant uuid := context ->> 'account';
  address constant inet := context ->> 'address';
begin
  if policy -> 'holds' <> 'true' then
    return '{"outcome": "not_triggered"}';
  elsif policy -> 'dry_run' = 'true' then
    return '{"outcome": "dry_run"}';
  elsif named in ('block_access', 'require_mfa', 'apply_rate_limits') then
    return '{"outcome": "in_force"}';
  elsif not enforce then
    return '{"outcome": "would_act"}';
  elsif named = 'log_events' then
    perform private.note_security_event('policy_triggered', account, address, jsonb_build_object(policy ->> 'id', true));
    return '{"outcome": "done"}';
  end if;
  return (
    select jsonb_strip_nulls(jsonb_build_object('outcome', t.taken -> 'status', 'detail', t.taken -> 'detail'))
    from (select private.take_policy_action(policy ->> 'id', named::private.policy_action, account, address)) as t (taken)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.password_verification_attempt (
  event jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  told text := event #>> '{metadata,ip_address}';
  address inet := case when pg_input_is_valid(told, 'inet') then told::inet end;
begin
  if not coalesce((event ->> 'valid')::boolean, false) then
    perform private.note_security_event('sign_in_failed', (event ->> 'user_id')::uuid, address, '{"reason": "wrong_password"}', 'auth');
  end if;
  if private.is_blocked(address) then
    return jsonb_build_object('decision', 'reject', 'message', 'This address is blocked for now.', 'should_logout_user', false);
  end if;
  return '{"decision": "continue"}';
end
$function$;

CREATE OR REPLACE FUNCTION private.policies_allow()
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  mark text;
  allowed boolean;
begin
  if not exists (
    select
    from private.enabled_policies p
    where 'request' = any (p.enforcement_points)
      and not p.dry_run
      and (p.actions @> '[{"action": "block_access"}]' or p.actions @> '[{"action": "require_mfa"}]')
  ) then
    return true;
  end if;
  mark := private.mark_of_request();
  if current_setting('private.allowed_request', true) = mark then
    return true;
  end if;
  allowed := private.enforce_policies(private.facts_of_request(), 'request', false) is null;
  if allowed then
    perform set_config('private.allowed_request', mark, true);
  end if;
  return allowed;
end
$function$;

CREATE OR REPLACE FUNCTION private.policy_count_key (
  condition jsonb
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select format(
    '%s of %s by %s within %s', condition ->> 'count', condition ->> 'of', condition ->> 'by', condition ->> 'within'
  )
$function$;

CREATE OR REPLACE FUNCTION private.policy_facts (
  account uuid,
  session uuid,
  address inet,
  given   jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  moment constant timestamp := now() at time zone 'UTC';
  facts jsonb;
begin
  facts := jsonb_build_object(
    'hour', extract(hour from moment)::integer,
    'weekday', extract(isodow from moment)::integer,
    'signed_in', account is not null,
    'role', '[]'::jsonb,
    'university', '[]'::jsonb
  );
  if address is not null then
    facts := facts || jsonb_build_object(
      'address', host(address),
      'address_digits', private.address_digits(address),
      'network', coalesce(private.network_kind(address), 'other')
    );
  end if;
  if account is not null then
    facts := facts || (
      select jsonb_build_object(
        'account', account,
        'account_age', round(extract(epoch from now() - max(u.created_at)) / 3600, 2),
        'aal', coalesce((select s.aal::text from auth.sessions s where s.id = session and s.user_id = account), 'aal1'),
        'role', coalesce(jsonb_agg(distinct r.role) filter (where r.role is not null), '[]'),
        'university', coalesce(jsonb_agg(distinct r.university_id) filter (where r.university_id is not null), '[]')
      )
      from auth.users u
      left join public.user_roles r on r.user_id = u.id
      where u.id = account
    );
  end if;
  if exists (select from private.policy_counts) then
    -- The platform's own addresses are no caller's.
    facts := facts || jsonb_build_object(
      'reached', private.reached_counts(account, case when facts ->> 'network' is distinct from 'platform' then address end)
    );
  end if;
  return jsonb_strip_nulls(facts || given);
end
$function$;

CREATE OR REPLACE FUNCTION private.policy_fields()
  RETURNS TABLE (
    field   text,
    kind    text,
    choices text[]
  )
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  values
    ('service', 'text', '{functions,rest,storage,realtime,auth}'::text[]),
    ('function', 'text', null),
    ('method', 'text', '{GET,HEAD,POST,PUT,PATCH,DELETE}'),
    ('path', 'text', null),
    ('address', 'address', null),
    ('network', 'text', '{campus,platform,other}'),
    ('user_agent', 'text', null),
    ('signed_in', 'flag', null),
    ('role', 'set', '{student,counselor,university_admin,security_admin}'),
    ('university', 'set', null),
    ('aal', 'text', '{aal1,aal2}'),
    ('sign_in_method', 'text', null),
    ('account_age', 'number', null),
    ('hour', 'number', null),
    ('weekday', 'number', null)
$function$;

CREATE OR REPLACE FUNCTION private.policy_literal (
  value   jsonb,
  kind    text,
  choices text[],
  place   text
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  given constant text := value #>> '{}';
begin
  case kind
    when 'number' then
      if jsonb_typeof(value) <> 'number' or abs(given::numeric) > 1000000000 or char_length(given) > 20 then
        perform private.refuse_policy(place, 'it is a number of up to 1000000000 on either side of 0');
      end if;
      return given;
    when 'address' then
      if jsonb_typeof(value) <> 'string' or not pg_input_is_valid(given, 'inet') then
        perform private.refuse_policy(place, 'it is an address or a network such as 192.0.2.0/24');
      end if;
      return given;
    else
      if jsonb_typeof(value) <> 'string' or char_length(given) not between 1 and 200 or given ~ '[[:cntrl:]]' then
        perform private.refuse_policy(place, 'it is a text of 1 to 200 characters');
      end if;
      if given <> all (choices) then
        perform private.refuse_policy(place, 'it is one of ' || array_to_string(choices, ', '));
      end if;
      return value::text;
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION private.policy_statistics()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_security_admin();
  return (
    with counted as (
      select
        p.*,
        p.trigger_count + coalesce(n.triggered, 0) as triggered,
        greatest(p.last_triggered, n.last_triggered) as triggered_at,
        coalesce(n.triggered, 0) + coalesce(d.triggered, 0) as last_30_days
      from public.security_policies p
      left join lateral (
        select sum(t.triggered)::bigint as triggered, max(t.last_triggered) as last_triggered
        from private.policy_triggers t
        where t.policy_id = p.id
      ) n on true
      left join lateral (
        select sum(y.triggered)::bigint as triggered
        from private.policy_days y
        where y.policy_id = p.id and y.day > (now() at time zone 'UTC')::date - 30
      ) d on true
    )
    select jsonb_build_object(
      'policies', count(*),
      'enabled', count(*) filter (where enabled),
      'dry_run', count(*) filter (where enabled and dry_run),
      'triggered', coalesce(sum(triggered), 0),
      'triggered_last_30_days', coalesce(sum(last_30_days), 0),
      'by_category', (
        select jsonb_object_agg(c, (select count(*) from counted where category = c and enabled))
        from unnest(enum_range(null::public.policy_category)) as c
      ),
      'by_action', (
        select coalesce(jsonb_object_agg(action, number), '{}')
        from (
          select a ->> 'action' as action, count(*) as number
          from counted, jsonb_array_elements(actions) as a
          where enabled
          group by 1
        ) as of_action
      ),
      'most_triggered', coalesce(
        (
          select jsonb_agg(to_jsonb(m) order by m.triggered desc, m.id)
          from (
            select id, name, enabled, dry_run, triggered, last_30_days as triggered_last_30_days, triggered_at as last_triggered
            from counted
            order by triggered desc, id
            limit 20
          ) as m
        ),
        '[]'
      )
    )
    from counted
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.prevent_evidence_change()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  raise exception 'Evidence is never changed.' using errcode = 'insufficient_privilege';
end
$function$;

CREATE OR REPLACE FUNCTION private.probe_run (
  header text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select r.id
  from public.security_test_runs r
  where r.id = split_part(header, ' ', 1)
    and r.status = 'running'
    and header = r.id || ' ' || (
      select encode(extensions.hmac('x-security-probe ' || r.id, decrypted_secret, 'sha256'), 'hex')
      from vault.decrypted_secrets
      where name = 'pipeline_secret'
    )
$function$;

CREATE OR REPLACE FUNCTION private.protect_incident()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  kept integer := jsonb_array_length(old.timeline);
begin
  if (select coalesce(jsonb_agg(entry order by place), '[]') from jsonb_array_elements(new.timeline) with ordinality t (entry, place) where place <= kept)
    <> old.timeline
  then
    raise exception 'The timeline of an incident is append-only.' using errcode = 'insufficient_privilege';
  end if;
  if new.status <> old.status then
    if not private.may_become(old.status, new.status) then
      raise exception 'An incident that is % cannot become %.', old.status, new.status using errcode = 'PT409';
    end if;
    new.ended_at := case when new.status in ('resolved', 'closed') then coalesce(old.ended_at, now()) end;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.purge_kind (
  purged text,
  at     timestamp with time zone,
  most   integer
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  cutoff timestamptz := at - (select keep from private.retention_rules where kind = purged);
  students uuid[];
  deleted integer;
  further integer;
begin
  case purged
    when 'raw_media' then
      with due as materialized (
        select m.ctid
        from private.check_in_media m
        join checkin.check_ins c on c.id = m.check_in_id
        where m.created_at < cutoff and c.completed_at < cutoff
        order by m.created_at
        limit most
        for update of m skip locked
      ),
      gone as (
        delete from private.check_in_media m where m.ctid = any (array(select ctid from due)) returning m.kind, m.path
      ),
      queued as materialized (
        select private.queue_object_removal(case kind when 'audio' then 'check-in-media' else 'check-in-images' end, path, 'retention')
        from gone
        order by path
      )
      select count(*) into deleted from queued;
      return deleted;
    when 'unfinished_uploads' then
      -- Looking is cheap: most of what is compared stays.
      return private.compare_bucket('check-in-media', at, 10 * most)
        + private.compare_bucket('check-in-images', at, 10 * most)
        + private.compare_bucket('university-files', at, 10 * most);
    when 'transcripts' then
      update private.check_in_inputs i
      set transcript = null, crisis_rule = null
      where i.check_in_id = any (array(
        select n.check_in_id
        from private.check_in_inputs n
        join checkin.check_ins c on c.id = n.check_in_id
        where n.transcript is not null and n.created_at < cutoff and c.completed_at < cutoff
        order by n.created_at
        limit most
        for update of n skip locked
      ));
    when 'transcript_results' then
      delete from private.transcript_results t
      where t.id = any (array(
        select d.id from private.transcript_results d where d.created_at < cutoff order by d.created_at limit most for update skip locked
      ));
    when 'results' then
      -- Locks the student too, as the deletion of an account does.
      with due as materialized (
        select c.id
        from checkin.check_ins c
        join auth.users u on u.id = c.user_id
        where c.created_at < cutoff and c.status <> 'processing'
        order by c.created_at
        limit most
        for key share of u skip locked
        for update of c skip locked
      ),
      gone as (
        delete from checkin.check_ins c where c.id = any (array(select id from due)) returning c.user_id
      )
      select count(*), array_agg(distinct user_id order by user_id) into deleted, students from gone;
      perform private.refresh_last_result(student) from unnest(students) as student;
      delete from public.assessment_sessions s
      where s.id = any (array(
        select d.id from public.assessment_sessions d where d.created_at < cutoff order by d.created_at limit most for update skip locked
      ));
      get diagnostics further = row_count;
      return deleted + further;
    when 'clinical_reviews' then
      delete from public.clinical_reviews r
      where r.id = any (array(
        select d.id from public.clinical_reviews d where d.status = 'closed' and d.closed_at < cutoff limit most for update skip locked
      ));
    when 'worrying_days' then
      delete from private.worrying_days w
      where w.ctid = any (array(
        select d.ctid from private.worrying_days d where d.day < (cutoff at time zone 'UTC')::date limit most for update skip locked
      ));
    when 'support_history' then
      return private.purge_support_history(cutoff, most);
    when 'declined_contacts' then
      delete from public.buddy_contacts c
      where c.id = any (array(
        select d.id from public.buddy_contacts d where d.declined_at < cutoff limit most for update skip locked
      ));
    when 'inbound_texts' then
      delete from private.inbound_texts t
      where t.ctid = any (array(
        select d.ctid from private.inbound_texts d where d.received_at < cutoff order by d.received_at limit most for update skip locked
      ));
    when 'sent_messages' then
      delete from private.outbox o
      where o.id = any (array(
        select d.id
        from private.outbox d
        where d.status in ('sent', 'cancelled') and d.ended_at < cutoff
        order by d.ended_at
        limit most
        for update skip locked
      ));
    when 'undelivered_messages' then
      delete from private.outbox o
      where o.id = any (array(
        select d.id
        from private.outbox d
        where d.status in ('dead', 'unconfirmed') and d.ended_at < cutoff
        order by d.ended_at
        limit most
        for update skip locked
      ));
    when 'channel_messages' then
      delete from realtime.messages m
      where (m.id, m.inserted_at) in (
        select d.id, d.inserted_at from realtime.messages d where d.inserted_at < cutoff at time zone 'UTC' limit most
      );
    when 'rate_limit_uses' then
      delete from private.rate_limit_uses u
      where u.ctid = any (array(
        select d.ctid
        from private.rate_limit_uses d
        join private.rate_limit_rules r on r.scope = d.scope
        where d.used_at[cardinality(d.used_at)] < least(cutoff, at - r.period)
        limit most
        for update of d skip locked
      ));
    when 'logged_accesses' then
      delete from private.logged_accesses l
      where l.ctid = any (array(
        select d.ctid from private.logged_accesses d where d.logged_at < cutoff limit most for update skip locked
      ));
    when 'sign_in_log' then
      delete from auth.audit_log_entries e
      where e.id = any (array(select d.id from auth.audit_log_entries d where d.created_at < cutoff limit most));
      get diagnostics further = row_count;
      return further + private.purge_audit_identities(cutoff, most, false);
    when 'policy_firings' then
      delete from private.policy_firings f
      where f.ctid = any (array(
        select d.ctid from private.policy_firings d where d.fired_at < cutoff order by d.fired_at limit most for update skip locked
      ));
    when 'security_events' then
      delete from private.security_events e
      where e.id = any (array(
        select d.id from private.security_events d where d.minute < cutoff order by d.minute limit most for update skip locked
      ));
      get diagnostics further = row_count;
      delete from private.blocked_addresses b where b.until < cutoff;
      get diagnostics deleted = row_count;
      return deleted + further;
    when 'security_incidents' then
      delete from public.security_incidents i
      where i.id = any (array(
        select d.id from public.security_incidents d where d.ended_at < cutoff limit most for update skip locked
      ));
    when 'cron_runs' then
      delete from cron.job_run_details r
      where r.runid = any (array(select d.runid from cron.job_run_details d where d.end_time < cutoff limit most));
    when 'compliance_assessments' then
      delete from public.compliance_assessments a
      where a.id = any (array(
        select d.id from public.compliance_assessments d where d.ended_at < cutoff order by d.ended_at limit most for update skip locked
      ));
    when 'audit_log' then
      return private.purge_audit_identities(cutoff, most, true);
    when 'security_test_runs' then
      delete from public.security_test_runs r
      where r.id = any (array(select d.id from public.security_test_runs d where d.ended_at < cutoff limit most));
    else
      return 0;
  end case;
  get diagnostics deleted = row_count;
  return deleted;
end
$function$;

CREATE OR REPLACE FUNCTION private.quarantine (
  called   text,
  lift     boolean,
  reason   text,
  incident text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  if lift then
    delete from private.quarantines where function_name = called;
  else
    insert into private.quarantines (function_name, reason, incident_id)
    values (called, left(reason, 500), incident)
    on conflict on constraint quarantines_pkey do nothing;
  end if;
  return '{"status": "done"}';
end
$function$;

CREATE OR REPLACE FUNCTION private.reach_of (
  action  text,
  undo    boolean,
  outcome jsonb
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
    when undo or outcome ->> 'status' <> 'done' then '{}'::jsonb
    when action = 'block_ip' then '{"not_reached": ["realtime", "signed_urls"]}'
    when action = 'disable_user' then '{"not_reached": ["joined_channels", "signed_urls"]}'
    when action = 'quarantine' then '{"not_reached": ["rest", "storage", "realtime", "auth"]}'
    else '{}'
  end
$function$;

CREATE OR REPLACE FUNCTION private.reached_counts (
  account uuid,
  address inet
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  caller constant inet := private.block_network(address);
begin
  return coalesce(
    (
      select jsonb_agg(c.key)
      from (select distinct key, kind, by_account, within_s, threshold from private.policy_counts) as c
      where (
        -- Each row counts at least one, so that no more rows than the threshold have to be read.
        select coalesce(sum(e.occurrences), 0)
        from (
          (
            select s.occurrences
            from private.security_events s
            where c.by_account and s.kind = c.kind and s.account = reached_counts.account
              and s.minute > now() - c.within_s * interval '1 second'
            limit c.threshold
          )
          union all
          (
            select s.occurrences
            from private.security_events s
            where not c.by_account and s.kind = c.kind and s.address = caller
              and s.minute > now() - c.within_s * interval '1 second'
            limit c.threshold
          )
        ) as e
      ) >= c.threshold
    ),
    '[]'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.record_response (
  incident text,
  action   text,
  target   text,
  undone   boolean,
  outcome  jsonb,
  actor    uuid    DEFAULT auth.uid()
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  entry jsonb := jsonb_build_object('action', action, 'target', target, 'undone', undone) || outcome;
begin
  update public.security_incidents i
  set
    response = i.response || (entry || jsonb_build_object('at', now())),
    timeline = i.timeline || private.incident_entry('response', entry, actor)
  where i.id = incident
    and jsonb_array_length(i.timeline) < 990
    -- Doing again what was done last leaves no trace.
    and entry is distinct from (
      select r - 'at'
      from jsonb_array_elements(i.response) with ordinality as t (r, place)
      where r ->> 'action' = action and r ->> 'target' is not distinct from target
      order by place desc
      limit 1
    );
end
$function$;

CREATE OR REPLACE FUNCTION private.refusal_findings (
  at timestamp with time zone
)
  RETURNS SETOF private.finding
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with counted as (
    select r.rule, r.threshold, k.key, e.address, e.account, e.occurrences
    from private.detection_rules r
    join (
      values
        ('token_forgery', 'token_refused', 'address'),
        ('access_refused', 'access_refused', 'account'),
        ('flood', 'rate_limited', 'account'),
        ('worker_secret', 'worker_secret_refused', 'address'),
        ('link_guessing', 'link_refused', 'address')
    ) as w (rule, kind, by) on w.rule = r.rule
    join private.security_events e on e.kind = w.kind and e.minute >= date_trunc('minute', at - r.period)
    cross join lateral (
      select r.rule || ':' || case
        when w.by = 'account' and e.account is not null then e.account::text
        else coalesce(host(e.address), 'unknown')
      end as key
    ) k
    where (e.account is not null and w.by = 'account' or private.network_kind(e.address) is distinct from 'platform')
      and e.last_at > private.resolved_at(k.key)
  )
  select
    c.rule, c.key,
    case c.rule
      when 'token_forgery' then 'Forged access tokens'
      when 'access_refused' then 'An account reaches for what it may not'
      when 'flood' then 'A flood of requests'
      when 'worker_secret' then 'The workers'' secret is guessed'
      else 'Links are guessed'
    end,
    format('%s times within the period.', sum(c.occurrences)),
    jsonb_build_object('count', sum(c.occurrences)),
    array_agg(distinct c.account) filter (where c.account is not null),
    array_agg(distinct c.address) filter (where c.address is not null),
    array[case c.rule when 'worker_secret' then 'workers' when 'link_guessing' then 'links' else 'functions' end],
    null::public.incident_type, null::public.incident_severity
  from counted c
  group by c.rule, c.key, c.threshold
  having sum(c.occurrences) >= c.threshold
$function$;

CREATE OR REPLACE FUNCTION private.refuse_blocked()
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  help constant text := 'In danger, call 112. Somebody to talk to: https://findahelpline.com';
begin
  if (select auth.role()) = 'service_role' then
    return;
  end if;
  if private.is_blocked(private.request_ip()) then
    raise exception 'Requests from this address are blocked for now.' using errcode = 'PT403', detail = help, hint = 'address_blocked';
  end if;
  if exists (select from auth.users where id = (select auth.uid()) and banned_until > now()) then
    raise exception 'This account is disabled.' using errcode = 'PT403', detail = help, hint = 'account_disabled';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_policy (
  place   text,
  problem text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  perform private.refuse(400, 'policy_invalid', format('Check %s: %s. See docs/security-policies.md.', left(place, 200), problem));
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_to_lock_out (
  policy   public.security_policies,
  compiled jsonpath
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  facts jsonb;
begin
  if (select auth.uid()) is null or policy.dry_run or not 'request' = any (policy.enforcement_points) then
    return;
  end if;
  facts := private.facts_of_request();
  if jsonb_path_match(facts, compiled, '{}', true)
    or jsonb_path_match(
      facts || '{"service": "functions", "function": "api", "path": "/api/security/policies"}', compiled, '{}', true
    )
  then
    if policy.actions @> '[{"action": "block_access"}]' then
      perform private.refuse(409, 'policy_blocks_caller', 'This policy would block you too. Leave your own requests out of its conditions.');
    elsif policy.actions @> '[{"action": "require_mfa"}]' and facts ->> 'aal' is distinct from 'aal2' then
      perform private.refuse(409, 'policy_blocks_caller', 'This policy would want a second factor of you too. Sign in with one first.');
    end if;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.reject_request (
  rejection jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  case rejection ->> 'code'
    when 'access_blocked' then
      perform private.refuse(
        403, 'access_blocked',
        'A security policy blocks this. In danger, call 112. Somebody to talk to: https://findahelpline.com'
      );
    when 'mfa_required' then
      perform private.refuse(403, 'mfa_required', 'This needs a second factor. Give the code of your authenticator app, then repeat the request.');
    else
      raise exception 'Too many requests.'
        using errcode = 'PT429', detail = rejection ->> 'reset_s', hint = 'Try again after as many seconds as the details say.';
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION private.request_assessment (
  framework public.compliance_framework
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_security_admin();
  return (private.assess_compliance(framework)).id;
end
$function$;

CREATE OR REPLACE FUNCTION private.request_ip()
  RETURNS inet
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return coalesce(private.attested_address(), private.request_header('cf-connecting-ip')::inet);
exception
  when invalid_text_representation then
    return null;
end
$function$;


SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.audit (
  action      public.audit_action,
  university  text                DEFAULT NULL::text,
  target_type text                DEFAULT NULL::text,
  target_id   text                DEFAULT NULL::text,
  before      jsonb               DEFAULT NULL::jsonb,
  after       jsonb               DEFAULT NULL::jsonb,
  details     jsonb               DEFAULT '{}'::jsonb,
  actor       uuid                DEFAULT auth.uid(),
  ip          inet                DEFAULT private.request_ip(),
  user_agent  text                DEFAULT private.request_header('user-agent'::text),
  request_id  text                DEFAULT private.request_header('x-request-id'::text),
  subject     uuid                DEFAULT NULL::uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  allowance record;
  people private.audit_identities[];
  written bigint;
  event text := case
    when audit.action = 'signed_in' then 'sign_in_succeeded'
    when audit.action in ('role_granted', 'role_revoked') then 'role_changed'
    when audit.action in ('students_listed', 'student_read', 'reviews_listed') then 'students_read'
    when audit.action in ('data_exported', 'settings_changed') then audit.action::text
  end;
begin
  -- What one account adds is bounded, so that the log stays short enough to verify.
  if actor is not null and (select auth.role()) = 'authenticated' then
    select * into strict allowance from private.consume_rate_limit(actor, 'audit');
    if not allowance.allowed then
      raise exception 'Too many reads and changes that are logged.'
        using errcode = 'PT429', detail = allowance.reset_s::text, hint = 'Try again after as many seconds as the details say.';
    end if;
  end if;
  people := array(
    select row(0, p.party, p.account, p.ip, p.user_agent, extensions.gen_random_bytes(16))::private.audit_identities
    from (
      values
        ('actor'::private.audit_party, actor, audit.ip, left(audit.user_agent, 500)),
        ('subject', audit.subject, null, null)
    ) as p (party, account, ip, user_agent)
    where num_nonnulls(p.account, p.ip, p.user_agent) > 0
  );
  -- The trigger chain_audit_entry overwrites the first four.
  insert into public.audit_logs (
    id, occurred_at, previous_hash, hash,
    action, actor_hash, subject_hash, actor_role, university_id, target_type, target_id, before, after, details, request_id
  )
  select
    0, now(), '', '',
    audit.action,
    (
      select private.audit_identity_hash(p.salt, p.account_id, p.ip, p.user_agent)
      from unnest(people) p
      where p.party = 'actor'
    ),
    (
      select private.audit_identity_hash(p.salt, p.account_id, p.ip, p.user_agent)
      from unnest(people) p
      where p.party = 'subject'
    ),
    coalesce(nullif((select auth.role()), ''), session_user), left(university, 100), audit.target_type, audit.target_id,
    audit.before, audit.after, audit.details, left(audit.request_id, 64)
  returning id into written;
  insert into private.audit_identities
  select written, p.party, p.account_id, p.ip, p.user_agent, p.salt from unnest(people) p;
  if event is not null then
    perform private.note_security_event(event, actor, ip, jsonb_build_object('action', audit.action));
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.note_security_event (
  kind    text,
  account uuid    DEFAULT NULL::uuid,
  address inet    DEFAULT private.request_ip(),
  details jsonb   DEFAULT '{}'::jsonb,
  source  text    DEFAULT 'database'::text,
  times   integer DEFAULT 1
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
declare
  most_rows constant integer := 500;
  this_minute timestamptz := date_trunc('minute', clock_timestamp());
  caller inet := private.block_network(address);
  full_up boolean;
begin
  -- A security test is no incident. Nobody else can be taken for one: the ids of its accounts are chosen by the database.
  if private.is_probe(account) or private.probe_run(private.request_header('x-security-probe')) is not null then
    return;
  end if;
  if not exists (
    select
    from private.security_events e
    where e.kind = note_security_event.kind
      and e.minute = this_minute
      and e.source = note_security_event.source
      and e.address is not distinct from caller
      and e.account is not distinct from note_security_event.account
  ) then
    select count(*) >= most_rows into full_up
    from (
      select from private.security_events e
      where e.kind = note_security_event.kind and e.minute = this_minute
      limit most_rows
    ) of_minute;
  end if;
  insert into private.security_events as e (kind, source, minute, address, account, occurrences, details)
  values (
    note_security_event.kind,
    note_security_event.source,
    this_minute,
    case when full_up then null else caller end,
    case when full_up then null else note_security_event.account end,
    times,
    note_security_event.details
  )
  on conflict on constraint security_events_once_a_minute do update
  set
    occurrences = e.occurrences + excluded.occurrences,
    last_at = excluded.last_at,
    details = case when octet_length((e.details || excluded.details)::text) <= 2000 then e.details || excluded.details else e.details end;
end
$function$;

CREATE OR REPLACE FUNCTION private.resolved_at (
  incident_key text
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select coalesce(max(ended_at), '-infinity') from public.security_incidents where key = incident_key
$function$;

CREATE OR REPLACE FUNCTION private.respond_automatically (
  incident  text,
  actions   text[],
  addresses inet[],
  account   uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  subject public.security_incidents;
begin
  select * into strict subject from public.security_incidents where id = incident;
  if 'block_ip' = any (actions) then
    perform private.record_response(incident, 'block_ip', host(a), false, private.block_address(a, null, subject.title, incident), null)
    from unnest(addresses) a
    where not private.is_blocked(a) and private.network_kind(a) is null;
  end if;
  if 'disable_user' = any (actions) and account is not null then
    perform private.record_response(
      incident, 'disable_user', account::text, false, private.disable_account(account, subject.title, incident), null
    );
  end if;
  if 'send_alert' = any (actions) then
    perform private.record_response(
      incident, 'send_alert', null, false,
      private.send_security_alert(
        left(format('Security incident (%s): %s', subject.severity, subject.title), 200),
        format(E'%s\n\nIncident %s, detected at %s UTC. Deal with it on the security page.', subject.title, subject.id,
          to_char(subject.detected_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')),
        incident
      ),
      null
    );
  end if;
  if 'audit_trail' = any (actions) then
    perform private.record_response(incident, 'audit_trail', null, false, private.seal_evidence(incident), null);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.respond_to_incident (
  incident text,
  action   text,
  target   text,
  undo     boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  subject public.security_incidents;
  outcome jsonb;
  reason text;
begin
  perform private.require_security_admin();
  select * into subject from public.security_incidents where id = incident for update;
  if not found then
    perform private.refuse(404, 'incident_not_found', 'There is no such incident.');
  end if;
  reason := subject.title;
  if action = 'block_ip' and not pg_input_is_valid(coalesce(target, ''), 'inet')
    or action = 'disable_user' and not pg_input_is_valid(coalesce(target, ''), 'uuid')
    or action = 'quarantine' and coalesce(target, '') !~ '^(\*|[a-z][a-z-]{0,60})$'
  then
    perform private.refuse(400, 'invalid_value', 'The target does not fit the action.');
  end if;
  outcome := case
    when action = 'block_ip' and undo then private.unblock_address(target::inet)
    when action = 'block_ip' then private.block_address(target::inet, null, reason, incident)
    when action = 'disable_user' and undo then private.enable_account(target::uuid)
    when action = 'disable_user' then private.disable_account(target::uuid, reason, incident)
    when action = 'send_alert' and undo then private.withdraw_security_alerts(incident)
    when action = 'send_alert' then private.send_security_alert(
      left(format('Security incident (%s): %s', subject.severity, reason), 200),
      coalesce(nullif(target, ''), reason) || E'\n\nIncident ' || incident,
      incident
    )
    when action = 'quarantine' then private.quarantine(target, undo, reason, incident)
    when action = 'audit_trail' and undo then '{"status": "failed", "detail": "Evidence is kept."}'
    when action = 'audit_trail' then private.seal_evidence(incident)
  end;
  if outcome is null then
    perform private.refuse(400, 'invalid_value', 'There is no such action.');
  end if;
  outcome := outcome || private.reach_of(action, undo, outcome);
  perform private.record_response(incident, action, target, undo, outcome);
  return outcome || jsonb_build_object('action', action, 'target', target, 'undone', undo);
end
$function$;

CREATE OR REPLACE FUNCTION private.roll_up_policy_triggers()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  with taken as (
    delete from private.policy_triggers t
    where (t.policy_id, t.backend) in (select d.policy_id, d.backend from private.policy_triggers d for update skip locked)
    returning t.policy_id, t.triggered, t.last_triggered
  ),
  sums as (
    select policy_id, sum(triggered)::bigint as triggered, max(last_triggered) as last_triggered from taken group by policy_id
  ),
  days as (
    insert into private.policy_days as d (policy_id, day, triggered)
    select policy_id, (last_triggered at time zone 'UTC')::date, triggered from sums
    on conflict on constraint policy_days_pkey do update set triggered = d.triggered + excluded.triggered
  ),
  outdated as (
    delete from private.policy_days where day < (now() at time zone 'UTC')::date - 90
  )
  update public.security_policies p
  set trigger_count = least(p.trigger_count + s.triggered, 2147483647),
    last_triggered = greatest(p.last_triggered, s.last_triggered)
  from sums s
  where p.id = s.policy_id
$function$;

CREATE OR REPLACE FUNCTION private.run_compliance_check (
  assessed private.compliance_checks
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  has_source boolean := true;
  found text[];
  problem text;
  result jsonb;
begin
  begin
    if assessed.source is not null then
      execute format('select coalesce((%s), false)', assessed.source) into has_source;
    end if;
    if has_source then
      execute format(
        'select coalesce(array_agg(left(item, 300) order by item), ''{}'') from (select item from (%s) as f (item) limit 101) as found',
        assessed.query
      ) into found;
    else
      problem := 'its source is not told';
    end if;
  exception
    when others then
      problem := 'it failed with ' || sqlstate;
  end;
  result := jsonb_build_object(
    'check_id', assessed.id,
    'title', assessed.title,
    'expected', assessed.expected,
    'query', assessed.query,
    'failure', assessed.failure,
    'result', case when problem is not null then 'not_assessed' when found = '{}' then 'passed' else 'failed' end,
    'found', to_jsonb(coalesce(found[:100], '{}')),
    'more', coalesce(cardinality(found), 0) > 100,
    'problem', problem,
    'checked_at', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
  );
  return result || jsonb_build_object('hash', encode(sha256(convert_to(result::text, 'UTF8')), 'hex'));
end
$function$;

CREATE OR REPLACE FUNCTION private.schema_changes()
  RETURNS TABLE (
    aspect text,
    object text,
    change text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select
    coalesce(s.aspect, b.aspect),
    coalesce(s.object, b.object),
    case when b.object is null then 'added' when s.object is null then 'removed' else 'changed' end
  from private.schema_state s
  full join private.schema_snapshot b on b.aspect = s.aspect and b.object = s.object
  where s.state is distinct from b.state
$function$;

CREATE OR REPLACE FUNCTION private.seal_evidence (
  incident text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  about public.security_incidents;
  extract jsonb;
  digest bytea;
begin
  select * into about from public.security_incidents where id = incident;
  if not found then
    return jsonb_build_object('status', 'failed', 'detail', 'There is no such incident.');
  end if;
  extract := jsonb_build_object(
    'incident', to_jsonb(about) - array['timeline', 'response'],
    'events', (
      select coalesce(jsonb_agg(to_jsonb(e) order by e.id), '[]')
      from (
        select *
        from private.security_events e
        where e.minute between about.detected_at - interval '1 hour' and about.last_seen_at + interval '1 minute'
          and (
            e.account::text = any (about.affected_users)
            or host(e.address) in (select jsonb_array_elements_text(coalesce(about.indicators -> 'addresses', '[]')))
          )
        order by e.id
        limit 5000
      ) e
    ),
    'audit_log', (
      select coalesce(jsonb_agg(to_jsonb(l) order by l.id), '[]')
      from (
        select l.id, l.occurred_at, l.action, l.actor_id, l.subject_id, l.target_type, l.target_id, host(l.ip) as ip, encode(l.hash, 'hex') as hash
        from private.audit_log l
        where l.occurred_at between about.detected_at - interval '1 hour' and about.last_seen_at + interval '1 minute'
          and (l.actor_id::text = any (about.affected_users) or l.subject_id::text = any (about.affected_users))
        order by l.id
        limit 5000
      ) l
    )
  );
  digest := sha256(convert_to(extract::text, 'UTF8'));
  insert into private.evidence (incident_id, content, sha256) values (incident, extract, digest) on conflict do nothing;
  return jsonb_build_object('status', 'done', 'sha256', encode(digest, 'hex'));
end
$function$;

CREATE OR REPLACE FUNCTION private.security_event_kinds()
  RETURNS text[]
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select '{sign_in_failed,sign_in_succeeded,token_refused,access_refused,rate_limited,link_refused,students_read,data_exported}'::text[]
$function$;

CREATE OR REPLACE FUNCTION private.security_test_statistics()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'tests', (select count(*) from public.security_tests),
    'runs', (
      select jsonb_build_object(
        'last_30_days', count(*),
        'completed', count(*) filter (where r.status = 'completed'),
        'failed', count(*) filter (where r.status = 'failed'),
        'last_ended_at', max(r.ended_at)
      )
      from public.security_test_runs r
      where r.created_at > now() - interval '30 days'
    ),
    'probes', (
      select coalesce(jsonb_agg(to_jsonb(p) order by p.probe), '[]')
      from (
        select distinct on (r.probe) r.probe, r.status, r.ended_at, r.checks, jsonb_array_length(r.findings) as faults
        from public.security_test_results r
        where r.ended_at is not null
        order by r.probe, r.ended_at desc
      ) p
    ),
    'vulnerabilities', (
      select jsonb_agg(to_jsonb(v) order by v.severity desc)
      from (
        select
          s.severity,
          count(v.id) filter (where v.status = 'open') as open,
          count(v.id) filter (where v.status = 'accepted') as accepted,
          count(v.id) filter (where v.status = 'fixed') as fixed,
          count(v.regression_of) as regressions,
          min(v.found_at) filter (where v.status = 'open') as oldest_open_at,
          round((extract(epoch from avg(v.fixed_at - v.found_at)) / 3600)::numeric, 2) as mean_hours_to_fix,
          round(
            (extract(epoch from percentile_cont(0.5) within group (order by v.fixed_at - v.found_at)) / 3600)::numeric, 2
          ) as median_hours_to_fix
        from unnest(enum_range(null::public.vulnerability_severity)) as s (severity)
        left join public.vulnerabilities v on v.severity = s.severity
        group by s.severity
      ) v
    )
  )
  where private.is_security_admin() or coalesce((select auth.role()), '') not in ('anon', 'authenticated')
$function$;

CREATE OR REPLACE FUNCTION private.send_security_alert (
  subject  text,
  text     text,
  incident text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  recipients integer;
begin
  with administrators as (
    select distinct u.id, u.email
    from public.user_roles r
    join auth.users u on u.id = r.user_id
    where r.role = 'security_admin'
      and u.email is not null
      and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= now())
  ),
  queued as (
    insert into private.outbox (id, channel, purpose, user_id, recipient, subject, body)
    select
      md5(concat_ws('/', 'security_alert', incident, subject, text, a.id))::uuid,
      'email', 'security_alert', a.id, a.email, left(subject, 200), left(text, 20000)
    from administrators a
    on conflict do nothing
  )
  select count(*) into recipients from administrators;
  return jsonb_build_object(
    'status', case when recipients > 0 then 'done' else 'failed' end,
    'detail', format('%s security administrators', recipients)
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.sign_in_failures (
  since timestamp with time zone
)
  RETURNS TABLE (
    account  uuid,
    address  inet,
    direct   boolean,
    failures bigint,
    last_at  timestamp with time zone
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with seen as (
    select e.account, e.address, e.source, sum(e.occurrences) as failures, max(e.last_at) as last_at
    from private.security_events e
    where e.kind = 'sign_in_failed' and e.minute >= date_trunc('minute', since)
      and e.last_at > greatest(
        private.resolved_at('sign_in:address:' || host(e.address)),
        private.resolved_at('sign_in:account:' || e.account)
      )
    group by e.account, e.address, e.source
  ),
  by_auth as (
    select s.account, max(s.failures) as most, sum(s.failures) as failures, max(s.last_at) as last_at
    from seen s
    where s.source = 'auth'
    group by s.account
  )
  select s.account, s.address, false, s.failures, s.last_at from seen s where s.source = 'functions'
  union all
  select
    a.account,
    case when (select d.trust_auth_addresses from private.detection_settings d) then (
      select s.address from seen s where s.source = 'auth' and s.account = a.account order by s.failures desc limit 1
    ) end,
    true,
    a.failures - coalesce(f.failures, 0),
    a.last_at
  from by_auth a
  left join (select s.account, sum(s.failures) as failures from seen s where s.source = 'functions' group by s.account) f
    on f.account = a.account
  where a.failures > coalesce(f.failures, 0)
$function$;

CREATE OR REPLACE FUNCTION private.sign_in_findings (
  at timestamp with time zone
)
  RETURNS SETOF private.finding
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with rules as (
    select
      max(period) as longest,
      max(threshold) filter (where rule = 'brute_force_address') as by_address,
      max(threshold) filter (where rule = 'brute_force_account') as by_account,
      max(threshold) filter (where rule = 'credential_stuffing') as spread
    from private.detection_rules
    where rule in ('brute_force_address', 'brute_force_account', 'credential_stuffing')
  ),
  failures as materialized (
    select f.* from rules, private.sign_in_failures(at - longest) f
  ),
  successes as materialized (
    select e.account, e.address, max(e.last_at) as last_at
    from private.security_events e, rules
    where e.kind = 'sign_in_succeeded' and e.minute >= date_trunc('minute', at - longest)
    group by e.account, e.address
  ),
  -- Whoever gets in after a few attempts has mistyped.
  unresolved as materialized (
    select f.*
    from failures f
    where f.failures >= 5
      or not exists (select from successes s where s.account = f.account and s.last_at >= f.last_at)
  ),
  addresses as materialized (
    select u.address, sum(u.failures) as failures, count(distinct u.account) as accounts,
      array_agg(distinct u.account) filter (where u.account is not null) as affected, n.people,
      exists (
        select from successes s where s.address = u.address and s.account = any (array_agg(u.account) filter (where u.failures >= 5))
      ) as got_in
    from unresolved u
    cross join lateral (select count(distinct s.account) as people from successes s where s.address = u.address) n
    where u.address is not null and private.network_kind(u.address) is distinct from 'platform'
    group by u.address, n.people
    having sum(u.failures) >= (select by_address from rules)
        * (case private.network_kind(u.address) when 'campus' then 10 else 1 end) + n.people / 4
  ),
  accounts as materialized (
    select u.account, sum(u.failures) as failures, bool_or(u.direct) as direct,
      array_agg(distinct u.address) filter (where u.address is not null) as addresses
    from unresolved u
    where u.account is not null and not exists (select from addresses a where a.address = u.address)
    group by u.account
    having sum(u.failures) >= (select by_account from rules)
  ),
  spread as (
    select count(*) as attempts, count(distinct u.account) as accounts,
      (array_agg(distinct u.account) filter (where u.account is not null))[:1000] as affected
    from unresolved u
    where not exists (select from addresses a where a.address = u.address)
      and not exists (select from accounts a where a.account = u.account)
      and u.last_at > private.resolved_at('sign_in:spread')
      and private.network_kind(u.address) is null
  )
  select
    'brute_force_address', 'sign_in:address:' || host(a.address),
    case when a.accounts >= 5 then 'Credential stuffing from one address' else 'Brute force from one address' end,
    format('%s sign-ins failed from %s, of %s accounts.', a.failures, host(a.address), a.accounts)
      || case when a.got_in then ' An account that was tried often was then signed in to.' else '' end,
    jsonb_build_object('failures', a.failures, 'accounts', a.accounts, 'people_who_signed_in', a.people, 'got_in', a.got_in),
    a.affected, array[a.address], array['sign_in'], null::public.incident_type,
    case when a.got_in then 'critical'::public.incident_severity end
  from addresses a
  union all
  select
    'brute_force_account', 'sign_in:account:' || a.account, 'Brute force on one account',
    format('%s sign-ins to one account failed%s.', a.failures, case when a.direct then ', some of them straight at Auth' else '' end),
    jsonb_build_object('failures', a.failures, 'straight_at_auth', a.direct),
    array[a.account], a.addresses, array['sign_in'], null, null
  from accounts a
  union all
  select
    'credential_stuffing', 'sign_in:spread', 'Credential stuffing from many addresses',
    format('%s pairs of address and account failed to sign in, few times each.', s.attempts),
    jsonb_build_object('attempts', s.attempts, 'accounts', s.accounts),
    s.affected, null, array['sign_in'], null, null
  from spread s
  where s.attempts >= (select rules.spread from rules) and s.attempts > (select count(*) / 2 from successes)
$function$;

CREATE OR REPLACE FUNCTION private.signed_in_account()
  RETURNS uuid
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  claims jsonb := auth.jwt();
  account uuid := claims ->> 'sub';
begin
  if pg_input_is_valid(claims ->> 'session_id', 'uuid')
    and exists (
      select from auth.sessions
      where id = (claims ->> 'session_id')::uuid and user_id = account and (not_after is null or not_after > now())
    )
    and exists (
      select from auth.users
      where id = account and deleted_at is null and (banned_until is null or banned_until <= now())
    )
    and not private.is_blocked(private.request_ip())
  then
    return account;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.system_findings (
  at timestamp with time zone
)
  RETURNS SETOF private.finding
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select
    'schema_change', 'schema', 'What protects the data was changed outside a migration',
    left(string_agg(format('%s %s: %s', c.aspect, c.change, c.object), '; ' order by c.aspect, c.object), 2000),
    jsonb_build_object(
      'changes', count(*),
      'first', jsonb_agg(jsonb_build_object('aspect', c.aspect, 'object', c.object, 'change', c.change) order by c.aspect, c.object) -> 0
    ),
    null::uuid[], null::inet[], array['database'],
    case when bool_and(c.aspect in ('policy', 'grant', 'role')) then 'privilege_escalation'::public.incident_type end,
    null::public.incident_severity
  from private.schema_changes() c
  having count(*) > 0
  union all
  select
    'detection_weakened', 'settings:detection', 'Detection was weakened',
    format('Rules were switched off, or their thresholds raised: %s.', string_agg(distinct l.target_id, ', ')),
    jsonb_build_object('rules', jsonb_agg(distinct l.target_id), 'audit_entries', jsonb_build_array(min(l.id), max(l.id))),
    array_agg(distinct l.actor_id) filter (where l.actor_id is not null), null, array['detection'], null, null
  from private.audit_log l
  where l.action = 'settings_changed'
    and l.target_type = 'detection_rules'
    and l.occurred_at > at - (select period from private.detection_rules where rule = 'detection_weakened')
    and l.occurred_at > private.resolved_at('settings:detection')
    and l.before is not null
    and (
      l.after is null
      or (l.after ->> 'enabled') = 'false'
      or (l.after ->> 'threshold')::integer > (l.before ->> 'threshold')::integer
    )
  having count(*) > 0
  union all
  select
    'erasure_overdue', 'compliance:erasures', 'Erasures are overdue',
    format('%s accounts should have been erased by now.', count(*)),
    jsonb_build_object('erasures', count(*), 'oldest', min(e.final_at)),
    null, null, array['erasure'], null, null
  from private.erasures e
  where e.erased_at is null
    and e.final_at < at - (select period from private.detection_rules where rule = 'erasure_overdue')
    and not exists (select from private.legal_holds h where h.user_id = e.user_id)
  having count(*) >= (select threshold from private.detection_rules where rule = 'erasure_overdue')
  union all
  select
    'retention_stopped', 'compliance:retention', 'Retention has stopped',
    'What has been kept long enough is not deleted: the job purge-expired has not succeeded for too long.',
    jsonb_build_object('last_success', max(d.end_time)),
    null, null, array['retention'], null, null
  from cron.job j
  join cron.job_run_details d on d.jobid = j.jobid
  where j.jobname = 'purge-expired'
  having max(d.end_time) filter (where d.status = 'succeeded')
      < at - (select period from private.detection_rules where rule = 'retention_stopped')
    or (count(*) filter (where d.status = 'succeeded') = 0
      and min(d.end_time) < at - (select period from private.detection_rules where rule = 'retention_stopped'))
$function$;

CREATE OR REPLACE FUNCTION private.take_policy_action (
  policy  text,
  action  private.policy_action,
  account uuid,
  address inet
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  policy_name constant text := (select p.name from public.security_policies p where p.id = policy);
begin
  case action
    when 'send_alerts' then
      return private.send_security_alert(
        'Security policy: ' || policy_name,
        format(
          E'The policy "%s" (%s) applied.\n\nAccount: %s\nAddress: %s\nTime: %s\n',
          policy_name, policy, coalesce(account::text, 'nobody signed in'), coalesce(host(address), 'not known'),
          to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
        )
      );
    when 'disable_users' then
      if account is null then
        return '{"status": "failed", "detail": "Nobody is signed in."}';
      end if;
      return private.disable_account(account, 'Security policy: ' || policy_name);
    when 'create_audit_trails' then
      perform private.audit('policy_triggered', null, 'security_policies', policy, actor => account, ip => address);
      return '{"status": "done"}';
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION private.take_schema_snapshot()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  delete from private.schema_snapshot;
  insert into private.schema_snapshot (aspect, object, state) select aspect, object, coalesce(state, '') from private.schema_state;
  insert into private.schema_snapshot_of (migration) values (private.last_migration())
  on conflict on constraint schema_snapshot_of_pkey do update set migration = excluded.migration, taken_at = excluded.taken_at
$function$;

CREATE OR REPLACE FUNCTION private.tell_compliance (
  fact        text,
  happened_at timestamp with time zone,
  reference   text
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  insert into private.compliance_facts as f (fact, happened_at, reference, told_at)
  values (tell_compliance.fact, tell_compliance.happened_at, tell_compliance.reference, clock_timestamp())
  on conflict on constraint compliance_facts_pkey do update
  set happened_at = excluded.happened_at, reference = excluded.reference, told_at = excluded.told_at
  where f.happened_at <= excluded.happened_at
$function$;

CREATE OR REPLACE FUNCTION private.try_policies (
  context jsonb,
  point   public.enforcement_point,
  enforce boolean
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
#variable_conflict use_column
declare
  evaluated jsonb;
begin
  perform private.require_security_admin();
  evaluated := private.evaluate_policies(context, point::text);
  perform private.count_policy_trigger(p ->> 'id') from jsonb_array_elements(evaluated -> 'policies') as p where p -> 'holds' = 'true';
  return jsonb_set(
    evaluated,
    '{policies}',
    coalesce(
      (
        select jsonb_agg(
          p.policy || jsonb_build_object(
            'actions',
            (
              select jsonb_agg(a.action || private.outcome_of_action(p.policy, a.action, context, enforce) order by a.place)
              from jsonb_array_elements(p.policy -> 'actions') with ordinality as a (action, place)
            )
          )
          order by p.place
        )
        from jsonb_array_elements(evaluated -> 'policies') with ordinality as p (policy, place)
      ),
      '[]'
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.unblock_address (
  address inet
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update private.blocked_addresses set until = now() where network = private.block_network(address) and until > now();
  return '{"status": "done"}';
end
$function$;

CREATE OR REPLACE FUNCTION private.university_crisis_resources (
  university text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(
    (
      select case when u.crisis_phone is null then '[]'::jsonb
          else jsonb_build_array(jsonb_build_object('name', u.short_name || ' crisis line', 'phone', u.crisis_phone, 'website', null))
        end || u.resources
      from public.universities u
      where u.id = university and (u.crisis_phone is not null or u.resources <> '[]')
    ),
    '[]'
  ) || jsonb_build_array(
    jsonb_build_object('name', 'Emergency services', 'phone', '112', 'website', null),
    jsonb_build_object('name', 'Find a helpline in your country', 'phone', null, 'website', 'https://findahelpline.com')
  )
$function$;

CREATE OR REPLACE FUNCTION private.withdraw_security_alerts (
  incident text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  withdrawn integer;
begin
  update private.outbox o
  set status = 'cancelled', ended_at = now()
  where o.purpose = 'security_alert' and o.status = 'queued' and strpos(o.body, incident) > 0;
  get diagnostics withdrawn = row_count;
  return jsonb_build_object('status', 'done', 'detail', format('%s messages had not been sent', withdrawn));
end
$function$;

CREATE OR REPLACE FUNCTION private.withheld_data()
  RETURNS TABLE (
    schema_name   text,
    relation_name text,
    column_name   text,
    reason        text
  )
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  values
    ('public', 'buddy_contacts', 'verification_token', 'It would let somebody answer for the contact.'),
    ('public', 'buddy_verification_audit', 'ip_address', 'It is the contact''s own.'),
    ('public', 'buddy_verification_audit', 'user_agent', 'It is the contact''s own.'),
    ('private', 'buddy_verification_sends', 'mailbox_hash', 'It is the contact''s own.'),
    ('private', 'buddy_refusals', 'address_hash', 'It is the contact''s own.'),
    ('public', 'audit_logs', 'actor_hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'subject_hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'previous_hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'target_id', 'It may name somebody else.'),
    ('public', 'audit_logs', 'before', 'It may name somebody else.'),
    ('public', 'audit_logs', 'after', 'It may name somebody else.'),
    ('public', 'audit_logs', 'details', 'It may name somebody else.'),
    ('private', 'audit_identities', 'salt', 'It proves the audit log, and means nothing by itself.'),
    ('private', 'legal_holds', 'user_id', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('private', 'legal_holds', 'reason', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('private', 'legal_holds', 'confidential', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('private', 'legal_holds', 'set_at', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('public', 'security_incidents', 'affected_users', 'It names others.'),
    ('public', 'security_incidents', 'response', 'It names others.'),
    ('public', 'security_incidents', 'timeline', 'It names others.'),
    ('public', 'security_incidents', 'owner', 'It names others.'),
    ('private', 'exports', 'token_hash', 'It belongs to a link that lets anybody download the data.')
$function$;

CREATE OR REPLACE FUNCTION public.accept_vulnerability (
  vulnerability text,
  reason        text,
  until         timestamp with time zone
)
  RETURNS public.vulnerabilities
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.accept_vulnerability(vulnerability, reason, until)
  AS accept_vulnerability;
END;

REVOKE ALL ON FUNCTION "public"."accept_vulnerability"(text, text, timestamp WITH time zone) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.assess_compliance (
  framework public.compliance_framework
)
  RETURNS text
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.request_assessment(framework)
  AS request_assessment;
END;

REVOKE ALL ON FUNCTION "public"."assess_compliance"(public.compliance_framework) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.change_incident (
  incident_id text,
  status      public.incident_status   DEFAULT NULL::public.incident_status,
  owner       uuid                     DEFAULT NULL::uuid,
  note        text                     DEFAULT NULL::text,
  aware_at    timestamp with time zone DEFAULT NULL::timestamp WITH time zone
)
  RETURNS public.security_incidents
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.change_incident(incident_id, status, OWNER, note, aware_at)
  AS change_incident;
END;

REVOKE ALL ON FUNCTION "public"."change_incident"(text, public.incident_status, uuid, text, timestamp WITH time zone) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.check_request()
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.refuse_estimates()
  AS refuse_estimates;
 SELECT private.refuse_blocked() AS refuse_blocked;
 SELECT private.enforce_on_rest() AS enforce_on_rest;
END;

CREATE OR REPLACE FUNCTION public.create_security_test (
  test_name     text,
  test_probes   public.security_probe[],
  test_schedule public.security_test_schedule DEFAULT 'on_demand'::public.security_test_schedule
)
  RETURNS public.security_tests
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.create_security_test(test_name, test_probes, test_schedule)
  AS create_security_test;
END;

REVOKE ALL ON FUNCTION "public"."create_security_test"(text, public.security_probe[], public.security_test_schedule) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.decide_control (
  control_id text,
  status     public.compliance_status,
  reason     text,
  evidence   jsonb
)
  RETURNS public.compliance_controls
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.decide_control(control_id, status, reason, evidence)
  AS decide_control;
END;

REVOKE ALL ON FUNCTION "public"."decide_control"(text, public.compliance_status, text, jsonb) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.detect_incidents()
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.detect_as_administrator()
  AS detect_as_administrator;
END;

REVOKE ALL ON FUNCTION "public"."detect_incidents"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.evaluate_policies (
  context           jsonb,
  enforcement_point public.enforcement_point DEFAULT 'request'::public.enforcement_point,
  enforce           boolean                  DEFAULT false
)
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.try_policies(context, enforcement_point, enforce)
  AS try_policies;
END;

REVOKE ALL ON FUNCTION "public"."evaluate_policies"(jsonb, public.enforcement_point, boolean) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.execute_security_test (
  test text
)
  RETURNS public.security_test_runs
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.execute_security_test(test)
  AS execute_security_test;
END;

REVOKE ALL ON FUNCTION "public"."execute_security_test"(text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.policy_statistics()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.policy_statistics()
  AS policy_statistics;
END;

REVOKE ALL ON FUNCTION "public"."policy_statistics"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.respond_to_incident (
  incident_id text,
  action      text,
  target      text    DEFAULT NULL::text,
  undo        boolean DEFAULT false
)
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.respond_to_incident(incident_id, action, target, undo)
  AS respond_to_incident;
END;

REVOKE ALL ON FUNCTION "public"."respond_to_incident"(text, text, text, boolean) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.security_test_statistics()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.security_test_statistics()
  AS security_test_statistics;
END;

REVOKE ALL ON FUNCTION "public"."security_test_statistics"() FROM PUBLIC, "anon";

ALTER TABLE "private"."compliance_checks"
  ADD CONSTRAINT "compliance_checks_failure" CHECK ((failure = ANY (ARRAY['partial'::public.compliance_status, 'non_compliant'::public.compliance_status])));

ALTER TABLE "private"."detection_rules"
  ADD CONSTRAINT "detection_rules_guarded" CHECK ((enabled OR (rule <> 'detection_weakened'::text)));

ALTER TABLE "private"."detection_rules"
  ADD CONSTRAINT "detection_rules_period_range" CHECK (((period >= '00:01:00'::interval) AND (period <= '7 days'::interval)));

ALTER TABLE "private"."detection_rules"
  ADD CONSTRAINT "detection_rules_respond_known" CHECK ((respond <@ ARRAY['block_ip'::text, 'disable_user'::text, 'send_alert'::text, 'audit_trail'::text]));

ALTER TABLE "private"."detection_rules"
  ADD CONSTRAINT "detection_rules_threshold_range" CHECK (((threshold >= 1) AND (threshold <= 1000000)));

ALTER TABLE "private"."disabled_accounts"
  ADD CONSTRAINT "disabled_accounts_account_fkey" FOREIGN KEY (account) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."policy_counts"
  ADD CONSTRAINT "policy_counts_policy_id_fkey" FOREIGN KEY (policy_id) REFERENCES private.enabled_policies(policy_id) ON DELETE CASCADE;

ALTER TABLE "private"."policy_firings"
  ADD CONSTRAINT "policy_firings_account_fkey" FOREIGN KEY (account) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."policy_firings"
  ADD CONSTRAINT "policy_firings_once" UNIQUE NULLS NOT DISTINCT (policy_id, action, account, address);

ALTER TABLE "public"."compliance_assessments"
  ADD CONSTRAINT "compliance_assessments_hash_length" CHECK ((octet_length(hash) = 32));

ALTER TABLE "public"."compliance_assessments"
  ADD CONSTRAINT "compliance_assessments_requested_by_fkey" FOREIGN KEY (requested_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."compliance_controls"
  ADD CONSTRAINT "compliance_controls_automated_at_when_assessed" CHECK (((automated_status = 'not_assessed'::public.compliance_status) OR (automated_at IS NOT NULL)));

ALTER TABLE "public"."compliance_controls"
  ADD CONSTRAINT "compliance_controls_automated_status_found" CHECK ((automated_status <> 'not_applicable'::public.compliance_status));

ALTER TABLE "public"."compliance_controls"
  ADD CONSTRAINT "compliance_controls_decided_by_fkey" FOREIGN KEY (decided_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."compliance_controls"
  ADD CONSTRAINT "compliance_controls_decision_made" CHECK ((decision <> 'not_assessed'::public.compliance_status));

ALTER TABLE "public"."compliance_controls"
  ADD CONSTRAINT "compliance_controls_decision_reason_length" CHECK (((char_length(decision_reason) >= 1) AND (char_length(decision_reason) <= 2000)));

ALTER TABLE "public"."compliance_controls"
  ADD CONSTRAINT "compliance_controls_decision_whole"
    CHECK (((num_nulls(decision, decision_reason, decision_evidence, decided_at) = ANY (ARRAY[0, 4])) AND ((decided_by IS NULL) OR (decision IS NOT NULL))));

ALTER TABLE "public"."compliance_controls"
  ADD CONSTRAINT "compliance_controls_reference_key" UNIQUE (framework, reference);

ALTER TABLE "public"."security_incidents"
  ADD CONSTRAINT "security_incidents_description_length" CHECK (((char_length(description) >= 1) AND (char_length(description) <= 5000)));

ALTER TABLE "public"."security_incidents"
  ADD CONSTRAINT "security_incidents_ended" CHECK (((status = ANY (ARRAY['resolved'::public.incident_status, 'closed'::public.incident_status])) = (ended_at IS NOT NULL)));

ALTER TABLE "public"."security_incidents"
  ADD CONSTRAINT "security_incidents_key_length" CHECK (((char_length(key) >= 1) AND (char_length(key) <= 300)));

ALTER TABLE "public"."security_incidents"
  ADD CONSTRAINT "security_incidents_owner_fkey" FOREIGN KEY (OWNER) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "private"."blocked_addresses"
  ADD CONSTRAINT "blocked_addresses_incident_id_fkey" FOREIGN KEY (incident_id) REFERENCES public.security_incidents(id) ON DELETE SET NULL;

ALTER TABLE "private"."disabled_accounts"
  ADD CONSTRAINT "disabled_accounts_incident_id_fkey" FOREIGN KEY (incident_id) REFERENCES public.security_incidents(id) ON DELETE SET NULL;

ALTER TABLE "private"."evidence"
  ADD CONSTRAINT "evidence_incident_id_fkey" FOREIGN KEY (incident_id) REFERENCES public.security_incidents(id) ON DELETE CASCADE;

ALTER TABLE "private"."quarantines"
  ADD CONSTRAINT "quarantines_incident_id_fkey" FOREIGN KEY (incident_id) REFERENCES public.security_incidents(id) ON DELETE SET NULL;

ALTER TABLE "public"."security_incidents"
  ADD CONSTRAINT "security_incidents_response_array" CHECK ((jsonb_typeof(response) = 'array'::text));

ALTER TABLE "public"."security_incidents"
  ADD CONSTRAINT "security_incidents_timeline_array" CHECK ((jsonb_typeof(timeline) = 'array'::text));

ALTER TABLE "public"."security_incidents"
  ADD CONSTRAINT "security_incidents_timeline_size" CHECK ((jsonb_array_length(timeline) <= 1000));

ALTER TABLE "public"."security_incidents"
  ADD CONSTRAINT "security_incidents_title_length" CHECK (((char_length(title) >= 1) AND (char_length(title) <= 500)));

ALTER TABLE "public"."security_policies"
  ADD CONSTRAINT "security_policies_actions_size" CHECK ((octet_length((actions)::text) <= 2000));

ALTER TABLE "public"."security_policies"
  ADD CONSTRAINT "security_policies_conditions_size" CHECK ((octet_length((conditions)::text) <= 16000));

ALTER TABLE "public"."security_policies"
  ADD CONSTRAINT "security_policies_enforcement_points_some" CHECK (((cardinality(enforcement_points) >= 1) AND (cardinality(enforcement_points) <= 2)));

ALTER TABLE "private"."enabled_policies"
  ADD CONSTRAINT "enabled_policies_policy_id_fkey" FOREIGN KEY (policy_id) REFERENCES public.security_policies(id) ON DELETE CASCADE;

ALTER TABLE "private"."policy_days"
  ADD CONSTRAINT "policy_days_policy_id_fkey" FOREIGN KEY (policy_id) REFERENCES public.security_policies(id) ON DELETE CASCADE;

ALTER TABLE "private"."policy_firings"
  ADD CONSTRAINT "policy_firings_policy_id_fkey" FOREIGN KEY (policy_id) REFERENCES public.security_policies(id) ON DELETE CASCADE;

ALTER TABLE "private"."policy_triggers"
  ADD CONSTRAINT "policy_triggers_policy_id_fkey" FOREIGN KEY (policy_id) REFERENCES public.security_policies(id) ON DELETE CASCADE;

ALTER TABLE "public"."security_policies"
  ADD CONSTRAINT "security_policies_priority_range" CHECK (((priority >= 1) AND (priority <= 1000)));

ALTER TABLE "public"."security_test_results"
  ADD CONSTRAINT "security_test_results_findings_size" CHECK (((jsonb_typeof(findings) = 'array'::text) AND (octet_length((findings)::text) <= 65536)));

ALTER TABLE "public"."security_test_results"
  ADD CONSTRAINT "security_test_results_pkey" PRIMARY KEY (run_id, probe);

ALTER TABLE "public"."security_test_runs"
  ADD CONSTRAINT "security_test_runs_ended" CHECK (((ended_at IS NULL) = (status = 'running'::public.security_test_run_status)));

ALTER TABLE "private"."probe_accounts"
  ADD CONSTRAINT "probe_accounts_run_id_fkey" FOREIGN KEY (run_id) REFERENCES public.security_test_runs(id) ON DELETE CASCADE;

ALTER TABLE "public"."security_test_results"
  ADD CONSTRAINT "security_test_results_run_id_fkey" FOREIGN KEY (run_id) REFERENCES public.security_test_runs(id) ON DELETE CASCADE;

ALTER TABLE "public"."security_test_runs"
  ADD CONSTRAINT "security_test_runs_requested_by_fkey" FOREIGN KEY (requested_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."security_tests"
  ADD CONSTRAINT "security_tests_next_run" CHECK (((next_run_at IS NULL) = (schedule = 'on_demand'::public.security_test_schedule)));

ALTER TABLE "public"."security_test_runs"
  ADD CONSTRAINT "security_test_runs_test_id_fkey" FOREIGN KEY (test_id) REFERENCES public.security_tests(id) ON DELETE CASCADE;

ALTER TABLE "public"."security_tests"
  ADD CONSTRAINT "security_tests_probes_some" CHECK ((cardinality(probes) >= 1));

ALTER TABLE "public"."vulnerabilities"
  ADD CONSTRAINT "vulnerabilities_accepted_by_fkey" FOREIGN KEY (accepted_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE "public"."vulnerabilities"
  ADD CONSTRAINT "vulnerabilities_accepted"
    CHECK
    ((((status <> 'accepted'::public.vulnerability_status) OR (num_nulls(accepted_at, accepted_until, accepted_reason) = 0)) AND ((accepted_reason IS NULL) OR
    ((char_length(accepted_reason) >= 10) AND (char_length(accepted_reason) <= 2000))) AND (accepted_until <= (accepted_at + '366 days'::interval))));

ALTER TABLE "public"."vulnerabilities"
  ADD CONSTRAINT "vulnerabilities_evidence_size" CHECK (((jsonb_typeof(evidence) = 'object'::text) AND (octet_length((evidence)::text) <= 8192)));

ALTER TABLE "public"."vulnerabilities"
  ADD CONSTRAINT "vulnerabilities_fault_form" CHECK ((fault ~ '^[a-z0-9_.:/-]{1,120}$'::text));

ALTER TABLE "public"."vulnerabilities"
  ADD CONSTRAINT "vulnerabilities_fixed_in_fkey" FOREIGN KEY (fixed_in) REFERENCES public.security_test_runs(id) ON DELETE SET NULL;

ALTER TABLE "public"."vulnerabilities"
  ADD CONSTRAINT "vulnerabilities_fixed" CHECK (((fixed_at IS NOT NULL) = (status = 'fixed'::public.vulnerability_status)));

ALTER TABLE "public"."vulnerabilities"
  ADD CONSTRAINT "vulnerabilities_found_in_fkey" FOREIGN KEY (found_in) REFERENCES public.security_test_runs(id) ON DELETE SET NULL;

ALTER TABLE "public"."vulnerabilities"
  ADD CONSTRAINT "vulnerabilities_regression_of_fkey" FOREIGN KEY (regression_of) REFERENCES public.vulnerabilities(id) ON DELETE SET NULL;

ALTER TABLE "public"."vulnerabilities"
  ADD CONSTRAINT "vulnerabilities_title_length" CHECK (((char_length(title) >= 1) AND (char_length(title) <= 300)));

CREATE VIEW "private"."active_incidents" WITH (security_invoker=true) AS  SELECT id,
    severity,
    status,
    type,
    title,
    detected_at,
    last_seen_at,
    owner,
    response,
    timeline
   FROM public.security_incidents i
  WHERE (ended_at IS NULL)
  ORDER BY severity DESC, last_seen_at DESC;

CREATE VIEW "private"."compliance_posture" WITH (security_invoker=true) AS  SELECT framework,
    count(*) AS controls,
    count(*) FILTER (WHERE (automated_status = 'compliant'::public.compliance_status)) AS compliant,
    count(*) FILTER (WHERE (automated_status = 'partial'::public.compliance_status)) AS partial,
    count(*) FILTER (WHERE (automated_status = 'non_compliant'::public.compliance_status)) AS non_compliant,
    count(*) FILTER (WHERE (automated_status = 'not_assessed'::public.compliance_status)) AS not_assessed,
    count(decision) AS decided,
    max(automated_at) AS assessed_at
   FROM public.compliance_controls c
  GROUP BY framework;

CREATE VIEW "private"."policies_in_force" WITH (security_invoker=true) AS  SELECT id,
    name,
    category,
    priority,
    dry_run,
    trigger_count,
    last_triggered
   FROM public.security_policies p
  WHERE enabled
  ORDER BY priority, id;

CREATE VIEW "private"."schema_state" WITH (security_invoker=true) AS  WITH watched AS (
         SELECT pg_namespace.oid,
            pg_namespace.nspname
           FROM pg_namespace
          WHERE (pg_namespace.nspname = ANY (ARRAY['public'::name, 'checkin'::name, 'private'::name]))
        ), grantees AS (
         SELECT (0)::oid AS oid,
            'public'::text AS name
        UNION ALL
         SELECT pg_roles.oid,
            (pg_roles.rolname)::text AS rolname
           FROM pg_roles
          WHERE (pg_roles.rolname = ANY (ARRAY['anon'::name, 'authenticated'::name, 'service_role'::name]))
        ), relations AS (
         SELECT c.oid,
            (((n.nspname)::text || '.'::text) || (c.relname)::text) AS name,
            c.relkind,
            c.relrowsecurity,
            c.relforcerowsecurity,
            c.relacl,
            c.reloptions
           FROM (pg_class c
             JOIN pg_namespace n ON ((n.oid = c.relnamespace)))
          WHERE ((c.relkind = ANY (ARRAY['r'::"char", 'p'::"char", 'v'::"char", 'm'::"char"])) AND ((c.relnamespace IN ( SELECT watched.oid
                   FROM watched)) OR ((((n.nspname)::text || '.'::text) || (c.relname)::text) = ANY (ARRAY['storage.objects'::text, 'storage.buckets'::text, 'realtime.messages'::text]))))
        )
 SELECT 'row_level_security'::text AS aspect,
    relations.name AS object,
    format('%s %s'::text, relations.relrowsecurity, relations.relforcerowsecurity) AS state
   FROM relations
  WHERE (relations.relkind = ANY (ARRAY['r'::"char", 'p'::"char"]))
UNION ALL
 SELECT 'policy'::text AS aspect,
    ((r.name || ': '::text) || (p.polname)::text) AS object,
    md5(concat_ws('|'::text, p.polcmd, p.polpermissive, ((p.polroles)::regrole[])::text, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))) AS state
   FROM (pg_policy p
     JOIN relations r ON ((r.oid = p.polrelid)))
UNION ALL
 SELECT 'grant'::text AS aspect,
    ((r.name || ' to '::text) || g.name) AS object,
    string_agg((a.privilege_type || a.is_grantable), ','::text ORDER BY a.privilege_type) AS state
   FROM ((relations r
     CROSS JOIN LATERAL aclexplode(r.relacl) a(grantor, grantee, privilege_type, is_grantable))
     JOIN grantees g ON ((g.oid = a.grantee)))
  GROUP BY r.name, g.name
UNION ALL
 SELECT 'grant'::text AS aspect,
    ((((r.name || '.'::text) || (t.attname)::text) || ' to '::text) || g.name) AS object,
    string_agg(a.privilege_type, ','::text ORDER BY a.privilege_type) AS state
   FROM (((relations r
     JOIN pg_attribute t ON (((t.attrelid = r.oid) AND (t.attacl IS NOT NULL) AND (NOT t.attisdropped))))
     CROSS JOIN LATERAL aclexplode(t.attacl) a(grantor, grantee, privilege_type, is_grantable))
     JOIN grantees g ON ((g.oid = a.grantee)))
  GROUP BY r.name, t.attname, g.name
UNION ALL
 SELECT 'grant'::text AS aspect,
    (((n.nspname)::text || ' to '::text) || g.name) AS object,
    string_agg(a.privilege_type, ','::text ORDER BY a.privilege_type) AS state
   FROM (((pg_namespace n
     JOIN watched w ON ((w.oid = n.oid)))
     CROSS JOIN LATERAL aclexplode(n.nspacl) a(grantor, grantee, privilege_type, is_grantable))
     JOIN grantees g ON ((g.oid = a.grantee)))
  GROUP BY n.nspname, g.name
UNION ALL
 SELECT 'function'::text AS aspect,
    ((p.oid)::regprocedure)::text AS object,
    md5(concat_ws('|'::text, p.prosrc, pg_get_function_sqlbody(p.oid), p.prosecdef, p.proconfig, ((p.proowner)::regrole)::text)) AS state
   FROM pg_proc p
  WHERE (p.pronamespace IN ( SELECT watched.oid
           FROM watched))
UNION ALL
 SELECT 'grant'::text AS aspect,
    ((((p.oid)::regprocedure)::text || ' to '::text) || g.name) AS object,
    string_agg(a.privilege_type, ','::text ORDER BY a.privilege_type) AS state
   FROM ((pg_proc p
     CROSS JOIN LATERAL aclexplode(p.proacl) a(grantor, grantee, privilege_type, is_grantable))
     JOIN grantees g ON ((g.oid = a.grantee)))
  WHERE (p.pronamespace IN ( SELECT watched.oid
           FROM watched))
  GROUP BY p.oid, g.name
UNION ALL
 SELECT 'trigger'::text AS aspect,
    ((((t.tgrelid)::regclass)::text || ': '::text) || (t.tgname)::text) AS object,
    md5(((t.tgenabled)::text || pg_get_triggerdef(t.oid))) AS state
   FROM (pg_trigger t
     JOIN pg_class c ON ((c.oid = t.tgrelid)))
  WHERE ((NOT t.tgisinternal) AND ((c.relnamespace IN ( SELECT watched.oid
           FROM watched)) OR (t.tgrelid = ANY (ARRAY[('auth.users'::regclass)::oid, ('auth.sessions'::regclass)::oid]))))
UNION ALL
 SELECT 'view'::text AS aspect,
    r.name AS object,
    md5(concat_ws('|'::text, pg_get_viewdef(r.oid), r.reloptions)) AS state
   FROM relations r
  WHERE (r.relkind = 'v'::"char")
UNION ALL
 SELECT 'job'::text AS aspect,
    job.jobname AS object,
    md5(concat_ws('|'::text, job.schedule, job.command, job.active)) AS state
   FROM cron.job
  WHERE (job.jobname IS NOT NULL)
UNION ALL
 SELECT 'role'::text AS aspect,
    pg_roles.rolname AS object,
    concat_ws(' '::text, pg_roles.rolsuper, pg_roles.rolbypassrls, pg_roles.rolcreaterole) AS state
   FROM pg_roles
  WHERE (pg_roles.rolname = ANY (ARRAY['anon'::name, 'authenticated'::name]));

CREATE VIEW "private"."training_by_module" WITH (security_invoker=true) AS  SELECT m.id,
    m.title,
    m.published,
    count(d.user_id) AS assigned,
    count(*) FILTER (WHERE ((d.due_at > now()) AND (d.certificate_expires_at > now()))) AS completed,
    count(*) FILTER (WHERE (d.due_at <= now())) AS overdue
   FROM (public.training_modules m
     LEFT JOIN private.training_due d ON ((d.module_id = m.id)))
  GROUP BY m.id
  ORDER BY (count(*) FILTER (WHERE (d.due_at <= now()))) DESC, m.title;

CREATE VIEW "private"."unresolved_vulnerabilities" WITH (security_invoker=true) AS  SELECT id,
    severity,
    status,
    probe,
    fault,
    title,
    found_at,
    times_found,
    regression_of,
    accepted_until
   FROM public.vulnerabilities v
  WHERE (status <> 'fixed'::public.vulnerability_status)
  ORDER BY status, severity DESC, found_at;

CREATE INDEX blocked_addresses_incident_id_idx ON private.blocked_addresses USING btree (incident_id);

CREATE INDEX blocked_addresses_until_idx ON private.blocked_addresses USING btree (until);

CREATE INDEX disabled_accounts_incident_id_idx ON private.disabled_accounts USING btree (incident_id);

CREATE INDEX policy_firings_account_idx ON private.policy_firings USING btree (account);

CREATE INDEX policy_firings_fired_at_idx ON private.policy_firings USING btree (fired_at);

CREATE INDEX quarantines_incident_id_idx ON private.quarantines USING btree (incident_id);

CREATE INDEX security_events_account_idx ON private.security_events USING btree (account)
  WHERE (account IS NOT NULL);

CREATE INDEX security_events_address_idx ON private.security_events USING btree (kind, address, minute)
  WHERE (address IS NOT NULL);

CREATE INDEX security_events_kind_account_idx ON private.security_events USING btree (kind, account, minute)
  WHERE (account IS NOT NULL);

CREATE INDEX security_events_minute_idx ON private.security_events USING btree (minute);

CREATE INDEX compliance_assessments_ended_at_idx ON public.compliance_assessments USING btree (ended_at);

CREATE INDEX compliance_assessments_framework_idx ON public.compliance_assessments USING btree (framework, ended_at DESC);

CREATE INDEX compliance_assessments_requested_by_idx ON public.compliance_assessments USING btree (requested_by);

CREATE INDEX compliance_controls_decided_by_idx ON public.compliance_controls USING btree (decided_by);

CREATE UNIQUE INDEX security_incidents_active_key_idx ON public.security_incidents USING btree (key)
  WHERE (status = ANY (ARRAY['open'::public.incident_status, 'investigating'::public.incident_status, 'contained'::public.incident_status]));

CREATE INDEX security_incidents_detected_at_idx ON public.security_incidents USING btree (detected_at);

CREATE INDEX security_incidents_key_idx ON public.security_incidents USING btree (key, ended_at);

CREATE INDEX security_incidents_owner_idx ON public.security_incidents USING btree (OWNER);

CREATE INDEX security_test_results_due_at_idx ON public.security_test_results USING btree (due_at)
  WHERE (status = ANY (ARRAY['queued'::public.security_probe_status, 'running'::public.security_probe_status]));

CREATE UNIQUE INDEX security_test_runs_one_at_a_time_idx ON public.security_test_runs USING btree (test_id)
  WHERE (status = 'running'::public.security_test_run_status);

CREATE INDEX security_test_runs_requested_by_idx ON public.security_test_runs USING btree (requested_by);

CREATE INDEX security_test_runs_test_id_idx ON public.security_test_runs USING btree (test_id, created_at DESC);

CREATE INDEX security_tests_next_run_at_idx ON public.security_tests USING btree (next_run_at)
  WHERE enabled;

CREATE INDEX user_roles_role_idx ON public.user_roles USING btree (ROLE, user_id);

CREATE INDEX vulnerabilities_accepted_by_idx ON public.vulnerabilities USING btree (accepted_by);

CREATE INDEX vulnerabilities_fixed_in_idx ON public.vulnerabilities USING btree (fixed_in);

CREATE INDEX vulnerabilities_found_in_idx ON public.vulnerabilities USING btree (found_in);

CREATE INDEX vulnerabilities_regression_of_idx ON public.vulnerabilities USING btree (regression_of);

CREATE INDEX vulnerabilities_status_idx ON public.vulnerabilities USING btree (status, severity DESC, found_at);

CREATE UNIQUE INDEX vulnerabilities_unresolved_idx ON public.vulnerabilities USING btree (probe, fault)
  WHERE (status <> 'fixed'::public.vulnerability_status);

CREATE TRIGGER keep_a_security_administrator
  BEFORE UPDATE ON auth.users
  FOR EACH ROW
  WHEN (((new.banned_until > now()) AND ((old.banned_until IS NULL) OR (old.banned_until <= now()))))
  EXECUTE FUNCTION private.keep_a_security_administrator();

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER DELETE OR UPDATE ON private.compliance_checks DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('id');

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.compliance_facts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('fact');

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.detection_rules DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('rule');

CREATE CONSTRAINT TRIGGER audit_evidence
  AFTER INSERT ON private.evidence DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_evidence();

CREATE TRIGGER prevent_evidence_change
  BEFORE UPDATE ON private.evidence
  FOR EACH ROW
  EXECUTE FUNCTION private.prevent_evidence_change();

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.known_networks DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('network');

CREATE CONSTRAINT TRIGGER act_on_firing
  AFTER INSERT OR UPDATE ON private.policy_firings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.act_on_firing();

CREATE CONSTRAINT TRIGGER audit_incident_changed
  AFTER UPDATE ON public.security_incidents DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN (((new.status <> old.status) OR (new.severity <> old.severity) OR (new.owner IS DISTINCT FROM old.owner) OR (new.aware_at IS DISTINCT FROM old.aware_at)))
  EXECUTE FUNCTION private.audit_incident();

CREATE CONSTRAINT TRIGGER audit_incident_opened
  AFTER INSERT ON public.security_incidents DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_incident();

CREATE CONSTRAINT TRIGGER audit_response
  AFTER UPDATE ON public.security_incidents DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN ((new.response <> old.response))
  EXECUTE FUNCTION private.audit_response();

CREATE TRIGGER protect_incident
  BEFORE UPDATE ON public.security_incidents
  FOR EACH ROW
  EXECUTE FUNCTION private.protect_incident();

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR UPDATE OF name, category, TYPE, conditions, actions, enforcement_points, priority, enabled, dry_run ON public.security_policies DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('id');

CREATE TRIGGER compile_policy
  AFTER INSERT OR UPDATE OF conditions, actions, enforcement_points, priority, enabled, dry_run ON public.security_policies
  FOR EACH ROW
  EXECUTE FUNCTION private.compile_policy();

CREATE TRIGGER touch_updated_at
  BEFORE UPDATE OF name, category, TYPE, conditions, actions, enforcement_points, priority, enabled, dry_run ON public.security_policies
  FOR EACH ROW
  EXECUTE FUNCTION private.touch_updated_at();

CREATE TRIGGER count_upload
  BEFORE INSERT ON storage.objects
  FOR EACH ROW
  WHEN (((new.bucket_id = 'university-files'::text) AND (new.owner_id IS NOT NULL)))
  EXECUTE FUNCTION private.count_upload();

CREATE POLICY "security administrators see assessments" ON "public"."compliance_assessments"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_security_admin() AS is_security_admin));

CREATE POLICY "security administrators see controls" ON "public"."compliance_controls"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_security_admin() AS is_security_admin));

CREATE POLICY "security administrators see incidents" ON "public"."security_incidents"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_security_admin() AS is_security_admin));

CREATE POLICY "security administrators change policies" ON "public"."security_policies"
  FOR UPDATE
  TO "authenticated"
  USING (( SELECT private.is_security_admin() AS is_security_admin))
  WITH CHECK (( SELECT private.is_security_admin() AS is_security_admin));

CREATE POLICY "security administrators create policies" ON "public"."security_policies"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (( SELECT private.is_security_admin() AS is_security_admin));

CREATE POLICY "security administrators see policies" ON "public"."security_policies"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_security_admin() AS is_security_admin));

CREATE POLICY "security administrators see what probes found" ON "public"."security_test_results"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_security_admin() AS is_security_admin));

CREATE POLICY "security administrators see runs of security tests" ON "public"."security_test_runs"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_security_admin() AS is_security_admin));

CREATE POLICY "security administrators see security tests" ON "public"."security_tests"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_security_admin() AS is_security_admin));

CREATE POLICY "security administrators see vulnerabilities" ON "public"."vulnerabilities"
  FOR SELECT
  TO "authenticated"
  USING (( SELECT private.is_security_admin() AS is_security_admin));

COMMENT ON COLUMN "private"."blocked_addresses"."blocked_at" IS 'When it was blocked last.';

COMMENT ON COLUMN "private"."blocked_addresses"."incident_id" IS 'The incident that it responds to.';

COMMENT ON COLUMN "private"."blocked_addresses"."network" IS 'The address; of IPv6 its network of 64 bits, of which one caller has all addresses.';

COMMENT ON COLUMN "private"."blocked_addresses"."reason" IS 'Why.';

COMMENT ON COLUMN "private"."blocked_addresses"."times" IS 'How often it was blocked, each time for twice as long.';

COMMENT ON COLUMN "private"."blocked_addresses"."until" IS 'Until when.';

COMMENT ON COLUMN "private"."compliance_checks"."expected" IS 'What is right.';

COMMENT ON COLUMN "private"."compliance_checks"."failure" IS 'What finding something makes of a control: partial or non_compliant.';

COMMENT ON COLUMN "private"."compliance_checks"."id" IS 'The check.';

COMMENT ON COLUMN "private"."compliance_checks"."query" IS 'SQL query of one column: a text for each thing that is wrong. It names no account, and scans no table that grows with students.';

COMMENT ON COLUMN "private"."compliance_checks"."source" IS 'SQL condition: whether there is anything to check by, such as the time of a backup; else the check is not_assessed. Null: always.';

COMMENT ON COLUMN "private"."compliance_checks"."title" IS 'What is checked.';

COMMENT ON COLUMN "private"."compliance_facts"."fact" IS 'backup: it ended; restore_test: a backup was restored and read; risk_analysis, impact_assessment, access_review: it was done or renewed; encryption_at_rest: it was confirmed of the disks and backups; incident_exercise: it was held.';

COMMENT ON COLUMN "private"."compliance_facts"."happened_at" IS 'When that was.';

COMMENT ON COLUMN "private"."compliance_facts"."reference" IS 'Where the proof of it is kept.';

COMMENT ON COLUMN "private"."compliance_facts"."told_at" IS 'When it was told.';

COMMENT ON COLUMN "private"."detection_rules"."about" IS 'What it counts, in a sentence.';

COMMENT ON COLUMN "private"."detection_rules"."enabled" IS 'Whether it is looked at; detection_weakened always is.';

COMMENT ON COLUMN "private"."detection_rules"."period" IS 'Within how long.';

COMMENT ON COLUMN "private"."detection_rules"."respond" IS 'What detection does at once: block_ip, disable_user, send_alert, audit_trail.';

COMMENT ON COLUMN "private"."detection_rules"."rule" IS 'The rule; what it counts is in private.findings.';

COMMENT ON COLUMN "private"."detection_rules"."severity" IS 'Severity of its incidents.';

COMMENT ON COLUMN "private"."detection_rules"."threshold" IS 'How much evidence is an incident.';

COMMENT ON COLUMN "private"."detection_rules"."type" IS 'Type of its incidents.';

COMMENT ON COLUMN "private"."detection_settings"."log_changes" IS 'Rows of the audit log that Postgres has counted as changed or deleted, which are never any, when the log was last verified as a whole.';

COMMENT ON COLUMN "private"."detection_settings"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."detection_settings"."trust_auth_addresses" IS 'Whether the address that Auth names for a failed sign-in counts, and may be blocked: only where callers cannot write it themselves.';

COMMENT ON COLUMN "private"."detection_settings"."verified_all_at" IS 'When the audit log was last verified as a whole.';

COMMENT ON COLUMN "private"."disabled_accounts"."account" IS 'The account.';

COMMENT ON COLUMN "private"."disabled_accounts"."banned_until_before" IS 'The ban that there was before, which enabling it restores.';

COMMENT ON COLUMN "private"."disabled_accounts"."disabled_at" IS 'When.';

COMMENT ON COLUMN "private"."disabled_accounts"."incident_id" IS 'The incident that it responds to.';

COMMENT ON COLUMN "private"."disabled_accounts"."reason" IS 'Why.';

COMMENT ON COLUMN "private"."enabled_policies"."actions" IS 'As in public.security_policies.';

COMMENT ON COLUMN "private"."enabled_policies"."condition" IS 'Its conditions as a predicate on the facts of a request, by private.compile_condition.';

COMMENT ON COLUMN "private"."enabled_policies"."dry_run" IS 'As in public.security_policies.';

COMMENT ON COLUMN "private"."enabled_policies"."enforcement_points" IS 'As in public.security_policies.';

COMMENT ON COLUMN "private"."enabled_policies"."policy_id" IS 'The policy.';

COMMENT ON COLUMN "private"."enabled_policies"."priority" IS 'As in public.security_policies.';

COMMENT ON COLUMN "private"."evidence"."content" IS 'The incident, the events and the entries of the audit log of that time, and what was done.';

COMMENT ON COLUMN "private"."evidence"."id" IS 'The extract.';

COMMENT ON COLUMN "private"."evidence"."incident_id" IS 'The incident.';

COMMENT ON COLUMN "private"."evidence"."sealed_at" IS 'When it was made.';

COMMENT ON COLUMN "private"."evidence"."sha256" IS 'SHA-256 of the content as text in UTF-8.';

COMMENT ON COLUMN "private"."known_networks"."kind" IS 'platform: nothing is counted by address. campus: thresholds that count by address are ten times as high.';

COMMENT ON COLUMN "private"."known_networks"."network" IS 'The network.';

COMMENT ON COLUMN "private"."known_networks"."note" IS 'What it is.';

COMMENT ON COLUMN "private"."policy_counts"."by_account" IS 'Whether events of the same account are counted, or else of the same address.';

COMMENT ON COLUMN "private"."policy_counts"."key" IS 'What the compiled condition calls it.';

COMMENT ON COLUMN "private"."policy_counts"."kind" IS 'Kind of private.security_events.';

COMMENT ON COLUMN "private"."policy_counts"."policy_id" IS 'The policy that asks.';

COMMENT ON COLUMN "private"."policy_counts"."threshold" IS 'How many make it hold.';

COMMENT ON COLUMN "private"."policy_counts"."within_s" IS 'How far back, seconds.';

COMMENT ON COLUMN "private"."policy_days"."day" IS 'The day, UTC.';

COMMENT ON COLUMN "private"."policy_days"."policy_id" IS 'The policy.';

COMMENT ON COLUMN "private"."policy_days"."triggered" IS 'How often.';

COMMENT ON COLUMN "private"."policy_firings"."account" IS 'The account whose request it applied to; null when nobody was signed in.';

COMMENT ON COLUMN "private"."policy_firings"."action" IS 'What it did.';

COMMENT ON COLUMN "private"."policy_firings"."address" IS 'The address of that request; null where it was not known.';

COMMENT ON COLUMN "private"."policy_firings"."fired_at" IS 'When.';

COMMENT ON COLUMN "private"."policy_firings"."id" IS 'Number of the entry.';

COMMENT ON COLUMN "private"."policy_firings"."policy_id" IS 'The policy.';

COMMENT ON COLUMN "private"."policy_triggers"."backend" IS 'Process of the connection that counted.';

COMMENT ON COLUMN "private"."policy_triggers"."last_triggered" IS 'When it applied last.';

COMMENT ON COLUMN "private"."policy_triggers"."policy_id" IS 'The policy.';

COMMENT ON COLUMN "private"."policy_triggers"."triggered" IS 'How often.';

COMMENT ON COLUMN "private"."probe_accounts"."created_at" IS 'When it was listed.';

COMMENT ON COLUMN "private"."probe_accounts"."part" IS 'attacker, or victim.';

COMMENT ON COLUMN "private"."probe_accounts"."run_id" IS 'The run that it is for.';

COMMENT ON COLUMN "private"."probe_accounts"."tokens_expired" IS 'Whether Auth gives it tokens that have expired already.';

COMMENT ON COLUMN "private"."probe_accounts"."user_id" IS 'The account.';

COMMENT ON COLUMN "private"."quarantines"."function_name" IS 'The function; * for all.';

COMMENT ON COLUMN "private"."quarantines"."incident_id" IS 'The incident that it responds to.';

COMMENT ON COLUMN "private"."quarantines"."reason" IS 'Why.';

COMMENT ON COLUMN "private"."quarantines"."since" IS 'Since when.';

COMMENT ON COLUMN "private"."schema_snapshot"."aspect" IS 'What kind of protection it is.';

COMMENT ON COLUMN "private"."schema_snapshot"."object" IS 'Of what.';

COMMENT ON COLUMN "private"."schema_snapshot"."state" IS 'How it was.';

COMMENT ON COLUMN "private"."schema_snapshot_of"."migration" IS 'The last migration by then; null where none is recorded.';

COMMENT ON COLUMN "private"."schema_snapshot_of"."only_row" IS 'Always true: there is one row.';

COMMENT ON COLUMN "private"."schema_snapshot_of"."taken_at" IS 'When.';

COMMENT ON COLUMN "private"."security_events"."account" IS 'Who did it, or of a failed sign-in whose account was tried; null when unknown.';

COMMENT ON COLUMN "private"."security_events"."address" IS 'IP address that it came from, of IPv6 the network of 64 bits, by the word of the gateway, or of Auth where Auth saw it; null where nobody says.';

COMMENT ON COLUMN "private"."security_events"."details" IS 'Further details of the last time, such as the reason; never what somebody wrote.';

COMMENT ON COLUMN "private"."security_events"."id" IS 'The row.';

COMMENT ON COLUMN "private"."security_events"."kind" IS 'What happened.';

COMMENT ON COLUMN "private"."security_events"."last_at" IS 'When it happened last in that minute.';

COMMENT ON COLUMN "private"."security_events"."minute" IS 'The minute in which it happened.';

COMMENT ON COLUMN "private"."security_events"."occurred_at" IS 'When it happened first in that minute.';

COMMENT ON COLUMN "private"."security_events"."occurrences" IS 'How often it happened in that minute.';

COMMENT ON COLUMN "private"."security_events"."source" IS 'Who saw it: the edge functions, Auth by its hook, or the database.';

COMMENT ON COLUMN "public"."compliance_assessments"."controls" IS 'How each control stood: [{id, reference, title, requirement, checks, automated_status, decision}], the decision {status, reason, evidence, decided_at} or null.';

COMMENT ON COLUMN "public"."compliance_assessments"."ended_at" IS 'When it ended.';

COMMENT ON COLUMN "public"."compliance_assessments"."evidence" IS 'What each check found: [{check_id, title, expected, query, result, failure, found, more, problem, checked_at, hash}]. found: what is wrong, 100 of it at most; more: whether there is more; problem: why it is not_assessed.';

COMMENT ON COLUMN "public"."compliance_assessments"."framework" IS 'What was assessed.';

COMMENT ON COLUMN "public"."compliance_assessments"."hash" IS 'private.assessment_hash of the row.';

COMMENT ON COLUMN "public"."compliance_assessments"."id" IS 'The assessment.';

COMMENT ON COLUMN "public"."compliance_assessments"."requested_by" IS 'The security administrator; null for the nightly one, and once the account is deleted.';

COMMENT ON COLUMN "public"."compliance_assessments"."started_at" IS 'When it began.';

COMMENT ON COLUMN "public"."compliance_controls"."automated_at" IS 'When that was.';

COMMENT ON COLUMN "public"."compliance_controls"."automated_status" IS 'What the last automated assessment found; no decision changes it.';

COMMENT ON COLUMN "public"."compliance_controls"."checks" IS 'Ids of the automated checks that it is assessed with; none for one that takes an assessor.';

COMMENT ON COLUMN "public"."compliance_controls"."decided_at" IS 'When it was decided.';

COMMENT ON COLUMN "public"."compliance_controls"."decided_by" IS 'The security administrator; null once the account is deleted.';

COMMENT ON COLUMN "public"."compliance_controls"."decision" IS 'What an assessor decided; null when nobody did. No automated assessment changes it.';

COMMENT ON COLUMN "public"."compliance_controls"."decision_evidence" IS 'What the decision rests on: [{description, link?}].';

COMMENT ON COLUMN "public"."compliance_controls"."decision_reason" IS 'Why.';

COMMENT ON COLUMN "public"."compliance_controls"."framework" IS 'Its framework.';

COMMENT ON COLUMN "public"."compliance_controls"."id" IS 'The control, such as ctl_hipaa_164_312_b.';

COMMENT ON COLUMN "public"."compliance_controls"."reference" IS 'Where the framework has it, such as 164.312(b).';

COMMENT ON COLUMN "public"."compliance_controls"."requirement" IS 'What it asks of this service, in our own words.';

COMMENT ON COLUMN "public"."compliance_controls"."title" IS 'Title, in our own words.';

COMMENT ON COLUMN "public"."security_incidents"."affected_systems" IS 'Parts of the service that it concerns.';

COMMENT ON COLUMN "public"."security_incidents"."affected_users" IS 'Accounts that it concerns.';

COMMENT ON COLUMN "public"."security_incidents"."aware_at" IS 'From when on a breach of personal data is known: the terms of notification run from then; null while it is no such breach.';

COMMENT ON COLUMN "public"."security_incidents"."description" IS 'What happened, and what to look at.';

COMMENT ON COLUMN "public"."security_incidents"."detected_at" IS 'When it was detected.';

COMMENT ON COLUMN "public"."security_incidents"."ended_at" IS 'When it was resolved; null while it is active.';

COMMENT ON COLUMN "public"."security_incidents"."id" IS 'The incident.';

COMMENT ON COLUMN "public"."security_incidents"."indicators" IS 'What shows it: the rule with its threshold and window, and the evidence that it counted.';

COMMENT ON COLUMN "public"."security_incidents"."key" IS 'What goes on; one incident of it is active at a time.';

COMMENT ON COLUMN "public"."security_incidents"."last_seen_at" IS 'When it was last seen going on.';

COMMENT ON COLUMN "public"."security_incidents"."metadata" IS 'Further details.';

COMMENT ON COLUMN "public"."security_incidents"."owner" IS 'Security administrator who deals with it; null while nobody does.';

COMMENT ON COLUMN "public"."security_incidents"."response" IS 'What was done: an array of {action, target, status, detail, at}.';

COMMENT ON COLUMN "public"."security_incidents"."severity" IS 'How bad it is; detection only raises it.';

COMMENT ON COLUMN "public"."security_incidents"."status" IS 'How far it is dealt with.';

COMMENT ON COLUMN "public"."security_incidents"."timeline" IS 'What happened to it: an array of {at, event, …}. Entries are only ever added.';

COMMENT ON COLUMN "public"."security_incidents"."title" IS 'What happened, in a line.';

COMMENT ON COLUMN "public"."security_incidents"."type" IS 'What kind it is.';

COMMENT ON COLUMN "public"."security_policies"."actions" IS 'What is done then: [{action, …}].';

COMMENT ON COLUMN "public"."security_policies"."category" IS 'What it is about.';

COMMENT ON COLUMN "public"."security_policies"."conditions" IS 'When it applies, in the grammar of docs/security-policies.md.';

COMMENT ON COLUMN "public"."security_policies"."created_at" IS 'When it was created.';

COMMENT ON COLUMN "public"."security_policies"."dry_run" IS 'Whether it only counts, and acts on nothing.';

COMMENT ON COLUMN "public"."security_policies"."enabled" IS 'Whether it is evaluated.';

COMMENT ON COLUMN "public"."security_policies"."enforcement_points" IS 'Where it is enforced.';

COMMENT ON COLUMN "public"."security_policies"."id" IS 'The policy, such as pol_staff_second_factor.';

COMMENT ON COLUMN "public"."security_policies"."last_triggered" IS 'When they held last, as of the last minute; null before the first time.';

COMMENT ON COLUMN "public"."security_policies"."name" IS 'Name.';

COMMENT ON COLUMN "public"."security_policies"."priority" IS 'Order of evaluation, from 1; of those that apply, the first one that blocks decides.';

COMMENT ON COLUMN "public"."security_policies"."trigger_count" IS 'How often its conditions held, as of the last minute.';

COMMENT ON COLUMN "public"."security_policies"."type" IS 'Whether it prevents something, notices it, or mends it.';

COMMENT ON COLUMN "public"."security_policies"."updated_at" IS 'When it was last changed.';

COMMENT ON COLUMN "public"."security_test_results"."attempts" IS 'Attempts so far; three at most.';

COMMENT ON COLUMN "public"."security_test_results"."checks" IS 'Attacks that it tried; null before its end.';

COMMENT ON COLUMN "public"."security_test_results"."due_at" IS 'When it may be tried: while it runs, the end of its lease.';

COMMENT ON COLUMN "public"."security_test_results"."ended_at" IS 'When it ended.';

COMMENT ON COLUMN "public"."security_test_results"."error_code" IS 'Why the last attempt could not be carried out.';

COMMENT ON COLUMN "public"."security_test_results"."findings" IS 'Faults that it found: [{fault, title, severity, evidence}]. Evidence names addresses and statuses, never a token or a person.';

COMMENT ON COLUMN "public"."security_test_results"."probe" IS 'The probe; those of a run go in the order of the catalogue.';

COMMENT ON COLUMN "public"."security_test_results"."run_id" IS 'The run.';

COMMENT ON COLUMN "public"."security_test_results"."started_at" IS 'When its last attempt began.';

COMMENT ON COLUMN "public"."security_test_results"."status" IS 'How far it is, and what came of it.';

COMMENT ON COLUMN "public"."security_test_runs"."created_at" IS 'When it began.';

COMMENT ON COLUMN "public"."security_test_runs"."ended_at" IS 'When it ended.';

COMMENT ON COLUMN "public"."security_test_runs"."id" IS 'The run.';

COMMENT ON COLUMN "public"."security_test_runs"."requested_by" IS 'The security administrator who began it; null when its schedule did.';

COMMENT ON COLUMN "public"."security_test_runs"."scheduled" IS 'Whether its schedule began it.';

COMMENT ON COLUMN "public"."security_test_runs"."status" IS 'Whether it goes on, has ended, or could not look at everything.';

COMMENT ON COLUMN "public"."security_test_runs"."test_id" IS 'The test.';

COMMENT ON COLUMN "public"."security_tests"."created_at" IS 'When it was created.';

COMMENT ON COLUMN "public"."security_tests"."enabled" IS 'Whether its schedule counts; on demand it runs all the same.';

COMMENT ON COLUMN "public"."security_tests"."id" IS 'The test.';

COMMENT ON COLUMN "public"."security_tests"."name" IS 'Name.';

COMMENT ON COLUMN "public"."security_tests"."next_run_at" IS 'When it runs by itself next; null when only on demand.';

COMMENT ON COLUMN "public"."security_tests"."probes" IS 'What it probes, each once, in the order of the catalogue.';

COMMENT ON COLUMN "public"."security_tests"."schedule" IS 'When it runs by itself.';

COMMENT ON COLUMN "public"."vulnerabilities"."accepted_at" IS 'When somebody accepted it.';

COMMENT ON COLUMN "public"."vulnerabilities"."accepted_by" IS 'The security administrator who did.';

COMMENT ON COLUMN "public"."vulnerabilities"."accepted_reason" IS 'Why.';

COMMENT ON COLUMN "public"."vulnerabilities"."accepted_until" IS 'Until when, at most 366 days; then it is open again.';

COMMENT ON COLUMN "public"."vulnerabilities"."evidence" IS 'What the probe saw the last time: addresses and statuses, never a token or a person.';

COMMENT ON COLUMN "public"."vulnerabilities"."fault" IS 'What is wrong, such as public.consents:select: with the probe the same fault of every run.';

COMMENT ON COLUMN "public"."vulnerabilities"."fixed_at" IS 'When a run did not find it any more.';

COMMENT ON COLUMN "public"."vulnerabilities"."fixed_in" IS 'That run.';

COMMENT ON COLUMN "public"."vulnerabilities"."found_at" IS 'When it was found first.';

COMMENT ON COLUMN "public"."vulnerabilities"."found_in" IS 'The run that found it first.';

COMMENT ON COLUMN "public"."vulnerabilities"."id" IS 'The vulnerability.';

COMMENT ON COLUMN "public"."vulnerabilities"."last_found_at" IS 'When it was found last.';

COMMENT ON COLUMN "public"."vulnerabilities"."probe" IS 'The probe that finds it.';

COMMENT ON COLUMN "public"."vulnerabilities"."regression_of" IS 'The vulnerability that it was before it was fixed; null the first time.';

COMMENT ON COLUMN "public"."vulnerabilities"."severity" IS 'How bad it is.';

COMMENT ON COLUMN "public"."vulnerabilities"."status" IS 'Whether it is still there, and is to be.';

COMMENT ON COLUMN "public"."vulnerabilities"."times_found" IS 'Runs that found it.';

COMMENT ON COLUMN "public"."vulnerabilities"."title" IS 'What is wrong, in a sentence.';

COMMENT ON FUNCTION "private"."accept_vulnerability"(text, text, timestamp with time zone) IS 'Implementation of public.accept_vulnerability, which calls it.';

COMMENT ON FUNCTION "private"."account_of_address"(text) IS 'The account with an email address; null when there is none. Called where a sign-in failed: the address itself is not kept.';

COMMENT ON FUNCTION "private"."act_on_firing"() IS 'Trigger: takes the action that the row says, and lets the request pass when that fails.';

COMMENT ON FUNCTION "private"."activity_findings"(timestamp with time zone) IS 'What people did that is too much, or not theirs to do. Called by private.findings.';

COMMENT ON FUNCTION "private"."address_digits"(inet) IS 'An address as 32 hexadecimal digits, an IPv4 one as it is mapped into IPv6, so that networks are ranges of texts. Called where conditions and facts are compiled.';

COMMENT ON FUNCTION "private"."advance_security_tests"(timestamp with time zone) IS 'Begins runs that are due, dispatches probes whose webhook or worker was lost, ends runs whose probes are out of attempts, and lets acceptances expire. Called by cron.';

COMMENT ON FUNCTION "private"."assess_compliance"(public.compliance_framework) IS 'Runs the checks of a framework''s controls and stores what they find. Called by cron, and by private.request_assessment.';

COMMENT ON FUNCTION "private"."assessment_hash"(public.compliance_assessments) IS 'The hash that an assessment must have. Called where assessments are stored and checked.';

COMMENT ON FUNCTION "private"."attested_address"() IS 'IP address of the person for whom an edge function makes this request, by its word; null of a request that no function makes. Called by private.request_ip, and where functions have checked already what is checked here.';

COMMENT ON FUNCTION "private"."audit_evidence"() IS 'Trigger: puts the hash of an extract of evidence into the audit log''s chain.';

COMMENT ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text, text) IS 'Logs a sign-in that failed, without who was meant, and notes it for detection with the account of the email address that was tried. Called by the edge functions.';

COMMENT ON FUNCTION "private"."audit_incident"() IS 'Trigger: logs incidents that are opened, and changes of their status, severity and owner.';

COMMENT ON FUNCTION "private"."audit_response"() IS 'Trigger: logs what is done about an incident.';

COMMENT ON FUNCTION "private"."automated_status"(text[], jsonb) IS 'How a control stands by its checks: as the worst of them makes it, and not_assessed when none is wrong but one could not be assessed. Called by private.assess_compliance.';

COMMENT ON FUNCTION "private"."begin_security_test_run"(text, uuid) IS 'Begins a run of a test, or returns the one that goes on. Called by private.execute_security_test and by cron.';

COMMENT ON FUNCTION "private"."block_address"(inet, timestamp with time zone, text, text) IS 'Blocks an address until a time; without one for an hour, and each further time for twice as long. Nothing changes for one that is blocked as long. Returns {status, until | detail}. Called by detection and by public.respond_to_incident.';

COMMENT ON FUNCTION "private"."block_network"(inet) IS 'What is blocked with an address. Called where addresses are blocked, looked up and counted.';

COMMENT ON FUNCTION "private"."chain_findings"(timestamp with time zone) IS 'Whether the audit log is as it was written. Called by private.findings.';

COMMENT ON FUNCTION "private"."change_incident"(text, public.incident_status, uuid, text, timestamp with time zone) IS 'Implementation of public.change_incident, which calls it.';

COMMENT ON FUNCTION "private"."check_call"(inet, text) IS 'Why a call of a function is refused, and for how many seconds; no row when it is not. Called by the edge functions before each call.';

COMMENT ON FUNCTION "private"."check_policy_actions"(jsonb) IS 'Error 400 policy_invalid unless actions are [{action, …}] as docs/security-policies.md says. Called where policies are stored.';

COMMENT ON FUNCTION "private"."claim_security_probe"() IS 'Claims the next probe for one attempt of two minutes; no row when there is none, or one runs. Called by probe-security.';

COMMENT ON FUNCTION "private"."compile_comparison"(jsonb, text) IS 'A comparison {field, op, value} as a jsonpath predicate, or an error. Called by private.compile_condition.';

COMMENT ON FUNCTION "private"."compile_condition"(jsonb, text, integer) IS 'A condition of the grammar as a jsonpath predicate on the facts of a request, or error 400 policy_invalid that says where and why. Called where policies are stored and explained.';

COMMENT ON FUNCTION "private"."compile_count"(jsonb, text) IS 'A count {count, of, by, within} as a jsonpath predicate, or an error. Called by private.compile_condition.';

COMMENT ON FUNCTION "private"."compile_policy"() IS 'Trigger: checks what a policy says, and compiles the enabled ones for the requests to come.';

COMMENT ON FUNCTION "private"."condition_holds"(jsonb, jsonb) IS 'Whether a condition holds for facts as private.policy_facts gives them. Called by what explains policies.';

COMMENT ON FUNCTION "private"."count_policy_trigger"(text) IS 'Counts that a policy applied. Called where policies are evaluated and enforced.';

COMMENT ON FUNCTION "private"."count_upload"() IS 'Trigger on storage.objects: files that people upload to Storage themselves count against the rate limit file-upload.';

COMMENT ON FUNCTION "private"."create_security_test"(text, public.security_probe[], public.security_test_schedule) IS 'Implementation of public.create_security_test, which calls it.';

COMMENT ON FUNCTION "private"."current_account"() IS 'The caller''s account; null when nobody is signed in, the account is banned or has no role, the session has ended, or a security policy refuses the request. Called by policies and by the functions that they call.';

COMMENT ON FUNCTION "private"."custom_access_token"(jsonb) IS 'Custom access token hook: adds the claim email_verified, and mfa_required where a policy wants a second factor, and lets tokens of some probes expire; refuses tokens to blocked addresses, and where a policy does. Called by Auth, as config.toml says.';

COMMENT ON FUNCTION "private"."custom_token_expiry"(uuid, bigint) IS 'When a token of an account is to expire (seconds): as Auth says, or for a probe that needs an expired one a day sooner. Called by private.custom_access_token.';

COMMENT ON FUNCTION "private"."decide_control"(text, public.compliance_status, text, jsonb) IS 'Implementation of public.decide_control, which calls it.';

COMMENT ON FUNCTION "private"."decision_of"(public.compliance_controls) IS 'What an assessor decided of a control, without who it was: {status, reason, evidence, decided_at}; null when nobody did. Called where controls are read.';

COMMENT ON FUNCTION "private"."detect_as_administrator"() IS 'Implementation of public.detect_incidents, which calls it.';

COMMENT ON FUNCTION "private"."detect_incidents"(timestamp with time zone) IS 'Looks for incidents and opens them, or adds to those that go on; does at once what their rules say. Returns the incidents that it saw. Called by cron and by public.detect_incidents.';

COMMENT ON FUNCTION "private"."disable_account"(uuid, text, text) IS 'Bans an account, which ends its sessions; never the last security administrator''s. Returns {status, detail?}. Called by policies and by public.respond_to_incident.';

COMMENT ON FUNCTION "private"."dispatch_security_tests"() IS 'Wakes the worker of security tests. Called when a run begins, when a probe ends, and by cron.';

COMMENT ON FUNCTION "private"."enable_account"(uuid) IS 'Lifts what private.disable_account did, and leaves another ban as it was. Called by public.respond_to_incident.';

COMMENT ON FUNCTION "private"."end_security_test_run"(text) IS 'Ends a run of which nothing is left to do, and deletes its accounts with all that is theirs; nothing otherwise. Called when a probe ends, and by cron.';

COMMENT ON FUNCTION "private"."enforce_at_sign_in"(jsonb, inet) IS 'Enforces the policies on a token that Auth is about to issue, as private.enforce_policies does. Called by private.custom_access_token.';

COMMENT ON FUNCTION "private"."enforce_on_function"(uuid, uuid, inet, text, text, text) IS 'Enforces the policies on a request to an edge function, as private.enforce_policies does; with crisis_resources where access is blocked. Called by the edge functions before each request.';

COMMENT ON FUNCTION "private"."enforce_on_rest"() IS 'Enforces the policies on a request of the Data API and, where it can write, counts it against the rate limit data-api. Called by private.check_request.';

COMMENT ON FUNCTION "private"."enforce_policies"(jsonb, public.enforcement_point, boolean) IS 'Enforces the policies that apply to facts of private.policy_facts: counts and acts where that is possible, and returns why the request is refused, {code}: access_blocked, mfa_required, or rate_limited with the state of the limit; null when it is not. Called by private.enforce_on_rest and the other points of enforcement.';

COMMENT ON FUNCTION "private"."evaluate_policies"(jsonb, text) IS 'What the enabled policies say of a context {account?, address?, path?, …}: {decision: allow, block_access or require_mfa, decided_by, policies: [{id, name, priority, dry_run, holds, conditions, actions}]}, each condition with whether it holds. Changes nothing. Called by private.try_policies.';

COMMENT ON FUNCTION "private"."execute_security_test"(text) IS 'Implementation of public.execute_security_test, which calls it.';

COMMENT ON FUNCTION "private"."explain_condition"(jsonb, jsonb) IS 'A stored condition with, at each part of it, whether that holds. Called by private.evaluate_policies.';

COMMENT ON FUNCTION "private"."facts_of_request"() IS 'The facts of the request that REST, Storage or Realtime is handling. Called where policies are enforced.';

COMMENT ON FUNCTION "private"."fail_security_probe"(text, public.security_probe, smallint, text) IS 'Ends an attempt that could not be carried out: another one follows, or the probe has failed. Called by probe-security.';

COMMENT ON FUNCTION "private"."finish_security_probe"(text, public.security_probe, smallint, integer, jsonb) IS 'Stores what a probe found, and ends the run after the last one. False when this attempt is no longer the current one. Called by probe-security.';

COMMENT ON FUNCTION "private"."fire_policy_action"(text, private.policy_action, uuid, inet) IS 'Takes an action of a policy, unless it was taken for this account and address within the last hour (alerts) or minute. Called by private.enforce_policies.';

COMMENT ON FUNCTION "private"."follow_findings"(text, public.security_probe, jsonb) IS 'Opens a vulnerability for each fault that is new or has come back, counts those that are still there, and closes those that the probe did not find any more. Called when a probe ends.';

COMMENT ON FUNCTION "private"."furnish_probe_victim"(uuid, text, text) IS 'Gives the account that probes attack a row in every table of students, and two links, of which one has expired; nothing the second time. Called by probe-security.';

COMMENT ON FUNCTION "private"."incident_entry"(text, jsonb, uuid) IS 'An entry of an incident''s timeline. Called where one is added.';

COMMENT ON FUNCTION "private"."is_blocked"(inet) IS 'Whether an address is blocked now. Called by private.refuse_blocked, private.signed_in_account, Auth''s hooks and the edge functions.';

COMMENT ON FUNCTION "private"."is_evidence"(jsonb) IS 'Whether this is what an assessor''s decision rests on: [{description, link?}]. Called by a check of public.compliance_controls.';

COMMENT ON FUNCTION "private"."is_integer_between"(jsonb, integer, integer) IS 'Whether a value is a whole number within a range, both ends included; null when it is no whole number. Called where policies are compiled.';

COMMENT ON FUNCTION "private"."is_probe"(uuid) IS 'Whether an account is one of a security test. Called where security events are recorded, so that a test opens no incident.';

COMMENT ON FUNCTION "private"."keep_a_security_administrator"() IS 'Trigger on auth.users: one security administrator is never banned.';

COMMENT ON FUNCTION "private"."last_migration"() IS 'Version of the last migration that the CLI has recorded; null where there is none. Called by private.take_schema_snapshot and detection.';

COMMENT ON FUNCTION "private"."mark_of_request"() IS 'What tells one request of a transaction from another. Called where a decision about a request is kept for its transaction.';

COMMENT ON FUNCTION "private"."may_become"(public.incident_status, public.incident_status) IS 'Whether an incident may go from one status to another: only what is resolved can be taken up again or closed. Called where the status changes.';

COMMENT ON FUNCTION "private"."network_kind"(inet) IS 'What is known of the network of an address; null when nothing is. Called by detection and private.block_address.';

COMMENT ON FUNCTION "private"."note_security_event"(text, uuid, inet, jsonb, text, integer) IS 'Notes what incidents are detected from, several times at once where they were added up. Called by triggers, Auth''s hooks and the edge functions.';

COMMENT ON FUNCTION "private"."open_incident"(public.incident_type, public.incident_severity, text, text, jsonb, uuid[], text, text[]) IS 'Opens an incident, or adds to the active one with the same key; returns its id. Without a key each call opens one. Called by detection, policies and checks.';

COMMENT ON FUNCTION "private"."outcome_of_action"(jsonb, jsonb, jsonb, boolean) IS 'What becomes of an action of an evaluated policy: {outcome: not_triggered, dry_run, in_force, would_act, done or failed, detail?}; with enforce it acts. Called by private.try_policies.';

COMMENT ON FUNCTION "private"."password_verification_attempt"(jsonb) IS 'Password verification hook: notes failed sign-ins, also those that go straight to Auth, and refuses blocked addresses. Called by Auth, as config.toml says.';

COMMENT ON FUNCTION "private"."policies_allow"() IS 'Whether the security policies let the caller of this request act: none that applies blocks it or wants a second factor. Called by private.current_account, so that it holds for row-level security everywhere, Storage and Realtime included.';

COMMENT ON FUNCTION "private"."policy_count_key"(jsonb) IS 'What a compiled condition calls a count {count, of, by, within}. Called where counts are compiled and stored.';

COMMENT ON FUNCTION "private"."policy_facts"(uuid, uuid, inet, jsonb) IS 'What conditions are evaluated on: what is known of an account, its session and an address, and what is given besides. Called where policies are evaluated.';

COMMENT ON FUNCTION "private"."policy_fields"() IS 'The fields that conditions may compare, with their kind (text, set, number, flag, address) and, where the values are closed, these. docs/security-policies.md says what they mean. Called by the check of conditions.';

COMMENT ON FUNCTION "private"."policy_literal"(jsonb, text, text[], text) IS 'A value of a condition as it is written into a predicate, or an error. Called by private.compile_comparison.';

COMMENT ON FUNCTION "private"."policy_statistics"() IS 'Implementation of public.policy_statistics, which calls it.';

COMMENT ON FUNCTION "private"."prevent_evidence_change"() IS 'Trigger: nobody changes an extract of evidence.';

COMMENT ON FUNCTION "private"."probe_run"(text) IS 'The run that a request''s header x-security-probe proves to belong to; null for any other. Called where security events are recorded: with the header that a function received, or private.request_header(''x-security-probe'').';

COMMENT ON FUNCTION "private"."protect_incident"() IS 'Trigger: timelines only grow, and states follow open, investigating, contained, resolved, closed; only what is resolved can be taken up again.';

COMMENT ON FUNCTION "private"."quarantine"(text, boolean, text, text) IS 'Quarantines a function, or all (*), or lifts that. Called by private.respond_to_incident.';

COMMENT ON FUNCTION "private"."reach_of"(text, boolean, jsonb) IS 'What an action does not reach because the platform does not let it be guarded; see docs/incidents.md. Called by private.respond_to_incident.';

COMMENT ON FUNCTION "private"."reached_counts"(uuid, inet) IS 'The keys of the counts that an account or an address has reached. Called where facts are made.';

COMMENT ON FUNCTION "private"."record_response"(text, text, text, boolean, jsonb, uuid) IS 'Adds to an incident what was done about it, unless the same was done last. Called by detection, private.respond_to_incident and the edge functions.';

COMMENT ON FUNCTION "private"."refusal_findings"(timestamp with time zone) IS 'What the edge functions refused too often. Called by private.findings.';

COMMENT ON FUNCTION "private"."refuse_blocked"() IS 'Refuses requests from blocked addresses and disabled accounts, and says where help is. Called by public.check_request.';

COMMENT ON FUNCTION "private"."refuse_policy"(text, text) IS 'The error of a policy that cannot be stored, with where and why. Called by what compiles policies.';

COMMENT ON FUNCTION "private"."refuse_to_lock_out"(public.security_policies, jsonpath) IS 'Error 409 policy_blocks_caller for a policy that would stop the person who enables it. Called by private.compile_policy.';

COMMENT ON FUNCTION "private"."reject_request"(jsonb) IS 'The error of a request that private.enforce_policies refuses. Called before requests of the Data API.';

COMMENT ON FUNCTION "private"."request_assessment"(public.compliance_framework) IS 'Implementation of public.assess_compliance, which calls it.';

COMMENT ON FUNCTION "private"."require_security_admin"() IS 'An error unless the caller is a security administrator. Called by the functions that only those may call.';

COMMENT ON FUNCTION "private"."resolved_at"(text) IS 'When the last incident with a key was resolved: what was seen by then counts no more. Called by private.findings.';

COMMENT ON FUNCTION "private"."respond_automatically"(text, text[], inet[], uuid) IS 'Does at once what a rule says. Called by private.detect_incidents.';

COMMENT ON FUNCTION "private"."respond_to_incident"(text, text, text, boolean) IS 'Implementation of public.respond_to_incident, which calls it.';

COMMENT ON FUNCTION "private"."roll_up_policy_triggers"() IS 'Adds what was counted since the last call to the policies and their days. Called by cron every minute.';

COMMENT ON FUNCTION "private"."run_compliance_check"(private.compliance_checks) IS 'Runs a check; returns its evidence as in public.compliance_assessments, with a SHA-256 of all the rest of it. Called by private.assess_compliance.';

COMMENT ON FUNCTION "private"."schema_changes"() IS 'How what protects the data differs from the last snapshot. Called by detection and by checks.';

COMMENT ON FUNCTION "private"."seal_evidence"(text) IS 'Stores an extract of what shows an incident, with its hash in the audit log; once while nothing is added. Returns {status, sha256}. Called by public.respond_to_incident.';

COMMENT ON FUNCTION "private"."security_event_kinds"() IS 'The kinds of events that conditions may count. Called by private.compile_count.';

COMMENT ON FUNCTION "private"."security_test_statistics"() IS 'Implementation of public.security_test_statistics, which calls it.';

COMMENT ON FUNCTION "private"."send_security_alert"(text, text, text) IS 'Queues an email to every security administrator, once for the same words about the same incident. Returns {status, detail}. Called by detection, policies and public.respond_to_incident.';

COMMENT ON FUNCTION "private"."sign_in_failures"(timestamp with time zone) IS 'Failed sign-ins since a time by account and address, those straight at Auth (direct) beside those through the functions. Called by private.findings.';

COMMENT ON FUNCTION "private"."sign_in_findings"(timestamp with time zone) IS 'Attacks on sign-in. Called by private.findings.';

COMMENT ON FUNCTION "private"."signed_in_account"() IS 'The caller''s account, whether or not it has a role; null when nobody is signed in, the account is banned, the session has ended or the address is blocked. Called by private.current_account, and where people reach what is stored of them.';

COMMENT ON FUNCTION "private"."system_findings"(timestamp with time zone) IS 'What was done to the database and its settings, and duties that are overdue. Called by private.findings.';

COMMENT ON FUNCTION "private"."take_policy_action"(text, private.policy_action, uuid, inet) IS 'Alerts, disables or logs; returns {status: done or failed, detail?}. Called by private.act_on_firing and private.try_policies.';

COMMENT ON FUNCTION "private"."take_schema_snapshot"() IS 'Takes what protects the data now to be right. Called by detection after a migration, and by an operator who has changed it without one.';

COMMENT ON FUNCTION "private"."tell_compliance"(text, timestamp with time zone, text) IS 'Tells when something was last done that the database cannot see, and where the proof is; an earlier time than is known changes nothing. Called by operators and by the job that makes backups.';

COMMENT ON FUNCTION "private"."try_policies"(jsonb, public.enforcement_point, boolean) IS 'Implementation of public.evaluate_policies, which calls it.';

COMMENT ON FUNCTION "private"."unblock_address"(inet) IS 'Lifts the block of an address. Called by public.respond_to_incident.';

COMMENT ON FUNCTION "private"."university_crisis_resources"(text) IS 'Help at a university and beyond: array of {name, phone, website}; without a university, or with an unknown one, what is beyond. Called by private.crisis_resources and by the edge functions.';

COMMENT ON FUNCTION "private"."withdraw_security_alerts"(text) IS 'Cancels the alerts of an incident that are not sent yet. Called by private.respond_to_incident.';

COMMENT ON FUNCTION "public"."accept_vulnerability"(text, text, timestamp with time zone) IS 'Accepts a vulnerability that is to stay for the time being, with a reason, for at most 366 days. Called by security administrators.';

COMMENT ON FUNCTION "public"."assess_compliance"(public.compliance_framework) IS 'Runs the automated checks of a framework''s controls; returns the id of the assessment. Called by security administrators.';

COMMENT ON FUNCTION "public"."change_incident"(text, public.incident_status, uuid, text, timestamp with time zone) IS 'Changes the status of an incident, who deals with it, and from when on a breach of personal data is known; adds a note to its timeline. Called by security administrators.';

COMMENT ON FUNCTION "public"."create_security_test"(text, public.security_probe[], public.security_test_schedule) IS 'Creates a security test of probes of the catalogue; with a schedule its first run begins at once. Called by security administrators.';

COMMENT ON FUNCTION "public"."decide_control"(text, public.compliance_status, text, jsonb) IS 'Stores what an assessor decides of a control, beside what the checks found; not_assessed withdraws the decision. evidence: [{description, link?}]. The audit log keeps each. Called by security administrators.';

COMMENT ON FUNCTION "public"."detect_incidents"() IS 'Looks for incidents now, as cron does every minute; returns those that it saw: {detected: [{id, rule, opened}]}. Called by security administrators.';

COMMENT ON FUNCTION "public"."evaluate_policies"(jsonb, public.enforcement_point, boolean) IS 'What the enabled policies say of a context {account?, address?, path?, …}, as private.evaluate_policies says, with what becomes of each action; counts, and with enforce acts. Called by security administrators.';

COMMENT ON FUNCTION "public"."execute_security_test"(text) IS 'Begins a run of a security test, or returns the one that goes on; its results come in public.security_test_results. Called by security administrators.';

COMMENT ON FUNCTION "public"."policy_statistics"() IS 'How many policies there are, by category and by action, and how often they applied: {policies, enabled, dry_run, triggered, triggered_last_30_days, by_category, by_action, most_triggered}. Called by security administrators.';

COMMENT ON FUNCTION "public"."respond_to_incident"(text, text, text, boolean) IS 'Does something about an incident, or undoes it: block_ip, disable_user, send_alert, quarantine or audit_trail. Returns {action, target, undone, status: done or failed, detail?, until?, sha256?, not_reached?}. Doing it again changes nothing. Called by security administrators.';

COMMENT ON FUNCTION "public"."security_test_statistics"() IS 'How security tests went: {tests, runs: {last_30_days, completed, failed, last_ended_at}, probes: [{probe, status, ended_at, checks, faults}] as each went last, vulnerabilities: [{severity, open, accepted, fixed, regressions, oldest_open_at, mean_hours_to_fix, median_hours_to_fix}]}. Called by security administrators and the secret key; null for others.';

COMMENT ON TABLE "private"."blocked_addresses" IS 'Addresses that are, or were, blocked.';

COMMENT ON TABLE "private"."compliance_checks" IS 'The automated checks: each is a query for what is wrong. Its rows come with the service (sql/89_compliance_checks.sql).';

COMMENT ON TABLE "private"."compliance_facts" IS 'What the database cannot see by itself and operators tell it, each the last time: without a row, what depends on it is not_assessed.';

COMMENT ON TABLE "private"."detection_rules" IS 'What is an incident: how much evidence within how long, how bad it is, and what is done at once. An operator can change it without a deployment.';

COMMENT ON TABLE "private"."detection_settings" IS 'Settings of detection, and how far it is. Exactly one row.';

COMMENT ON TABLE "private"."disabled_accounts" IS 'Accounts that are disabled, by a ban in Auth.';

COMMENT ON TABLE "private"."enabled_policies" IS 'The enabled policies, compiled: what a request is evaluated against. Written by a trigger on public.security_policies.';

COMMENT ON TABLE "private"."evidence" IS 'Sealed extracts of what shows an incident. Never changed; their hashes are in the audit log''s chain.';

COMMENT ON TABLE "private"."known_networks" IS 'Networks that are never blocked: the platform''s own, which are no caller''s address, and those behind which a university''s people share addresses. An operator adds the latter.';

COMMENT ON TABLE "private"."policy_counts" IS 'The counts of events over time that the enabled policies ask for. Written with private.enabled_policies.';

COMMENT ON TABLE "private"."policy_days" IS 'How often policies applied on each of the last 90 days.';

COMMENT ON TABLE "private"."policy_firings" IS 'What policies did to whom, so that a flood of requests alerts once. A trigger acts when the row is written or renewed.';

COMMENT ON TABLE "private"."policy_triggers" IS 'How often policies applied since the last minute; then added to public.security_policies and private.policy_days, and deleted.';

COMMENT ON TABLE "private"."probe_accounts" IS 'Invented students that probes act as, and on: without a university, so that no figure counts them. The accounts are deleted when their run ends; what they are listed here for is kept a day longer, for detection that looks back.';

COMMENT ON TABLE "private"."quarantines" IS 'Edge functions that answer nothing but 503 quarantined.';

COMMENT ON TABLE "private"."schema_snapshot" IS 'What private.schema_state was when the last migration ended.';

COMMENT ON TABLE "private"."schema_snapshot_of" IS 'After which migration private.schema_snapshot was taken. Exactly one row.';

COMMENT ON TABLE "private"."security_events" IS 'What incidents are detected from: one row a minute for each kind, source, address and account, however often it happened.';

COMMENT ON TABLE "public"."compliance_assessments" IS 'Every assessment with its evidence, as it was. Its hash is in the audit log too; nobody is named in it.';

COMMENT ON TABLE "public"."compliance_controls" IS 'What the frameworks ask for, and how it stands: by the automated checks, and by an assessor''s decision beside it.';

COMMENT ON TABLE "public"."security_incidents" IS 'Security incidents: one for one thing that goes on, with what shows it, what was done about it, and its timeline. People are ids.';

COMMENT ON TABLE "public"."security_policies" IS 'What is done when conditions hold: docs/security-policies.md. Policies are disabled, never deleted, so that what they did can be told.';

COMMENT ON TABLE "public"."security_test_results" IS 'What each probe of a run found, and the queue of those that are still to run: one of a run at a time, in their order.';

COMMENT ON TABLE "public"."security_test_runs" IS 'Each time that a security test ran.';

COMMENT ON TABLE "public"."security_tests" IS 'Which probes are run together, and when.';

COMMENT ON TABLE "public"."vulnerabilities" IS 'Faults that probes found, from the first time until a later run does not find them any more. What comes back is a new row that names the old one.';

COMMENT ON TYPE "private"."finding" IS 'What a rule has found: type and severity are null where the rule''s own apply. affected: accounts; disable_user disables the first.';

COMMENT ON TYPE "private"."policy_action" IS 'Actions of security policies that are taken once for a person or an address within a time.';

COMMENT ON TYPE "public"."compliance_framework" IS 'A framework whose controls are assessed.';

COMMENT ON TYPE "public"."compliance_status" IS 'How a control stands; not_assessed where a source is missing, which is never taken for compliance.';

COMMENT ON TYPE "public"."enforcement_point" IS 'Where security policies are enforced: on each request to the functions, REST, Storage and Realtime, and whenever Auth issues a token.';

COMMENT ON TYPE "public"."incident_severity" IS 'How bad an incident is.';

COMMENT ON TYPE "public"."incident_status" IS 'How far an incident is dealt with; active means neither resolved nor closed.';

COMMENT ON TYPE "public"."incident_type" IS 'What kind of incident it is.';

COMMENT ON TYPE "public"."policy_category" IS 'What a security policy is about.';

COMMENT ON TYPE "public"."policy_type" IS 'Whether a security policy prevents something, notices it, or mends it.';

COMMENT ON TYPE "public"."security_probe" IS 'The closed catalogue of probes; functions/_shared/security-tests/catalogue.ts says what each does.';

COMMENT ON TYPE "public"."security_probe_status" IS 'State of a probe in a run: failed when it could not be carried out, which says nothing about the project.';

COMMENT ON TYPE "public"."security_test_run_status" IS 'State of a run: failed when a probe could not be carried out, so that the run says nothing about what it looks for.';

COMMENT ON TYPE "public"."security_test_schedule" IS 'When a security test runs by itself.';

COMMENT ON TYPE "public"."vulnerability_severity" IS 'How bad a vulnerability is.';

COMMENT ON TYPE "public"."vulnerability_status" IS 'open until a probe that looks for it finds it no more, or somebody accepts it; fixed is final: a regression is another vulnerability.';

COMMENT ON VIEW "private"."active_incidents" IS 'Incidents that go on, the worst first, with what was done and what happened.';

COMMENT ON VIEW "private"."compliance_posture" IS 'How many controls of each framework stand how, by what the checks found last.';

COMMENT ON VIEW "private"."policies_in_force" IS 'Policies that are evaluated, in their order, and how often each applied.';

COMMENT ON VIEW "private"."schema_state" IS 'What protects the data, as the catalog has it: row-level security, policies, grants, functions, triggers, views, scheduled jobs and roles.';

COMMENT ON VIEW "private"."training_by_module" IS 'How many people each module is assigned to, and how many of them are trained or overdue.';

COMMENT ON VIEW "private"."unresolved_vulnerabilities" IS 'Faults that are still there, the open ones first.';

REVOKE ALL ON FUNCTION "private"."accept_vulnerability"(text, text, timestamp WITH time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."accept_vulnerability"(text, text, timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."accept_vulnerability"(text, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."accept_vulnerability"(text, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."account_of_address"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."account_of_address"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."account_of_address"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."act_on_firing"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."act_on_firing"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."act_on_firing"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."activity_findings"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."activity_findings"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."activity_findings"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."address_digits"(inet) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."address_digits"(inet) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."address_digits"(inet) TO "postgres";

REVOKE ALL ON FUNCTION "private"."advance_security_tests"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."advance_security_tests"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."advance_security_tests"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."assess_compliance"(public.compliance_framework) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."assess_compliance"(public.compliance_framework) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."assess_compliance"(public.compliance_framework) TO "postgres";

REVOKE ALL ON FUNCTION "private"."assessment_hash"(public.compliance_assessments) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."assessment_hash"(public.compliance_assessments) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."assessment_hash"(public.compliance_assessments) TO "postgres";

REVOKE ALL ON FUNCTION "private"."attested_address"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."attested_address"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."attested_address"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_evidence"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_evidence"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_evidence"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_failed_sign_in"(text, inet, text, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_incident"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_incident"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_incident"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_response"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_response"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_response"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."automated_status"(text[], jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."automated_status"(text[], jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."automated_status"(text[], jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."begin_security_test_run"(text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."begin_security_test_run"(text, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."begin_security_test_run"(text, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."block_address"(inet, timestamp WITH time zone, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."block_address"(inet, timestamp WITH time zone, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."block_address"(inet, timestamp WITH time zone, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."block_network"(inet) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."block_network"(inet) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."block_network"(inet) TO "postgres";

REVOKE ALL ON FUNCTION "private"."chain_findings"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."chain_findings"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."chain_findings"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."change_incident"(text, public.incident_status, uuid, text, timestamp WITH time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."change_incident"(text, public.incident_status, uuid, text, timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."change_incident"(text, public.incident_status, uuid, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."change_incident"(text, public.incident_status, uuid, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."check_call"(inet, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_call"(inet, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."check_call"(inet, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."check_policy_actions"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."check_policy_actions"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."check_policy_actions"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."claim_security_probe"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."claim_security_probe"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."claim_security_probe"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."compile_comparison"(jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."compile_comparison"(jsonb, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."compile_comparison"(jsonb, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."compile_condition"(jsonb, text, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."compile_condition"(jsonb, text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."compile_condition"(jsonb, text, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."compile_count"(jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."compile_count"(jsonb, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."compile_count"(jsonb, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."compile_policy"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."compile_policy"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."compile_policy"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."condition_holds"(jsonb, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."condition_holds"(jsonb, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."condition_holds"(jsonb, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."count_policy_trigger"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_policy_trigger"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."count_policy_trigger"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."count_upload"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."count_upload"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."count_upload"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."create_security_test"(text, public.security_probe[], public.security_test_schedule) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."create_security_test"(text, public.security_probe[], public.security_test_schedule) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."create_security_test"(text, public.security_probe[], public.security_test_schedule) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."create_security_test"(text, public.security_probe[], public.security_test_schedule) TO "postgres";

REVOKE ALL ON FUNCTION "private"."custom_access_token"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."custom_access_token"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."custom_access_token"(jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."custom_access_token"(jsonb) TO "supabase_auth_admin";

REVOKE ALL ON FUNCTION "private"."custom_token_expiry"(uuid, bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."custom_token_expiry"(uuid, bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."custom_token_expiry"(uuid, bigint) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."custom_token_expiry"(uuid, bigint) TO "supabase_auth_admin";

REVOKE ALL ON FUNCTION "private"."decide_control"(text, public.compliance_status, text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."decide_control"(text, public.compliance_status, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."decide_control"(text, public.compliance_status, text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."decide_control"(text, public.compliance_status, text, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."decision_of"(public.compliance_controls) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."decision_of"(public.compliance_controls) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."decision_of"(public.compliance_controls) TO "postgres";

REVOKE ALL ON FUNCTION "private"."detect_as_administrator"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."detect_as_administrator"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."detect_as_administrator"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."detect_as_administrator"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."detect_incidents"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."detect_incidents"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."detect_incidents"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."disable_account"(uuid, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."disable_account"(uuid, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."disable_account"(uuid, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."dispatch_security_tests"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."dispatch_security_tests"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."dispatch_security_tests"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."enable_account"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."enable_account"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."enable_account"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."end_security_test_run"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_security_test_run"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."end_security_test_run"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."enforce_at_sign_in"(jsonb, inet) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."enforce_at_sign_in"(jsonb, inet) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."enforce_at_sign_in"(jsonb, inet) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."enforce_at_sign_in"(jsonb, inet) TO "supabase_auth_admin";

REVOKE ALL ON FUNCTION "private"."enforce_on_function"(uuid, uuid, inet, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."enforce_on_function"(uuid, uuid, inet, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."enforce_on_function"(uuid, uuid, inet, text, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."enforce_on_rest"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."enforce_on_rest"() TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "private"."enforce_on_rest"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."enforce_on_rest"() TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."enforce_on_rest"() TO "service_role";

REVOKE ALL ON FUNCTION "private"."enforce_policies"(jsonb, public.enforcement_point, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."enforce_policies"(jsonb, public.enforcement_point, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."enforce_policies"(jsonb, public.enforcement_point, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."evaluate_policies"(jsonb, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."evaluate_policies"(jsonb, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."evaluate_policies"(jsonb, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."execute_security_test"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."execute_security_test"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."execute_security_test"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."execute_security_test"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."explain_condition"(jsonb, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."explain_condition"(jsonb, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."explain_condition"(jsonb, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."facts_of_request"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."facts_of_request"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."facts_of_request"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."fail_security_probe"(text, public.security_probe, smallint, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."fail_security_probe"(text, public.security_probe, smallint, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."fail_security_probe"(text, public.security_probe, smallint, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."finish_security_probe"(text, public.security_probe, smallint, integer, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."finish_security_probe"(text, public.security_probe, smallint, integer, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."finish_security_probe"(text, public.security_probe, smallint, integer, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."fire_policy_action"(text, private.policy_action, uuid, inet) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."fire_policy_action"(text, private.policy_action, uuid, inet) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."fire_policy_action"(text, private.policy_action, uuid, inet) TO "postgres";

REVOKE ALL ON FUNCTION "private"."follow_findings"(text, public.security_probe, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."follow_findings"(text, public.security_probe, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."follow_findings"(text, public.security_probe, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."furnish_probe_victim"(uuid, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."furnish_probe_victim"(uuid, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."furnish_probe_victim"(uuid, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."incident_entry"(text, jsonb, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."incident_entry"(text, jsonb, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."incident_entry"(text, jsonb, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_blocked"(inet) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_blocked"(inet) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_blocked"(inet) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_blocked"(inet) TO "supabase_auth_admin";

REVOKE ALL ON FUNCTION "private"."is_evidence"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_evidence"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_evidence"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_integer_between"(jsonb, integer, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_integer_between"(jsonb, integer, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_integer_between"(jsonb, integer, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."is_probe"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_probe"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."is_probe"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."keep_a_security_administrator"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_a_security_administrator"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."keep_a_security_administrator"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."last_migration"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."last_migration"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."last_migration"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."mark_of_request"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_of_request"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."mark_of_request"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."may_become"(public.incident_status, public.incident_status) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_become"(public.incident_status, public.incident_status) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."may_become"(public.incident_status, public.incident_status) TO "postgres";

REVOKE ALL ON FUNCTION "private"."network_kind"(inet) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."network_kind"(inet) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."network_kind"(inet) TO "postgres";

REVOKE ALL ON FUNCTION "private"."note_security_event"(text, uuid, inet, jsonb, text, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."note_security_event"(text, uuid, inet, jsonb, text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."note_security_event"(text, uuid, inet, jsonb, text, integer) TO "postgres";

REVOKE ALL ON FUNCTION "private"."open_incident"(public.incident_type, public.incident_severity, text, text, jsonb, uuid[], text, text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_incident"(public.incident_type, public.incident_severity, text, text, jsonb, uuid[], text, text[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."open_incident"(public.incident_type, public.incident_severity, text, text, jsonb, uuid[], text, text[]) TO "postgres";

REVOKE ALL ON FUNCTION "private"."outcome_of_action"(jsonb, jsonb, jsonb, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."outcome_of_action"(jsonb, jsonb, jsonb, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."outcome_of_action"(jsonb, jsonb, jsonb, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."password_verification_attempt"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."password_verification_attempt"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."password_verification_attempt"(jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."password_verification_attempt"(jsonb) TO "supabase_auth_admin";

REVOKE ALL ON FUNCTION "private"."policies_allow"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."policies_allow"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."policies_allow"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."policy_count_key"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."policy_count_key"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."policy_count_key"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."policy_facts"(uuid, uuid, inet, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."policy_facts"(uuid, uuid, inet, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."policy_facts"(uuid, uuid, inet, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."policy_fields"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."policy_fields"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."policy_fields"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."policy_literal"(jsonb, text, text[], text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."policy_literal"(jsonb, text, text[], text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."policy_literal"(jsonb, text, text[], text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."policy_statistics"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."policy_statistics"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."policy_statistics"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."policy_statistics"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."prevent_evidence_change"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."prevent_evidence_change"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."prevent_evidence_change"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."probe_run"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."probe_run"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."probe_run"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."protect_incident"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."protect_incident"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."protect_incident"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."quarantine"(text, boolean, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."quarantine"(text, boolean, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."quarantine"(text, boolean, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."reach_of"(text, boolean, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reach_of"(text, boolean, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."reach_of"(text, boolean, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."reached_counts"(uuid, inet) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reached_counts"(uuid, inet) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."reached_counts"(uuid, inet) TO "postgres";

REVOKE ALL ON FUNCTION "private"."record_response"(text, text, text, boolean, jsonb, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."record_response"(text, text, text, boolean, jsonb, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."record_response"(text, text, text, boolean, jsonb, uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."refusal_findings"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refusal_findings"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."refusal_findings"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."refuse_blocked"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."refuse_blocked"() TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "private"."refuse_blocked"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."refuse_blocked"() TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."refuse_blocked"() TO "service_role";

REVOKE ALL ON FUNCTION "private"."refuse_policy"(text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_policy"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."refuse_policy"(text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."refuse_to_lock_out"(public.security_policies, jsonpath) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_to_lock_out"(public.security_policies, jsonpath) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."refuse_to_lock_out"(public.security_policies, jsonpath) TO "postgres";

REVOKE ALL ON FUNCTION "private"."reject_request"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reject_request"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."reject_request"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "private"."request_assessment"(public.compliance_framework) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."request_assessment"(public.compliance_framework) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."request_assessment"(public.compliance_framework) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."request_assessment"(public.compliance_framework) TO "postgres";

REVOKE ALL ON FUNCTION "private"."resolved_at"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."resolved_at"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."resolved_at"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."respond_automatically"(text, text[], inet[], uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."respond_automatically"(text, text[], inet[], uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."respond_automatically"(text, text[], inet[], uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."respond_to_incident"(text, text, text, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."respond_to_incident"(text, text, text, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."respond_to_incident"(text, text, text, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."respond_to_incident"(text, text, text, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."roll_up_policy_triggers"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."roll_up_policy_triggers"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."roll_up_policy_triggers"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."run_compliance_check"(private.compliance_checks) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."run_compliance_check"(private.compliance_checks) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."run_compliance_check"(private.compliance_checks) TO "postgres";

REVOKE ALL ON FUNCTION "private"."schema_changes"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."schema_changes"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."schema_changes"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."seal_evidence"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."seal_evidence"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."seal_evidence"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."security_event_kinds"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."security_event_kinds"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."security_event_kinds"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."security_test_statistics"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."security_test_statistics"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."security_test_statistics"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."security_test_statistics"() TO "postgres";

GRANT EXECUTE ON FUNCTION "private"."security_test_statistics"() TO "service_role";

REVOKE ALL ON FUNCTION "private"."send_security_alert"(text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."send_security_alert"(text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."send_security_alert"(text, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."sign_in_failures"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sign_in_failures"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."sign_in_failures"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."sign_in_findings"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sign_in_findings"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."sign_in_findings"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."system_findings"(timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."system_findings"(timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."system_findings"(timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."take_policy_action"(text, private.policy_action, uuid, inet) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_policy_action"(text, private.policy_action, uuid, inet) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."take_policy_action"(text, private.policy_action, uuid, inet) TO "postgres";

REVOKE ALL ON FUNCTION "private"."take_schema_snapshot"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."take_schema_snapshot"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."take_schema_snapshot"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."tell_compliance"(text, timestamp WITH time zone, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_compliance"(text, timestamp WITH time zone, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."tell_compliance"(text, timestamp WITH time zone, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."try_policies"(jsonb, public.enforcement_point, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."try_policies"(jsonb, public.enforcement_point, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."try_policies"(jsonb, public.enforcement_point, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."try_policies"(jsonb, public.enforcement_point, boolean) TO "postgres";

REVOKE ALL ON FUNCTION "private"."unblock_address"(inet) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unblock_address"(inet) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."unblock_address"(inet) TO "postgres";

REVOKE ALL ON FUNCTION "private"."university_crisis_resources"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."university_crisis_resources"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."university_crisis_resources"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."withdraw_security_alerts"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."withdraw_security_alerts"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."withdraw_security_alerts"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."accept_vulnerability"(text, text, timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."accept_vulnerability"(text, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."accept_vulnerability"(text, text, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."assess_compliance"(public.compliance_framework) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."assess_compliance"(public.compliance_framework) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."assess_compliance"(public.compliance_framework) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."change_incident"(text, public.incident_status, uuid, text, timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."change_incident"(text, public.incident_status, uuid, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."change_incident"(text, public.incident_status, uuid, text, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."create_security_test"(text, public.security_probe[], public.security_test_schedule) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."create_security_test"(text, public.security_probe[], public.security_test_schedule) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."create_security_test"(text, public.security_probe[], public.security_test_schedule) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."decide_control"(text, public.compliance_status, text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."decide_control"(text, public.compliance_status, text, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."decide_control"(text, public.compliance_status, text, jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."detect_incidents"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."detect_incidents"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."detect_incidents"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."evaluate_policies"(jsonb, public.enforcement_point, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."evaluate_policies"(jsonb, public.enforcement_point, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."evaluate_policies"(jsonb, public.enforcement_point, boolean) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."execute_security_test"(text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."execute_security_test"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."execute_security_test"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."policy_statistics"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."policy_statistics"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."policy_statistics"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."respond_to_incident"(text, text, text, boolean) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."respond_to_incident"(text, text, text, boolean) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."respond_to_incident"(text, text, text, boolean) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."security_test_statistics"() TO "authenticated";

REVOKE ALL ON FUNCTION "public"."security_test_statistics"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."security_test_statistics"() TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."security_test_statistics"() TO "service_role";

REVOKE ALL ON TABLE "public"."compliance_assessments" FROM "authenticated";

GRANT SELECT ON TABLE "public"."compliance_assessments" TO "authenticated";

REVOKE ALL ON TABLE "public"."compliance_assessments" FROM "service_role";

GRANT SELECT ON TABLE "public"."compliance_assessments" TO "service_role";

REVOKE ALL ON TABLE "public"."compliance_controls" FROM "authenticated";

GRANT SELECT ON TABLE "public"."compliance_controls" TO "authenticated";

REVOKE ALL ON TABLE "public"."compliance_controls" FROM "service_role";

GRANT SELECT ON TABLE "public"."compliance_controls" TO "service_role";

REVOKE ALL ON TABLE "public"."security_incidents" FROM "authenticated";

GRANT SELECT ON TABLE "public"."security_incidents" TO "authenticated";

REVOKE ALL ON TABLE "public"."security_incidents" FROM "service_role";

GRANT SELECT ON TABLE "public"."security_incidents" TO "service_role";

REVOKE ALL ON TABLE "public"."security_policies" FROM "authenticated";

REVOKE ALL ("actions") ON TABLE "public"."security_policies" FROM "authenticated";

GRANT INSERT ("actions"), UPDATE ("actions") ON TABLE "public"."security_policies" TO "authenticated";

REVOKE ALL ("category") ON TABLE "public"."security_policies" FROM "authenticated";

GRANT INSERT ("category"), UPDATE ("category") ON TABLE "public"."security_policies" TO "authenticated";

REVOKE ALL ("conditions") ON TABLE "public"."security_policies" FROM "authenticated";

GRANT INSERT ("conditions"), UPDATE ("conditions") ON TABLE "public"."security_policies" TO "authenticated";

REVOKE ALL ("dry_run") ON TABLE "public"."security_policies" FROM "authenticated";

GRANT INSERT ("dry_run"), UPDATE ("dry_run") ON TABLE "public"."security_policies" TO "authenticated";

REVOKE ALL ("enabled") ON TABLE "public"."security_policies" FROM "authenticated";

GRANT INSERT ("enabled"), UPDATE ("enabled") ON TABLE "public"."security_policies" TO "authenticated";

REVOKE ALL ("enforcement_points") ON TABLE "public"."security_policies" FROM "authenticated";

GRANT INSERT ("enforcement_points"), UPDATE ("enforcement_points") ON TABLE "public"."security_policies" TO "authenticated";

REVOKE ALL ("name") ON TABLE "public"."security_policies" FROM "authenticated";

GRANT INSERT ("name"), UPDATE ("name") ON TABLE "public"."security_policies" TO "authenticated";

REVOKE ALL ("priority") ON TABLE "public"."security_policies" FROM "authenticated";

GRANT INSERT ("priority"), UPDATE ("priority") ON TABLE "public"."security_policies" TO "authenticated";

REVOKE ALL ("type") ON TABLE "public"."security_policies" FROM "authenticated";

GRANT INSERT ("type"), UPDATE ("type") ON TABLE "public"."security_policies" TO "authenticated";

GRANT SELECT ON TABLE "public"."security_policies" TO "authenticated";

REVOKE ALL ON TABLE "public"."security_policies" FROM "service_role";

GRANT SELECT ON TABLE "public"."security_policies" TO "service_role";

REVOKE ALL ON TABLE "public"."security_test_results" FROM "authenticated";

GRANT SELECT ON TABLE "public"."security_test_results" TO "authenticated";

REVOKE ALL ON TABLE "public"."security_test_results" FROM "service_role";

GRANT SELECT ON TABLE "public"."security_test_results" TO "service_role";

REVOKE ALL ON TABLE "public"."security_test_runs" FROM "authenticated";

GRANT SELECT ON TABLE "public"."security_test_runs" TO "authenticated";

REVOKE ALL ON TABLE "public"."security_test_runs" FROM "service_role";

GRANT SELECT ON TABLE "public"."security_test_runs" TO "service_role";

REVOKE ALL ON TABLE "public"."security_tests" FROM "authenticated";

GRANT SELECT ON TABLE "public"."security_tests" TO "authenticated";

REVOKE ALL ON TABLE "public"."security_tests" FROM "service_role";

GRANT SELECT ON TABLE "public"."security_tests" TO "service_role";

REVOKE ALL ON TABLE "public"."vulnerabilities" FROM "authenticated";

GRANT SELECT ON TABLE "public"."vulnerabilities" TO "authenticated";

REVOKE ALL ON TABLE "public"."vulnerabilities" FROM "service_role";

GRANT SELECT ON TABLE "public"."vulnerabilities" TO "service_role";

SELECT cron.schedule_in_database('advance-security-tests', '30 seconds', 'select private.advance_security_tests(now())', 'postgres', NULL, true);

SELECT
  cron.schedule_in_database('assess-compliance', '37 2 * * *', 'select private.assess_compliance(f) from unnest(enum_range(null::public.compliance_framework)) as f', 'postgres',
  NULL, true);

SELECT cron.schedule_in_database('detect-incidents', '* * * * *', 'select private.detect_incidents()', 'postgres', NULL, true);

SELECT cron.schedule_in_database('roll-up-policy-triggers', '* * * * *', 'select private.roll_up_policy_triggers()', 'postgres', NULL, true);

ALTER TABLE "public"."security_tests"
  ADD COLUMN "created_by" uuid DEFAULT auth.uid();

ALTER TABLE "public"."security_tests"
  ADD CONSTRAINT "security_tests_created_by_fkey" FOREIGN KEY (created_by) REFERENCES auth.users(id) ON DELETE SET NULL;

CREATE INDEX security_tests_created_by_idx ON public.security_tests USING btree (created_by);

COMMENT ON COLUMN "public"."security_tests"."created_by" IS 'The security administrator; null for the one that is there from the start.';

ALTER TABLE "public"."compliance_controls"
  ADD CONSTRAINT "compliance_controls_decision_evidence_form" CHECK (private.is_evidence(decision_evidence));

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

-- The automated checks and the controls. They are part of the schema, not settings: a migration that changes them ends with all of them.
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
  $q$),

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
  $q$),

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
