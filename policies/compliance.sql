alter table public.compliance_controls enable row level security;
alter table public.compliance_assessments enable row level security;

-- Both are written by functions alone.
grant select on public.compliance_controls, public.compliance_assessments to authenticated, service_role;
grant execute on function
  public.assess_compliance(public.compliance_framework),
  private.request_assessment(public.compliance_framework),
  public.decide_control(text, public.compliance_status, text, jsonb),
  private.decide_control(text, public.compliance_status, text, jsonb),
  public.record_compliance_fact(text, timestamptz, text),
  private.record_compliance_fact(text, timestamptz, text),
  public.list_compliance_facts(),
  private.list_compliance_facts()
to authenticated;

create policy "security administrators see controls" on public.compliance_controls
for select to authenticated
using ((select private.is_security_admin()));

create policy "security administrators see assessments" on public.compliance_assessments
for select to authenticated
using ((select private.is_security_admin()));
