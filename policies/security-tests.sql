alter table public.security_tests enable row level security;
alter table public.security_test_runs enable row level security;
alter table public.security_test_results enable row level security;

grant select on public.security_tests, public.security_test_runs, public.security_test_results to authenticated, service_role;
grant execute on function
  public.create_security_test(text, public.security_probe[], public.security_test_schedule),
  private.create_security_test(text, public.security_probe[], public.security_test_schedule),
  public.list_security_tests(),
  private.list_security_tests(),
  public.change_security_test(text, text, public.security_probe[], public.security_test_schedule, boolean),
  private.change_security_test(text, text, public.security_probe[], public.security_test_schedule, boolean),
  public.execute_security_test(text),
  private.execute_security_test(text)
to authenticated;
grant execute on function private.custom_token_expiry(uuid, bigint) to supabase_auth_admin;

create policy "security administrators see security tests" on public.security_tests
for select to authenticated
using ((select private.is_security_admin()));

create policy "security administrators see runs of security tests" on public.security_test_runs
for select to authenticated
using ((select private.is_security_admin()));

create policy "security administrators see what probes found" on public.security_test_results
for select to authenticated
using ((select private.is_security_admin()));

alter table public.vulnerabilities enable row level security;

grant select on public.vulnerabilities to authenticated, service_role;
grant execute on function
  public.reopen_vulnerability(text),
  private.reopen_vulnerability(text),
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
