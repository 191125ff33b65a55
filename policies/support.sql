alter table public.buddy_contacts enable row level security;
alter table public.support_preferences enable row level security;

grant select, delete on public.buddy_contacts to authenticated;
grant insert (user_id, name, phone, email, relationship, notify_channel, is_active, priority_rank) on public.buddy_contacts
to authenticated;
grant update (name, phone, email, relationship, notify_channel, is_active, priority_rank) on public.buddy_contacts to authenticated;
select private.limit_bulk('public.buddy_contacts', 'insert', 'update', 'delete');
grant select on public.support_preferences to authenticated;
grant insert (user_id, alerts_paused_until, pass_on_all_right) on public.support_preferences to authenticated;
grant update (alerts_paused_until, pass_on_all_right) on public.support_preferences to authenticated;
grant select, insert, update, delete on public.buddy_contacts to service_role;
grant select, delete on public.support_preferences to service_role;
grant execute on function
  public.add_buddy(text, text, text, text, integer), private.add_contact(text, text, text, text, integer),
  public.update_buddy(uuid, text, text, text, text, boolean, integer),
  private.change_contact(uuid, text, text, text, text, boolean, integer),
  public.reorder_buddies(uuid[]), private.reorder_contacts(uuid[]),
  public.reset_buddy_verifications(uuid, text), private.reset_verifications(uuid, text)
to authenticated;

create policy "students see their own contacts" on public.buddy_contacts
for select to authenticated
using (user_id = (select private.current_account()));

create policy "students name their own contacts" on public.buddy_contacts
for insert to authenticated
with check (user_id = (select private.current_account()));

create policy "students change their own contacts" on public.buddy_contacts
for update to authenticated
using (user_id = (select private.current_account()))
with check (user_id = (select private.current_account()));

create policy "students delete their own contacts" on public.buddy_contacts
for delete to authenticated
using (user_id = (select private.current_account()));

create policy "students see their own preferences" on public.support_preferences
for select to authenticated
using (user_id = (select private.current_account()));

create policy "students set their own preferences" on public.support_preferences
for insert to authenticated
with check (user_id = (select private.current_account()));

create policy "students change their own preferences" on public.support_preferences
for update to authenticated
using (user_id = (select private.current_account()))
with check (user_id = (select private.current_account()));

alter table public.buddy_verification_audit enable row level security;
grant select on public.buddy_verification_audit to authenticated, service_role;

create policy "students see the verifications of their contacts" on public.buddy_verification_audit
for select to authenticated
using (user_id = (select private.current_account()));

alter table public.buddy_check_in_requests enable row level security;
grant select on public.buddy_check_in_requests to authenticated, service_role;

create policy "students see their own requests" on public.buddy_check_in_requests
for select to authenticated
using (user_id = (select private.current_account()));

alter table public.support_alerts enable row level security;
grant select on public.support_alerts to authenticated, service_role;

create policy "students see the alerts about them" on public.support_alerts
for select to authenticated
using (user_id = (select private.current_account()));

grant execute on function public.report_all_right(), private.report_all_right(timestamptz) to authenticated;
