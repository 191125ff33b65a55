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
