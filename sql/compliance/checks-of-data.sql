-- The automated checks of personal data, and of the proof of what was done with it. They are part of the schema, not settings.
-- Each query returns what is wrong, and no row when nothing is.
insert into private.compliance_checks (id, failure, title, expected, source, query)
values
  -- Personal data
  ('data_classified', 'partial', 'The inventory of personal data', 'Every column is classified.', null, $q$
    select name || ': ' || problem from private.personal_data_gaps()
  $q$),
  ('retention_kept', 'non_compliant', 'Data past its term', 'Nothing is kept two days longer than its term.', null, $q$
    with terms as (
      select kind, now() - keep - interval '2 days' as cutoff from private.retention_rules
    )
    select t.kind
    from terms t
    where case t.kind
      when 'raw_media' then exists (
        select
        from private.check_in_media m
        join checkin.check_ins c on c.id = m.check_in_id
        where m.created_at < t.cutoff and c.completed_at < t.cutoff
      )
      when 'transcripts' then exists (
        select
        from private.check_in_inputs i
        join checkin.check_ins c on c.id = i.check_in_id
        where i.transcript is not null and i.created_at < t.cutoff and c.completed_at < t.cutoff
      )
      when 'transcript_results' then exists (select from private.transcript_results r where r.created_at < t.cutoff)
      when 'results' then exists (
        select from (select c.status from checkin.check_ins c where c.created_at < t.cutoff order by c.created_at limit 1000) as oldest
        where status <> 'processing'
      )
      when 'sent_messages' then exists (
        select from private.outbox o where o.ended_at < t.cutoff and o.status in ('sent', 'cancelled')
      )
      when 'undelivered_messages' then exists (select from private.outbox o where o.ended_at < t.cutoff)
      when 'inbound_texts' then exists (select from private.inbound_texts i where i.received_at < t.cutoff)
      when 'exports' then exists (select from private.exports e where e.status = 'ready' and e.expires_at < now() - interval '2 days')
    end
  $q$),
  ('terms_short', 'partial', 'Terms of recordings and transcripts',
    'Recordings are kept for 90 days at most, transcripts for a year, what was not submitted for a week.', null, $q$
    select r.kind || ': ' || r.keep
    from private.retention_rules r
    join (
      values
        ('raw_media', interval '90 days'), ('transcripts', interval '1 year'), ('transcript_results', interval '1 year'),
        ('unfinished_uploads', interval '7 days')
    ) as most (kind, keep) on most.kind = r.kind
    where r.keep > most.keep
  $q$),
  ('records_kept', 'non_compliant', 'Terms of proof', 'The people of the audit log, and assessments, are kept for six years at least.', null, $q$
    select r.kind || ': ' || r.keep
    from private.retention_rules r
    where r.kind in ('audit_log', 'compliance_assessments') and r.keep < interval '6 years'
  $q$),
  ('erasures_in_time', 'non_compliant', 'Erasures', 'None takes longer than a day once it is final, unless the law holds it.', null, $q$
    select count(*) || ' late'
    from private.erasures e
    where e.final_at < now() - interval '24 hours' and not exists (select from private.legal_holds h where h.user_id = e.user_id)
    having count(*) > 0
  $q$),
  ('files_removed', 'partial', 'Removal of files', 'No file resists its removal for a day.', null, $q$
    select bucket || ': ' || count(*)
    from private.object_removals
    where attempts >= 5 and error_code is not null and created_at < now() - interval '24 hours'
    group by bucket
  $q$),
  ('exports_in_time', 'partial', 'Exports of personal data', 'Nobody waits for one longer than a day.', null, $q$
    select count(*) || ' late'
    from private.exports
    where status in ('queued', 'building') and created_at < now() - interval '24 hours'
    having count(*) > 0
  $q$),
  ('consent_before_use', 'non_compliant', 'Consent before use',
    'Each analysis was made while the consent to it was in force: the latest 1,000 check-ins of a week.', null, $q$
    with recent as materialized (
      select c.id, c.user_id
      from checkin.check_ins c
      where c.created_at > now() - interval '7 days'
      order by c.created_at desc
      limit 1000
    ),
    used as (
      select r.user_id, 'audio'::public.consent_kind as kind, a.created_at
      from recent r
      join checkin.audio_analysis a on a.check_in_id = r.id
      union all
      select r.user_id, 'camera', a.created_at
      from recent r
      join checkin.visual_analysis a on a.check_in_id = r.id
      union all
      select r.user_id, 'text', a.created_at
      from recent r
      join checkin.text_analysis a on a.check_in_id = r.id
    )
    select u.kind || ': ' || count(*) || ' without'
    from used u
    where not exists (
      select
      from public.consents c
      where c.user_id = u.user_id
        and c.kind = u.kind
        and c.granted_at <= u.created_at
        and (c.withdrawn_at is null or c.withdrawn_at >= u.created_at)
    )
    group by u.kind
  $q$),

  -- Proof of what was done
  ('audit_intact', 'non_compliant', 'The chain of the audit log', 'The latest 5,000 entries and all that was proved before are as they were written.', null, $q$
    select coalesce('entry ' || v.broken_at || ': ', '') || v.problem
    from (select coalesce(max(entries), 0) as entries from private.audit_head) h
    cross join lateral private.verify_audit_log(greatest(h.entries - 5000, 1)) v
    where not v.intact
    union all
    select 'entry ' || p.entries || ': was changed after it was proved'
    from private.audit_proof p
    where p.entries > 0
      and not exists (select from public.audit_logs e where e.id = p.entries and e.hash = p.hash)
  $q$),
  ('audit_verified', 'partial', 'Verification of the audit log', 'Every entry is verified within an hour.', null, $q$
    select 'entry ' || e.id || ' and those after it'
    from private.audit_proof p
    join public.audit_logs e on e.id = p.entries + 1
    where e.occurred_at < now() - interval '1 hour'
  $q$),
  ('audit_guarded', 'non_compliant', 'Guards of the audit log', 'Nobody changes, deletes or empties it.', null, $q$
    select missing from private.missing_audit_triggers(guarding => true) as missing
  $q$),
  ('changes_audited', 'non_compliant', 'What the audit log hears of', 'Changes of every table of this project are logged, or it is said why they need not be.', null, $q$
    select missing from private.missing_audit_triggers(guarding => false) as missing
  $q$),
  ('assessments_intact', 'non_compliant', 'Earlier assessments', 'The latest 50 are as the audit log has them.', null, $q$
    select a.id
    from (select * from public.compliance_assessments order by ended_at desc limit 50) as a
    where a.hash <> private.assessment_hash(a)
      or not exists (
        select
        from public.audit_logs e
        where e.target_type = 'compliance_assessments' and e.target_id = a.id and e.details ->> 'sha256' = encode(a.hash, 'hex')
      )
  $q$);
