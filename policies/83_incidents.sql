alter table public.security_incidents enable row level security;

-- Incidents are changed through functions, which keep their timelines.
grant select on public.security_incidents to authenticated, service_role;

create policy "security administrators see incidents" on public.security_incidents
for select to authenticated
using ((select private.is_security_admin()));
