alter table public.support_alerts enable row level security;
grant select on public.support_alerts to authenticated, service_role;

create policy "students see the alerts about them" on public.support_alerts
for select to authenticated
using (user_id = (select private.current_account()));
