alter table public.buddy_check_in_requests enable row level security;
grant select on public.buddy_check_in_requests to authenticated, service_role;

create policy "students see their own requests" on public.buddy_check_in_requests
for select to authenticated
using (user_id = (select private.current_account()));
