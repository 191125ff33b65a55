alter table public.buddy_verification_audit enable row level security;
-- Not from where and with what a contact decided: that is proof for the operator, and tells a student where somebody is.
grant select (id, buddy_contact_id, user_id, event_type, metadata, created_at) on public.buddy_verification_audit to authenticated;
grant select on public.buddy_verification_audit to service_role;

create policy "students see the verifications of their contacts" on public.buddy_verification_audit
for select to authenticated
using (user_id = (select private.current_account()));
