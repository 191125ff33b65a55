create table public.universities (
  id text not null,
  name text not null,
  short_name text not null,
  domain text not null,
  logo_url text,
  primary_color text not null default '#1f4e79',
  secondary_color text not null default '#f2a900',
  features_enabled text[] not null default '{check_ins}',
  assessment_frequency text not null default 'daily',
  privacy_settings jsonb not null default '{}',
  support_email text,
  crisis_phone text,
  resources jsonb not null default '[]',
  accepts_other_domains boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint universities_pkey primary key (id),
  constraint universities_domain_key unique (domain),
  constraint universities_id_form check (id ~ '^[a-z0-9][a-z0-9-]{1,62}$'),
  constraint universities_name_length check (char_length(name) between 1 and 200),
  constraint universities_short_name_length check (char_length(short_name) between 1 and 50),
  constraint universities_domain_form check (domain = lower(domain) and domain ~ '^[a-z0-9.-]+\.[a-z]{2,}$'),
  constraint universities_primary_color_form check (primary_color ~ '^#[0-9a-fA-F]{6}$'),
  constraint universities_secondary_color_form check (secondary_color ~ '^#[0-9a-fA-F]{6}$'),
  constraint universities_privacy_settings_object check (jsonb_typeof(privacy_settings) = 'object'),
  constraint universities_privacy_settings_size check (pg_column_size(privacy_settings) <= 16384),
  constraint universities_logo_url_form check (logo_url ~ '^https://[^[:space:]"<>]+$' and char_length(logo_url) <= 500),
  constraint universities_features_enabled_known check (
    features_enabled <@ array['check_ins', 'sessions', 'text_model', 'support_circle', 'counselor_access', 'training']
  ),
  constraint universities_assessment_frequency_known check (
    assessment_frequency in ('daily', 'twice_weekly', 'weekly', 'biweekly', 'monthly')
  ),
  constraint universities_support_email_form check (support_email ~ '^[^@[:space:]<>"]{1,64}@[^@[:space:]<>"]{1,190}$'),
  constraint universities_crisis_phone_form check (crisis_phone ~ '^[+0-9][-0-9 ().]{1,29}$'),
  constraint universities_resources_array check (jsonb_typeof(resources) = 'array'),
  constraint universities_resources_form check (
    pg_column_size(resources) <= 16384
    and not jsonb_path_exists(
      resources,
      '$[*] ? (
        @.type() != "object"
        || !exists(@.name ? (@.type() == "string" && @ like_regex "^.{1,200}$"))
        || exists(@.phone ? (@.type() != "null" && !(@.type() == "string" && @ like_regex "^[+0-9][-0-9 ().]{1,29}$")))
        || exists(@.website ? (@.type() != "null" && !(@.type() == "string" && @ like_regex "^https?://[^ \"<>]+$")))
        || exists(@.keyvalue() ? (@.key != "name" && @.key != "phone" && @.key != "website"))
      )'
    )
  )
);
comment on table public.universities is 'Participating universities, with their branding, settings and contacts.';
comment on column public.universities.id is 'Short lower-case name, used as university_id everywhere.';
comment on column public.universities.name is 'Full name.';
comment on column public.universities.short_name is 'Name for small screens.';
comment on column public.universities.domain is 'Email domain that assigns a new account to the university.';
comment on column public.universities.logo_url is 'URL of the logo.';
comment on column public.universities.primary_color is 'Main brand colour, #rrggbb.';
comment on column public.universities.secondary_color is 'Second brand colour, #rrggbb.';
comment on column public.universities.features_enabled is
  'Features that the university has enabled: check_ins, sessions, text_model, support_circle, counselor_access, training.';
comment on column public.universities.assessment_frequency is
  'How often students are invited to check in: daily, twice_weekly, weekly, biweekly or monthly.';
comment on column public.universities.privacy_settings is 'The university''s privacy settings, a JSON object.';
comment on column public.universities.support_email is 'Email address of the student support office.';
comment on column public.universities.crisis_phone is 'Phone number that is staffed around the clock; shown with every result.';
comment on column public.universities.resources is 'Support on campus: array of {name, phone, website}.';
comment on column public.universities.accepts_other_domains is
  'Whether students whose email domain belongs to no university may join by naming this one.';
comment on column public.universities.created_at is 'When the row was created.';
comment on column public.universities.updated_at is 'When the row was last changed.';

create function private.touch_updated_at()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
comment on function private.touch_updated_at is 'Trigger: sets updated_at to the time of the change.';

create trigger touch_updated_at
before update on public.universities
for each row execute function private.touch_updated_at();
