alter table public.vulnerabilities enable row level security;

grant select on public.vulnerabilities to authenticated, service_role;
grant execute on function
  public.accept_vulnerability(text, text, timestamptz),
  private.accept_vulnerability(text, text, timestamptz)
to authenticated;
grant execute on function
  public.security_test_statistics(),
  private.security_test_statistics()
to authenticated, service_role;

create policy "security administrators see vulnerabilities" on public.vulnerabilities
for select to authenticated
using ((select private.is_security_admin()));
