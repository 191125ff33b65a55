alter table public.buddy_verification_audit enable row level security;
grant select on public.buddy_verification_audit to authenticated, service_role;

create policy "students see the verifications of their contacts" on public.buddy_verification_audit
for select to authenticated
using (user_id = (select private.current_account()));
