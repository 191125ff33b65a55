alter table public.assessment_sessions enable row level security;
alter table public.session_analyses enable row level security;
alter table public.session_scores enable row level security;

grant select, delete on public.assessment_sessions to authenticated;
grant insert (user_id, assessment_type, status, session_data) on public.assessment_sessions to authenticated;
grant update (status, session_data, updated_at) on public.assessment_sessions to authenticated;
select private.limit_bulk('public.assessment_sessions', 'insert', 'update', 'delete');
grant select, insert, update, delete on public.assessment_sessions to service_role;
grant select on public.session_analyses, public.session_scores to authenticated, service_role;

create policy "students see their own sessions" on public.assessment_sessions
for select to authenticated
using (user_id = (select private.current_account()));

create policy "students begin their own sessions" on public.assessment_sessions
for insert to authenticated
with check (user_id = (select private.current_account()));

create policy "students update their own sessions" on public.assessment_sessions
for update to authenticated
using (user_id = (select private.current_account()))
with check (user_id = (select private.current_account()));

create policy "students delete their own sessions" on public.assessment_sessions
for delete to authenticated
using (user_id = (select private.current_account()));

create policy "students see the analyses of their own sessions" on public.session_analyses
for select to authenticated
using (user_id = (select private.current_account()));

create policy "students see the scores of their own sessions" on public.session_scores
for select to authenticated
using (user_id = (select private.current_account()));

grant execute on function
  private.own_history(integer, timestamptz, uuid, integer),
  public.read_history(integer, timestamptz, uuid, integer)
to authenticated;
