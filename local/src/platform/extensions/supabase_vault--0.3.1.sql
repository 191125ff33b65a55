-- The SQL interface of Supabase Vault 0.3 over pgcrypto. The key lies in the same database: it keeps secrets out
-- of dumps of vault.secrets and protects nothing else.

create table vault.local_key (key text not null);
insert into vault.local_key values (encode(@extschema:pgcrypto@.gen_random_bytes(32), 'hex'));

create table vault.secrets (
  id uuid not null default gen_random_uuid(),
  name text,
  description text not null default '',
  secret text not null,
  key_id uuid,
  nonce bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint secrets_pkey primary key (id)
);
comment on table vault.secrets is 'Secrets, encrypted; read them from vault.decrypted_secrets.';
create unique index secrets_name_idx on vault.secrets (name) where name is not null;

-- The key is random, not a password: without the iterations that slow down guesses, since every webhook reads two secrets.
create function vault.local_encrypt(plain text)
returns text
language sql
security definer
set search_path = ''
as $$
  select encode(@extschema:pgcrypto@.pgp_sym_encrypt(plain, key, 's2k-mode=1'), 'base64') from vault.local_key
$$;

create function vault.local_decrypt(encrypted text)
returns text
language sql
stable
security definer
set search_path = ''
as $$
  select @extschema:pgcrypto@.pgp_sym_decrypt(decode(encrypted, 'base64'), key) from vault.local_key
$$;

create view vault.decrypted_secrets as
select
  id,
  name,
  description,
  secret,
  vault.local_decrypt(secret) as decrypted_secret,
  key_id,
  nonce,
  created_at,
  updated_at
from vault.secrets;

create function vault.create_secret(
  new_secret text,
  new_name text default null,
  new_description text default '',
  new_key_id uuid default null
)
returns uuid
language sql
security definer
set search_path = ''
as $$
  insert into vault.secrets (secret, name, description)
  values (vault.local_encrypt(new_secret), new_name, new_description)
  returning id
$$;

create function vault.update_secret(
  secret_id uuid,
  new_secret text default null,
  new_name text default null,
  new_description text default null,
  new_key_id uuid default null
)
returns void
language sql
security definer
set search_path = ''
as $$
  update vault.secrets
  set
    secret = coalesce(vault.local_encrypt(new_secret), secret),
    name = coalesce(new_name, name),
    description = coalesce(new_description, description),
    updated_at = now()
  where id = secret_id
$$;

revoke all on function vault.local_encrypt(text), vault.local_decrypt(text) from public;
revoke all on function vault.create_secret(text, text, text, uuid) from public;
revoke all on function vault.update_secret(uuid, text, text, text, uuid) from public;
grant usage on schema vault to postgres with grant option;
grant usage on schema vault to service_role;
grant select, delete on vault.secrets, vault.decrypted_secrets to postgres with grant option;
grant select, delete on vault.secrets, vault.decrypted_secrets to service_role;
grant execute on function
  vault.create_secret(text, text, text, uuid),
  vault.update_secret(uuid, text, text, text, uuid),
  vault.local_decrypt(text)
to postgres with grant option;
grant execute on function
  vault.create_secret(text, text, text, uuid),
  vault.update_secret(uuid, text, text, text, uuid),
  vault.local_decrypt(text)
to service_role;
