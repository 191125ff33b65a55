-- Who has one network of IPv6 has thousands of those that are counted and
-- blocked one by one, so many addresses of one rule are one incident.

create function private.wide_network(address inet) returns cidr
language sql immutable set search_path = '' as $$
  select network(set_masklen(n.block::inet, case family(n.block) when 4 then 24 else 48 end))
  from (select private.block_network(address) as block) n
$$;
comment on function private.wide_network is 'The network that one holder of many addresses is likely to have: 48 bits of IPv6, 24 of IPv4. Called where findings are grouped.';

create function private.resolved_for_address(prefix text, address inet) returns timestamptz
language sql stable set search_path = '' as $$
  select private.resolved_at(
    prefix || ':' || host(address),
    prefix || ':' || text(private.wide_network(address)),
    prefix || ':many addresses'
  )
$$;
comment on function private.resolved_for_address is 'When the last incident of an address was resolved, whether it was its own or one of many addresses. Called by private.detect_incidents.';

create function private.group_findings(found private.finding[]) returns setof private.finding
language sql stable set search_path = '' as $$
  with numbered as (
    select row_number() over () as number, f.* from unnest(found) f
  ),
  -- What has a severity of its own, such as a sign-in that succeeded, stands alone.
  by_address as (
    select f.number, f.rule, f.title, f.affected, f.addresses[1] as address, f.systems, p.prefix,
      private.wide_network(f.addresses[1]) as wide
    from numbered f
    cross join lateral (
      select left(f.key, length(f.key) - length(host(f.addresses[1])) - 1) as prefix
    ) p
    where f.severity is null and cardinality(f.addresses) = 1 and f.key = p.prefix || ':' || host(f.addresses[1])
  ),
  active as (
    select i.key from public.security_incidents i where i.ended_at is null
  ),
  sizes as (
    select b.prefix, count(*) as addresses, count(distinct b.wide) as networks from by_address b group by b.prefix
  ),
  -- What is grouped stays so while the incident is active, also when it becomes less.
  placed as (
    select b.*,
      case
        when s.networks > d.separate_networks or b.prefix || ':many addresses' in (select a.key from active a)
          then b.prefix || ':many addresses'
        when s.addresses > d.separate_networks and count(*) over (partition by b.prefix, b.wide) > 1
            or b.prefix || ':' || text(b.wide) in (select a.key from active a)
          then b.prefix || ':' || text(b.wide)
      end as group_key
    from by_address b
    join sizes s using (prefix)
    cross join private.detection_settings d
  ),
  grouped as (
    select p.group_key, p.rule, count(*) as addresses, count(distinct p.wide) as networks,
      max(replace(p.title, ' from one address', '')) as title,
      (array_agg(distinct p.wide))[:100] as wides,
      array_agg(distinct p.address) as all_addresses,
      array(
        select distinct a from placed q cross join unnest(q.affected) a where q.group_key = p.group_key order by a limit 1000
      ) as affected,
      max(p.systems[1]) as system
    from placed p
    where p.group_key is not null
    group by p.group_key, p.rule
  )
  select
    g.rule, g.group_key,
    g.title || case g.networks when 1 then ' from many addresses of one network' else ' from many addresses' end,
    format(
      '%s addresses in %s, each over the threshold of the rule within its period.',
      g.addresses, case g.networks when 1 then text(g.wides[1]) else g.networks || ' networks' end
    ),
    jsonb_build_object('grouped_addresses', g.addresses, 'networks', to_jsonb(g.wides)),
    g.affected, g.all_addresses,
    array[g.system],
    null::public.incident_type, null::public.incident_severity
  from grouped g
  union all
  select f.rule, f.key, f.title, f.description, f.evidence, f.affected, f.addresses, f.systems, f.type, f.severity
  from numbered f
  where not exists (select from placed p where p.number = f.number and p.group_key is not null)
$$;
comment on function private.group_findings is 'Findings, with those of many addresses of one rule made into one: up to detection_settings.separate_networks are left alone, of more those of one wide network become one, and those of more wide networks one in all. Called by private.detect_incidents.';
