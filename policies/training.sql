alter table public.training_modules enable row level security;
alter table public.training_assignments enable row level security;

-- Modules are stored through a function, which takes their answers to the schema private.
grant select on public.training_modules, public.training_assignments to authenticated, service_role;
grant update (mandatory, published) on public.training_modules to authenticated;
select private.limit_bulk('public.training_modules', 'update');
grant insert (module_id, user_id, role, due_days) on public.training_assignments to authenticated;
grant update (due_days) on public.training_assignments to authenticated;
grant delete on public.training_assignments to authenticated;
select private.limit_bulk('public.training_assignments', 'insert', 'update', 'delete');
grant execute on function
  public.create_training_module(jsonb),
  private.create_training_module(jsonb),
  public.list_training_questions(text),
  private.list_training_questions(text),
  public.assign_training(text, text, public.app_role, integer),
  private.assign_training(text, text, public.app_role, integer),
  public.list_training_assignments(text),
  private.list_training_assignments(text),
  private.sees_training()
to authenticated;

create policy "staff see published modules, security administrators all" on public.training_modules
for select to authenticated
using ((published and (select private.sees_training())) or (select private.is_security_admin()));

create policy "security administrators publish modules and make them mandatory" on public.training_modules
for update to authenticated
using ((select private.is_security_admin()))
with check ((select private.is_security_admin()));

create policy "people see what they are assigned by name, security administrators all" on public.training_assignments
for select to authenticated
using (user_id = (select private.current_account()) or (select private.is_security_admin()));

create policy "security administrators assign modules" on public.training_assignments
for insert to authenticated
with check ((select private.is_security_admin()));

create policy "security administrators change when modules are due" on public.training_assignments
for update to authenticated
using ((select private.is_security_admin()))
with check ((select private.is_security_admin()));

create policy "security administrators withdraw assignments" on public.training_assignments
for delete to authenticated
using ((select private.is_security_admin()));

alter table public.training_progress enable row level security;
alter table public.training_attempts enable row level security;
alter table public.training_certificates enable row level security;

grant select on public.training_progress, public.training_attempts, public.training_certificates to authenticated, service_role;
grant execute on function
  public.read_training_sections(text, text[]),
  public.start_training_attempt(text),
  public.submit_training_attempt(text, jsonb),
  private.read_training_sections(text, text[]),
  private.start_training_attempt(text),
  private.submit_training_attempt(text, jsonb)
to authenticated;

create policy "learners see their own progress, security administrators all" on public.training_progress
for select to authenticated
using (user_id = (select private.current_account()) or (select private.is_security_admin()));

create policy "learners see their own attempts, security administrators all" on public.training_attempts
for select to authenticated
using (user_id = (select private.current_account()) or (select private.is_security_admin()));

create policy "learners see their own certificates, security administrators all" on public.training_certificates
for select to authenticated
using (user_id = (select private.current_account()) or (select private.is_security_admin()));

grant execute on function
  public.my_training(),
  private.my_training(timestamptz),
  public.list_training_learners(text, text, integer, integer),
  private.list_training_learners(text, text, integer, integer)
to authenticated;
grant execute on function
  public.training_statistics(),
  private.training_statistics(timestamptz)
to authenticated, service_role;
