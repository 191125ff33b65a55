alter table public.audit_logs enable row level security;

-- Only private.audit writes entries.
grant select on public.audit_logs to authenticated, service_role;
grant execute on function public.verify_audit_chain(bigint), private.audit_chain_state(bigint) to authenticated, service_role;

create policy "security administrators read the audit log" on public.audit_logs
for select to authenticated
using ((select private.is_security_admin()));
