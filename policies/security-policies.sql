alter table public.security_policies enable row level security;

grant select on public.security_policies to authenticated, service_role;
grant insert (name, category, type, conditions, actions, enforcement_points, priority, enabled, dry_run) on public.security_policies
to authenticated;
grant update (name, category, type, conditions, actions, enforcement_points, priority, enabled, dry_run) on public.security_policies
to authenticated;
select private.limit_bulk('public.security_policies', 'insert', 'update');

create policy "security administrators see policies" on public.security_policies
for select to authenticated
using ((select private.is_security_admin()));

create policy "security administrators create policies" on public.security_policies
for insert to authenticated
with check ((select private.is_security_admin()));

create policy "security administrators change policies" on public.security_policies
for update to authenticated
using ((select private.is_security_admin()))
with check ((select private.is_security_admin()));

grant execute on function
  public.evaluate_policies(jsonb, public.enforcement_point, boolean),
  private.try_policies(jsonb, public.enforcement_point, boolean),
  public.policy_statistics(),
  private.policy_statistics(),
  public.preview_policy(jsonb, jsonb, public.enforcement_point[], interval),
  private.preview_policy(jsonb, jsonb, public.enforcement_point[], interval),
  public.policy_grammar(),
  private.policy_grammar()
to authenticated;

grant execute on function private.enforce_at_sign_in(jsonb, inet) to supabase_auth_admin;
