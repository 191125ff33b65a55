import { expect, inject, test } from 'vitest'
import { withDatabase } from '../../harness/stack/project.ts'

/** Columns without a check of their own, and what holds them to the form that their readers rely on. */
const HELD_OTHERWISE: Readonly<Record<string, string>> = {
  'public.security_policies.conditions': 'the trigger compile_policy',
  'public.security_policies.actions': 'the trigger compile_policy',
  'private.enabled_policies.actions': 'written by the trigger compile_policy alone',
  'public.training_modules.content': 'the trigger prepare_training_module',
  'public.training_modules.assessments': 'the trigger prepare_training_module',
  'private.training_versions.content': 'written by the trigger keep_training_version alone',
  'private.training_papers.questions': 'drawn from the questions when an attempt begins',
  'private.training_papers.answers': 'checked by submit_training_attempt',
  'public.consents.deleted': 'set by the trigger guard_consent',
  'public.audit_logs.before': 'the audit log is never changed',
  'public.audit_logs.after': 'the audit log is never changed',
  'private.changes_to_audit.before': 'written by the triggers of the audit log alone',
  'private.changes_to_audit.after': 'written by the triggers of the audit log alone',
  'private.changes_to_audit.details': 'written by the triggers of the audit log alone',
  'private.security_events.details': 'nothing but whether a member is there is read',
  'private.analysis_jobs.input': 'read by a schema of the worker, whose failure is that of the job',
  'private.analysis_jobs.outcome': 'read by a schema of the worker, whose failure is that of the job',
  'private.metric_counts.labels': 'part of the key, written by count_metric',
  'private.erasure_receipts.counts': 'bound by the checksum of the receipt',
  'checkin.audio_analysis.replicates':
    'null, or what the same transaction stores beside it; read where it can be',
  'checkin.visual_analysis.replicates':
    'null, or what the same transaction stores beside it; read where it can be',
  'checkin.text_analysis.replicates':
    'null, or what the same transaction stores beside it; read where it can be',
}

test('every column of JSON has a check of its form, or a reason why it needs none', async () => {
  const unchecked = await withDatabase(
    inject('project'),
    (sql) => sql<{ name: string }[]>`
      select n.nspname || '.' || c.relname || '.' || a.attname as name
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
      join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'checkin', 'private')
      where a.atttypid = 'jsonb'::regtype and not a.attisdropped
        and not exists (
          select from pg_constraint k
          where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey) 
            and (k.conname !~ '_size$' or pg_get_constraintdef(k.oid) ~ 'jsonb_typeof')
        )`,
  )
  expect(unchecked.map(({ name }) => name).sort()).toEqual(Object.keys(HELD_OTHERWISE).sort())
})
