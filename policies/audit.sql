alter table public.audit_logs enable row level security;

-- Only private.audit writes entries.
grant select on public.audit_logs to authenticated, service_role;
grant execute on function public.verify_audit_chain(bigint), private.verify_audit_log(bigint) to authenticated, service_role;
grant execute on function
  public.read_audit_log(bigint, public.audit_action, uuid, text, integer, timestamptz, timestamptz, text),
  private.audit_entries(bigint, public.audit_action, uuid, text, integer, timestamptz, timestamptz, text)
to authenticated;

create policy "security administrators read the audit log" on public.audit_logs
for select to authenticated
using ((select private.is_security_admin()));

grant execute on function
  public.log_access(public.audit_action, text, uuid, text, text, boolean, integer, integer, uuid),
  private.log_access(public.audit_action, text, uuid, text, text, boolean, integer, integer, uuid)
to authenticated;

grant execute on function
  private.accesses_to_own_data(bigint, integer),
  public.list_own_accesses(bigint, integer)
to authenticated;
