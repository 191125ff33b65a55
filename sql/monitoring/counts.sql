create table private.metric_counts (
  id bigint generated always as identity,
  name text not null,
  labels jsonb not null,
  occurrences bigint not null,
  total double precision not null,
  constraint metric_counts_pkey primary key (id)
)
with (fillfactor = 50);
select private.describe('private.metric_counts', 'What private.metrics counts that no row tells later: several rows for one count, which are added up, so that no two transactions wait for one.', $$
  id: The row.
  name: What is counted.
  labels: Which of it; never whose. Example: {"worker": "pipeline-audio"}
  occurrences: How often it happened.
  total: Sum of the amounts.
$$);
create index metric_counts_name_labels_idx on private.metric_counts (name, labels);

select private.declare_unaudited('private.metric_counts', 'Counters.');
select private.declare_data('private.metric_counts', '{id, name, labels, occurrences, total}',
  'How often things happened in the whole service, for its operator.');

-- There come to be as many rows of a count as transactions counted it at the same time.
create function private.count_metric(counted text, of_labels jsonb default '{}', amount double precision default 0) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update private.metric_counts c
  set occurrences = c.occurrences + 1, total = c.total + amount
  where c.id = (
    select f.id
    from private.metric_counts f
    where f.name = counted and f.labels = of_labels
    order by f.id
    limit 1
    for update skip locked
  );
  if not found then
    insert into private.metric_counts (name, labels, occurrences, total) values (counted, of_labels, 1, amount);
  end if;
end
$$;
comment on function private.count_metric is 'Counts what happened, when its transaction commits, and never waits. Called where something happens that private.metrics counts.';
