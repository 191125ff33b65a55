create table private.security_events (
  id bigint generated always as identity constraint security_events_pkey primary key,
  kind text not null,
  source text not null,
  minute timestamptz not null,
  occurred_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  address inet,
  account uuid,
  occurrences integer not null default 1 constraint security_events_occurrences_positive check (occurrences > 0),
  details jsonb not null default '{}' constraint security_events_details_size check (octet_length(details::text) <= 2000),
  constraint security_events_once_a_minute unique nulls not distinct (kind, minute, source, address, account),
  constraint security_events_kind_known check (
    kind = any (array[
      'sign_in_failed', 'sign_in_succeeded', 'token_refused', 'access_refused', 'rate_limited', 'worker_secret_refused',
      'link_refused', 'address_refused', 'students_read', 'data_exported', 'role_changed', 'settings_changed', 'policy_changed',
      'policy_triggered', 'chain_broken', 'second_factor_failed', 'auth_mail_sent'
    ])
  ),
  constraint security_events_source_known check (source = any (array['functions', 'auth', 'database', 'pages']))
);
select private.describe('private.security_events',
  'What incidents are detected from: one row a minute for each kind, source, address and account, however often it happened.', $$
  id: The row.
  kind: What happened.
  source: Who saw it: the edge functions, Auth by its hook, or the database; pages of what a page of another site had a browser send, which rules count all together, against no address.
  minute: The minute in which it happened.
  occurred_at: When it happened first in that minute.
  last_at: When it happened last in that minute.
  address: IP address that it came from, of IPv6 the network of 64 bits, by the word of the gateway, or of Auth where Auth saw it; null where nobody says.
  account: Who did it, or of a failed sign-in whose account was tried; null when unknown.
  occurrences: How often it happened in that minute.
  details: Further details of the last time, such as the reason; never what somebody wrote. Example: {"reason": "wrong_password"}
$$);
alter table private.security_events alter column account set statistics 0; -- see public.user_roles
create index security_events_minute_idx on private.security_events (minute);
create index security_events_account_idx on private.security_events (account) where account is not null;

select private.declare_term('security_events', '90 days',
  'What incidents are detected from, with addresses and accounts: from when it happened.', shortest => '1 day');
select private.declare_data('private.security_events',
  '{id, kind, source, minute, occurred_at, last_at, address, account, occurrences, details}', 'To detect attacks.', 'account',
  'activity', 't.account = $1', term => 'security_events');
select private.declare_purge('security_events', 'private.security_events', 'd.minute < $1', oldest => 'minute');
select private.declare_audited('private.security_events', 'id', 'by_hand');

-- A flood from changing addresses writes this many rows a minute and kind, and after that adds up without the address. What names an
-- account has as many rows of its own, and keeps the account: noise without one does not hide it.
create function private.note_security_event(
  kind text, account uuid default null, address inet default private.request_ip(), details jsonb default '{}',
  source text default 'database', times integer default 1
) returns void
language plpgsql security definer set search_path = '' as $$
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
      where e.kind = note_security_event.kind
        and e.minute = this_minute
        and (e.account is null) = (note_security_event.account is null)
      limit most_rows
    ) of_minute;
  end if;
  insert into private.security_events as e (kind, source, minute, address, account, occurrences, details)
  values (
    note_security_event.kind, note_security_event.source, this_minute, case when full_up then null else caller end,
    note_security_event.account, times, note_security_event.details
  )
  on conflict on constraint security_events_once_a_minute do update
  set occurrences = e.occurrences + excluded.occurrences, last_at = excluded.last_at,
    details = case when octet_length((e.details || excluded.details)::text) <= 2000 then e.details || excluded.details else e.details end;
end
$$;
comment on function private.note_security_event is 'Notes what incidents are detected from, several times at once where they were added up. Called by triggers, Auth''s hooks and the edge functions.';

create function private.account_of_address(email_address text) returns uuid
language sql stable security definer set search_path = '' as $$
  select id from auth.users where email = lower(email_address) and deleted_at is null and not is_sso_user limit 1
$$;
comment on function private.account_of_address is 'The account with an email address; null when there is none. Called where a sign-in failed: the address itself is not kept.';

-- Auth calls it for each password of an account, right or wrong, with the address that the request claims.
create function private.password_verification_attempt(event jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  told text := event #>> '{metadata,ip_address}';
  address inet := case when pg_input_is_valid(told, 'inet') then told::inet end;
begin
  if not coalesce((event ->> 'valid')::boolean, false) then
    perform private.note_security_event('sign_in_failed', (event ->> 'user_id')::uuid, address, '{"reason": "wrong_password"}', 'auth');
  end if;
  -- What Auth itself says of wrong credentials: of accounts that do not exist it asks nobody, so that another answer would tell which do.
  if private.is_blocked(address) then
    return '{"decision": "reject", "message": "Invalid login credentials", "should_logout_user": false}';
  end if;
  return '{"decision": "continue"}';
end
$$;
comment on function private.password_verification_attempt is 'Password verification hook: notes failed sign-ins, also those that go straight to Auth, and refuses blocked addresses with the answer to wrong credentials. Called by Auth, as config.toml says.';

create table private.known_networks (
  network cidr not null constraint known_networks_pkey primary key,
  kind text not null constraint known_networks_kind_known check (kind = any (array['platform', 'campus'])),
  note text not null default '' constraint known_networks_note_length check (char_length(note) <= 200),
  -- A wider one would keep every address from being blocked. An IPv6 site has 48 bits, the largest networks of anybody 20.
  constraint known_networks_narrow check (
    masklen(network) >= case when family(network) = 4 then 8 when network <<= 'fc00::/6' then 7 else 20 end
  )
);
select private.describe('private.known_networks',
  'Networks that are never blocked: the platform''s own, which are no caller''s address, and those behind which a university''s people share addresses. An operator adds the latter.', $$
  network: The network, no wider than /8 of IPv4 or /20 of IPv6.
  kind: platform: nothing is counted by address. campus: thresholds that count by address are ten times as high.
  note: What it is, 200 characters at most.
$$);

insert into private.known_networks (network, kind, note)
values
  ('127.0.0.0/8', 'platform', 'This machine.'),
  ('::1/128', 'platform', 'This machine.'),
  ('10.0.0.0/8', 'platform', 'Private: a proxy of the platform.'),
  ('172.16.0.0/12', 'platform', 'Private: a proxy of the platform.'),
  ('192.168.0.0/16', 'platform', 'Private: a proxy of the platform.'),
  ('fc00::/7', 'platform', 'Private: a proxy of the platform.'),
  ('100.64.0.0/10', 'platform', 'Shared by customers of a provider (CGNAT), or a proxy of the platform.'),
  ('169.254.0.0/16', 'platform', 'Link-local.'),
  ('fe80::/10', 'platform', 'Link-local.'),
  ('0.0.0.0/8', 'platform', 'No address of anybody.'),
  ('::/128', 'platform', 'No address of anybody.');

select private.declare_data('private.known_networks', '{network, kind, note}', 'Networks that are never blocked.');
select private.declare_audited('private.known_networks', 'network');

create function private.network_kind(address inet) returns text
language sql stable set search_path = '' as $$
  select kind from private.known_networks where address <<= network order by masklen(network) desc limit 1
$$;
comment on function private.network_kind is 'What is known of the network of an address; null when nothing is. Called by detection and private.block_address.';

create function private.block_network(address inet) returns cidr
language sql immutable set search_path = '' as $$
  select case
    when family(address) = 4 then network(set_masklen(address, 32))
    when address <<= inet '::ffff:0:0/96' then network(set_masklen(replace(host(address), '::ffff:', '')::inet, 32))
    else network(set_masklen(address, 64))
  end
$$;
comment on function private.block_network is 'What is blocked with an address. Called where addresses are blocked, looked up and counted.';

-- A wider network is looked up by nobody: whoever wants to block one asks a security policy, which cannot lock out everybody.
create function private.why_not_blocked(network inet) returns text
language sql stable set search_path = '' as $$
  select case
    when masklen(network) < masklen(private.block_network(network)) and not network <<= inet '::ffff:0:0/96'
      or network <<= inet '::ffff:0:0/96' and masklen(network) < 128
      then 'Blocks are of one address, or of one IPv6 network of 64 bits. For a wider network, make a security policy with a condition on address.'
    when private.network_kind(network) is not null or private.network_kind(private.block_network(network)) is not null
      then 'This network is known, and is never blocked.'
  end
$$;
comment on function private.why_not_blocked is 'Why an address, or a network, is not blocked: it is wider than one caller''s, or the platform''s or a campus''s; null when it may be. Called by private.block_address and by the trigger on private.blocked_addresses.';
