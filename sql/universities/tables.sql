create table public.universities (
  id text not null,
  name text not null,
  short_name text not null,
  domain text not null,
  country text,
  time_zone text not null default 'UTC',
  languages text[] not null default '{en}',
  logo_url text,
  primary_color text not null default '#1f4e79',
  secondary_color text not null default '#f2a900',
  features_enabled text[] not null default '{check_ins, sessions, support_circle, counselor_access}',
  assessment_frequency text not null default 'daily',
  privacy_settings jsonb not null default '{}',
  support_email text,
  crisis_phone text,
  resources jsonb not null default '[]',
  accepts_other_domains boolean not null default false,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint universities_pkey primary key (id),
  constraint universities_domain_key unique (domain),
  constraint universities_id_form check (id ~ '^[a-z0-9][a-z0-9-]{1,62}$'),
  constraint universities_name_length check (char_length(name) between 1 and 200),
  constraint universities_short_name_length check (char_length(short_name) between 1 and 50),
  constraint universities_domain_form check (domain = lower(domain) and domain ~ '^[a-z0-9.-]+\.[a-z]{2,}$'),
  constraint universities_country_form check (country ~ '^[A-Z]{2}$'),
  constraint universities_primary_color_form check (primary_color ~ '^#[0-9a-fA-F]{6}$'),
  constraint universities_secondary_color_form check (secondary_color ~ '^#[0-9a-fA-F]{6}$'),
  constraint universities_privacy_settings_object check (jsonb_typeof(privacy_settings) = 'object'),
  constraint universities_privacy_settings_size check (pg_column_size(privacy_settings) <= 16384),
  constraint universities_logo_url_form check (logo_url ~ '^https://[^[:space:]"<>]+$' and char_length(logo_url) <= 500),
  constraint universities_features_enabled_known check (
    features_enabled <@ array['check_ins', 'sessions', 'support_circle', 'counselor_access']
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
select private.describe('public.universities', 'Participating universities, with their branding, settings and contacts.', $$
  id: Short name, used as university_id everywhere: 2 to 63 lower-case letters, digits and hyphens.
  name: Full name, 1 to 200 characters.
  short_name: Name for small screens, 1 to 50 characters.
  domain: Email domain that assigns a new account to the university, in lower case, such as example.edu.
  country: Where it is, ISO 3166-1 alpha-2 in capital letters, such as GB: decides the emergency number that its students are shown; 112 without.
  time_zone: Where its days begin and end in figures, and those of its people who chose no time zone: an IANA name, such as Europe/Dublin.
  languages: Languages that its students are addressed in, 1 to 20 BCP 47 tags, each once, such as {en, pt-BR}; the first one is the default.
  logo_url: URL of the logo, https://…, 500 characters at most.
  primary_color: Main brand colour, #rrggbb.
  secondary_color: Second brand colour, #rrggbb.
  features_enabled: What the university's students can use: check_ins, sessions, support_circle, counselor_access. What is absent cannot be begun, and consents to it have no effect.
  assessment_frequency: How often the app invites students to check in: daily, twice_weekly, weekly, biweekly or monthly. The service sends no invitations.
  privacy_settings: The university's privacy settings, a JSON object of at most 16 kB. Example: {"show_photos": false, "contact_office": "privacy@example.edu"}
  support_email: Email address of the student support office.
  crisis_phone: Phone number that is staffed around the clock, 2 to 30 digits, spaces and + - ( ) . characters; shown with every result.
  resources: Support on campus: array of {name, phone?, website?} of at most 16 kB, no other members, the website http:// or https://. Example: [{"name": "Counseling Service", "phone": "+1 555 0100", "website": "https://www.example.edu/counseling"}]
  accepts_other_domains: Whether students whose email domain belongs to no university may join by naming this one.
  archived_at: Since when nobody new comes to it; null while it takes part.
  created_at: When the row was created.
  updated_at: When the row was last changed.
$$);

select private.declare_data('public.universities',
   '{id, name, short_name, domain, country, time_zone, languages, logo_url, primary_color, secondary_color, features_enabled,
    assessment_frequency, privacy_settings, support_email, crisis_phone, resources, accepts_other_domains, archived_at, created_at, updated_at}',
  'The universities'' names, branding, settings and public contacts.');
select private.declare_audited('public.universities', 'id', actions => '{university_added, university_changed, university_removed}');
select private.declare_data('university-files', '{*}',
  'What students keep in their own folders; files that a university shares belong to it.', 'student', 'words',
  't.bucket_id = ''university-files'' and t.path_tokens[2] = ''students'' and t.path_tokens[3] = $1::text', store => 'bucket');

create trigger touch_updated_at before update on public.universities for each row execute function private.touch_updated_at();

create function private.check_time_and_languages() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_time_zones(array[new.time_zone]), private.require_languages(new.languages);
  if not coalesce(
    array_ndims(new.languages) = 1
    and cardinality(new.languages) between 1 and 20
    and cardinality(new.languages) = (select count(distinct tag) from unnest(new.languages) as tag),
    false
  ) then
    perform private.refuse(400, 'invalid_value', 'languages has 1 to 20 languages, each once.');
  end if;
  return new;
end
$$;
comment on function private.check_time_and_languages is 'Trigger: whoever asks for the day or the language of a university can rely on its time zone and languages.';

create trigger check_time_and_languages before insert or update of time_zone, languages on public.universities
for each row execute function private.check_time_and_languages();

create function private.university_date(university text, at timestamptz) returns date
language sql stable security definer set search_path = '' as $$
  select (at at time zone coalesce((select u.time_zone from public.universities u where u.id = university), 'UTC'))::date
$$;
comment on function private.university_date is 'The day of a moment at a university; by UTC without one. Called where figures are counted.';

