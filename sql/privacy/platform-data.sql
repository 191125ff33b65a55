-- What the platform stores of its own tables, whose columns differ between its versions.
select private.declare_data('net.http_request_queue', '{*}', 'Webhooks that announce work by its id, until they are sent.',
  store => 'queue');
select private.declare_data('net._http_response', '{*}',
  'How functions answered webhooks: numbers and codes. pg_net deletes them after 6 hours.');
select private.declare_data('cron.job', '{*}', 'Which jobs run when.');
select private.declare_data('cron.job_run_details', '{*}', 'When jobs ran, and how they ended.', term => 'cron_runs');
select private.declare_purge('cron_runs', 'cron.job_run_details', 'd.end_time < $1', locked => false);
select private.declare_data('realtime.messages', '{*}', 'Progress and results, for the app that listens.', 'student', 'health',
  't.topic in (''support:'' || $1::text, ''account:'' || $1::text) or t.topic in (select ''check-in:'' || c.id from checkin.check_ins c where c.user_id = $1) or t.topic in (select ''assessment:'' || s.id from public.assessment_sessions s where s.user_id = $1)',
  term => 'channel_messages');
select private.declare_data('realtime.subscription', '{*}',
  'Which changes connected clients listen to, while they are connected.');
select private.declare_data('realtime.schema_migrations', '{*}', 'The platform''s own migrations.');
select private.declare_data('storage.migrations', '{*}', 'The platform''s own migrations.');
select private.declare_data('storage.objects', '{*}', 'The list of the files, with who uploaded each.', 'account', 'activity',
  't.owner_id = $1::text', erasure => 'keep',
  reason => 'A row is deleted with its file, as its bucket says. A file that a university shares keeps the id of who uploaded it, which leads nowhere once the account is deleted.');
select private.declare_data('storage.buckets', '{*}', 'Which buckets there are.');
select private.declare_data(relation, '{*}', 'Not used.')
from unnest('{
  storage.buckets_analytics, storage.buckets_vectors, storage.vector_indexes, storage.iceberg_namespaces,
  storage.iceberg_tables
}'::text[]) as relation;
select private.declare_data('storage.prefixes', '{*}', 'The folders of the files, as some versions of Storage keep them.',
  'student', 'activity', 't.name = $1::text or starts_with(t.name, $1::text || ''/'')', erasure => 'keep',
  reason => 'Storage itself deletes a folder with its last file.');
select private.declare_data('storage.s3_multipart_uploads', '{*}', 'Uploads in parts that are not finished.', 'account',
  'activity', 't.owner_id = $1::text or private.account_of_object(t.bucket_id, t.key) = $1');
select private.declare_data('storage.s3_multipart_uploads_parts', '{*}', 'Parts of uploads that are not finished.', 'account',
  'activity', 't.owner_id = $1::text or private.account_of_object(t.bucket_id, t.key) = $1');
select private.declare_data('auth.users', '{*}', 'To sign in.', 'account', 'credentials', 't.id = $1',
  exported => '{id, email, phone, email_confirmed_at, phone_confirmed_at, created_at, updated_at, last_sign_in_at}');
select private.declare_data('auth.identities', '{*}', 'How the account signs in.', 'account', 'identity', 't.user_id = $1',
  exported => '{user_id, provider, email, created_at, updated_at, last_sign_in_at}');
select private.declare_data('auth.sessions', '{*}', 'Where the account is signed in, with address and browser.', 'account',
  'activity', 't.user_id = $1',
  exported => '{id, user_id, created_at, updated_at, aal, not_after, user_agent, ip}');
select private.declare_data('auth.mfa_factors', '{*}', 'Second factors.', 'account', 'credentials', 't.user_id = $1',
  exported => '{id, user_id, friendly_name, factor_type, status, created_at}');
select private.declare_data('auth.one_time_tokens', '{*}', 'Hashes of the links in emails.', 'account', 'credentials',
  't.user_id = $1');
select private.declare_data('auth.flow_state', '{*}', 'Sign-ins that have begun.', 'account', 'credentials', 't.user_id = $1');
select private.declare_data('auth.oauth_authorizations', '{*}', 'Apps that ask to sign in with the account.', 'account',
  'activity', 't.user_id = $1');
select private.declare_data('auth.oauth_consents', '{*}', 'Apps that may sign in with the account.', 'account', 'choices',
  't.user_id = $1',
  exported => '{user_id, client_id, scopes, granted_at, revoked_at}');
select private.declare_data('auth.webauthn_credentials', '{*}', 'Passkeys.', 'account', 'credentials', 't.user_id = $1');
select private.declare_data('auth.webauthn_challenges', '{*}', 'Sign-ins with a passkey that have begun.', 'account',
  'credentials', 't.user_id = $1');
select private.declare_data('auth.refresh_tokens', '{*}', 'To stay signed in.', 'account', 'credentials', 't.user_id = $1::text');
select private.declare_data('auth.mfa_amr_claims', '{*}', 'How each session was signed in.', 'account', 'activity',
  't.session_id in (select s.id from auth.sessions s where s.user_id = $1)');
select private.declare_data('auth.mfa_challenges', '{*}', 'Second factors that were asked for.', 'account', 'credentials',
  't.factor_id in (select f.id from auth.mfa_factors f where f.user_id = $1)');
select private.declare_data('auth.audit_log_entries', '{*}', 'What Auth logs of sign-ins.', 'account', 'activity',
  'strpos(t.payload::text, $1::text) > 0', term => 'sign_in_log',
  exported => '{id, payload, created_at, ip_address}');
select private.declare_purge('sign_in_log', 'auth.audit_log_entries', 'd.created_at < $1', locked => false);
select private.declare_data(relation, '{*}', 'The platform''s own settings and progress.')
from unnest('{
  auth.instances, auth.schema_migrations, auth.saml_providers, auth.saml_relay_states, auth.sso_providers,
  auth.sso_domains, auth.oauth_clients, auth.oauth_client_states, auth.custom_oauth_providers
}'::text[]) as relation;
select private.declare_data('vault.secrets', '{*}', 'The project''s own secrets, encrypted.');
select private.declare_data('vault.local_key', '{*}', 'The key of the local stack''s vault.');
select private.declare_data(relation, '{*}', 'The platform''s own records.')
from unnest('{
  supabase_migrations.schema_migrations, supabase_migrations.seed_files, supabase_functions.hooks,
  supabase_functions.migrations
}'::text[]) as relation;
