create table public.buddy_verification_audit (
  id uuid not null default gen_random_uuid(),
  buddy_contact_id uuid,
  user_id uuid not null,
  event_type text not null,
  ip_address inet,
  user_agent text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  constraint buddy_verification_audit_pkey primary key (id),
  constraint buddy_verification_audit_buddy_contact_id_fkey foreign key (buddy_contact_id)
    references public.buddy_contacts (id) on delete set null,
  constraint buddy_verification_audit_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint buddy_verification_audit_event_type_known check (
    event_type in (
      'verification_sent', 'verification_resent', 'verification_accepted', 'verification_declined', 'verification_expired'
    )
  ),
  constraint buddy_verification_audit_user_agent_length check (char_length(user_agent) <= 500),
  constraint buddy_verification_audit_metadata_size check (jsonb_typeof(metadata) = 'object' and pg_column_size(metadata) <= 8192)
);
comment on table public.buddy_verification_audit is 'What became of each verification, as proof of what a contact agreed to.';
comment on column public.buddy_verification_audit.id is 'The entry.';
comment on column public.buddy_verification_audit.buddy_contact_id is 'The contact; null once it is deleted.';
comment on column public.buddy_verification_audit.user_id is 'The student.';
comment on column public.buddy_verification_audit.event_type is
  'verification_sent, verification_resent, verification_accepted, verification_declined or verification_expired.';
comment on column public.buddy_verification_audit.ip_address is 'Address that the decision came from; of a sent verification, the student''s.';
comment on column public.buddy_verification_audit.user_agent is 'Browser or app that it came from.';
comment on column public.buddy_verification_audit.metadata is
  'Of an acceptance: the wording agreed to, its version, the method and the last digits of the number; of a refusal: the reason, if one was given.';
comment on column public.buddy_verification_audit.created_at is 'When it happened.';
alter table public.buddy_verification_audit alter column user_id set statistics 0;
create index buddy_verification_audit_user_id_idx on public.buddy_verification_audit (user_id, created_at desc);
create index buddy_verification_audit_buddy_contact_id_idx on public.buddy_verification_audit (buddy_contact_id);

create table private.buddy_verification_sends (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  mailbox_hash text not null,
  sent_at timestamptz not null default now(),
  constraint buddy_verification_sends_pkey primary key (id),
  constraint buddy_verification_sends_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint buddy_verification_sends_mailbox_hash_form check (mailbox_hash ~ '^[0-9a-f]{64}$')
);
comment on table private.buddy_verification_sends is
  'Each verification email, by student and address, so that deleting a contact and adding it again lifts no limit.';
comment on column private.buddy_verification_sends.id is 'The email.';
comment on column private.buddy_verification_sends.user_id is 'The student.';
comment on column private.buddy_verification_sends.mailbox_hash is 'SHA-256 of the mailbox that the address leads to, under the project''s own key.';
comment on column private.buddy_verification_sends.sent_at is 'When it was queued.';
create index buddy_verification_sends_user_id_idx on private.buddy_verification_sends (user_id, mailbox_hash, sent_at desc);
