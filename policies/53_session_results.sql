alter table public.session_analyses enable row level security;
alter table public.session_scores enable row level security;

grant select on public.session_analyses, public.session_scores to authenticated, service_role;

create policy "students see the analyses of their own sessions" on public.session_analyses
for select to authenticated
using (user_id = (select auth.uid()));

create policy "students see the scores of their own sessions" on public.session_scores
for select to authenticated
using (user_id = (select auth.uid()));
