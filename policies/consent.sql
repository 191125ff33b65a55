alter table public.consents enable row level security;

grant select, insert (user_id, kind, version), update (withdrawn_at, keep_results) on public.consents to authenticated;
select private.limit_bulk('public.consents', 'insert', 'update');
grant select, update (withdrawn_at, keep_results) on public.consents to service_role;

create policy "students see their own consents" on public.consents
for select to authenticated
using (user_id = (select private.current_account()));

create policy "students grant their own consents" on public.consents
for insert to authenticated
with check (user_id = (select private.current_account()));

create policy "students withdraw their own consents" on public.consents
for update to authenticated
using (user_id = (select private.current_account()) and withdrawn_at is null)
with check (user_id = (select private.current_account()));

grant execute on function
  private.withdraw_own_consent(public.consent_kind, boolean),
  public.withdraw_consent(public.consent_kind, boolean),
  private.own_consent_status(),
  public.consent_status(),
  private.grant_own_consents(public.consent_kind[], text),
  public.grant_consents(public.consent_kind[], text),
  private.publish_consent_text(public.consent_kind, text, text, text, text, timestamptz),
  public.publish_consent_text(public.consent_kind, text, text, text, text, timestamptz)
to authenticated;

alter table public.consent_texts enable row level security;

grant select on public.consent_texts to authenticated, service_role;

create policy "people see the texts in effect, security administrators all" on public.consent_texts
for select to authenticated
using (
  (select private.current_account()) is not null and effective_from <= now() or (select private.is_security_admin())
);
