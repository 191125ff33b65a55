-- The grammar of conditions is in docs/security-policies.md; a condition is
-- compiled to a jsonpath predicate, which Postgres evaluates in a microsecond.

-- The fields of the grammar. A choice is one of a closed list; a set has several values of a request at once.
create function private.policy_fields()
returns table (field text, kind text, choices text[])
language sql immutable set search_path = '' as $$
  values
    ('service', 'text', '{functions,rest,storage,realtime,auth}'::text[]),
    ('function', 'text', null),
    ('method', 'text', '{GET,HEAD,POST,PUT,PATCH,DELETE}'),
    ('path', 'text', null),
    ('address', 'address', null),
    ('network', 'text', '{campus,platform,other}'),
    ('user_agent', 'text', null),
    ('signed_in', 'flag', null),
    ('role', 'set', '{student,counselor,university_admin,security_admin}'),
    ('university', 'set', null),
    ('aal', 'text', '{aal1,aal2}'),
    ('sign_in_method', 'text', null),
    ('account_age', 'number', null),
    ('hour', 'number', null),
    ('weekday', 'number', null)
$$;
comment on function private.policy_fields is 'The fields that conditions may compare, with their kind (text, set, number, flag, address) and, where the values are closed, these. docs/security-policies.md says what they mean. Called by the check of conditions.';

create function private.policy_operators(kind text, is_closed boolean) returns text[]
language sql immutable set search_path = '' as $$
  select case kind
    when 'flag' then '{eq}'
    when 'number' then '{eq,ne,lt,lte,gt,gte,in,not_in,exists}'
    when 'address' then '{in,not_in,exists}'
    when 'text' then case when is_closed then '{eq,ne,in,not_in,exists}' else '{eq,ne,in,not_in,starts_with,contains,exists}' end
    else '{eq,ne,in,not_in,exists}'
  end::text[]
$$;
comment on function private.policy_operators is 'How fields of a kind, with closed values or any, may be compared. Called by the check of conditions and by private.policy_grammar.';

create function private.countable_events() returns text[]
language sql immutable set search_path = '' as $$
  select '{sign_in_failed,sign_in_succeeded,token_refused,access_refused,rate_limited,link_refused,students_read,data_exported}'::text[]
$$;
comment on function private.countable_events is 'The kinds of private.security_events that conditions may count. Called by the check of conditions and by private.policy_grammar.';

create function private.address_digits(address inet) returns text
language plpgsql immutable set search_path = '' as $$
begin
  -- The bytes of an address follow four of header.
  return case family(address) when 4 then '00000000000000000000ffff' else '' end
    || encode(substring(inet_send(host(address)::inet) from 5), 'hex');
end
$$;
comment on function private.address_digits is 'An address as 32 hexadecimal digits, an IPv4 one as it is mapped into IPv6, so that networks are ranges of texts. Called where conditions and facts are compiled.';

create function private.refuse_policy(place text, problem text) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.refuse(400, 'policy_invalid', format('Check %s: %s. See docs/security-policies.md.', left(place, 200), problem));
end
$$;
comment on function private.refuse_policy is 'The error of a policy that cannot be stored, with where and why. Called by what compiles policies.';

-- Written into a predicate as a JSON text, which is how jsonpath writes its literals: nothing in it can end the literal.
create function private.policy_literal(value jsonb, kind text, choices text[], place text) returns text
language plpgsql stable set search_path = '' as $$
declare
  given constant text := value #>> '{}';
begin
  case kind
    when 'number' then
      if jsonb_typeof(value) <> 'number' or abs(given::numeric) > 1000000000 or char_length(given) > 20 then
        perform private.refuse_policy(place, 'it is a number of up to 1000000000 on either side of 0');
      end if;
      return given;
    when 'address' then
      if jsonb_typeof(value) <> 'string' or not pg_input_is_valid(given, 'inet') then
        perform private.refuse_policy(place, 'it is an address or a network such as 192.0.2.0/24');
      end if;
      return given;
    else
      if jsonb_typeof(value) <> 'string' or char_length(given) not between 1 and 200 or given ~ '[[:cntrl:]]' then
        perform private.refuse_policy(place, 'it is a text of 1 to 200 characters');
      end if;
      if given <> all (choices) then
        perform private.refuse_policy(place, 'it is one of ' || array_to_string(choices, ', '));
      end if;
      return value::text;
  end case;
end
$$;
comment on function private.policy_literal is 'A value of a condition as it is written into a predicate, or an error. Called by private.compile_comparison.';

create function private.compile_comparison(condition jsonb, place text) returns text
language plpgsql stable set search_path = '' as $$
declare
  named constant text := condition ->> 'field';
  op constant text := condition ->> 'op';
  value constant jsonb := condition -> 'value';
  known record;
  operators text[];
  given jsonb;
  operand text;
  comparisons text[];
begin
  select * into known from private.policy_fields() f where f.field = named and jsonb_typeof(condition -> 'field') = 'string';
  if not found then
    perform private.refuse_policy(place || '.field', 'it is one of ' || (select string_agg(field, ', ') from private.policy_fields()));
  end if;
  operators := private.policy_operators(known.kind, known.choices is not null);
  if jsonb_typeof(condition -> 'op') <> 'string' or op <> all (operators) then
    perform private.refuse_policy(place || '.op', format('for %s it is one of %s', known.field, array_to_string(operators, ', ')));
  end if;
  operand := '$.' || known.field || case known.kind when 'set' then '[*]' when 'address' then '_digits' else '' end;

  if op = 'exists' or known.kind = 'flag' then
    if jsonb_typeof(value) <> 'boolean' then
      perform private.refuse_policy(place || '.value', 'it is true or false');
    end if;
    return case
      when known.kind = 'flag' then format('%s == %s', operand, value)
      else case when value = 'false' then '!' else '' end || format('exists(%s)', operand)
    end;
  end if;

  if op in ('in', 'not_in') then
    if jsonb_typeof(value) <> 'array' or jsonb_array_length(value) not between 1 and 100 then
      perform private.refuse_policy(place || '.value', 'it is a list of 1 to 100 values');
    end if;
    given := value;
  else
    given := jsonb_build_array(value);
  end if;
  select array_agg(
    case
      when known.kind = 'address' then
        format(
          '(%1$s >= "%2$s" && %1$s <= "%3$s")',
          operand, private.address_digits(network(l.literal::inet)), private.address_digits(broadcast(l.literal::inet))
        )
      when op = 'starts_with' then format('%s starts with %s', operand, l.literal)
      when op = 'contains' then format('%s like_regex %s flag "q"', operand, l.literal)
      when op in ('lt', 'lte', 'gt', 'gte') then
        format('%s %s %s', operand, case op when 'lt' then '<' when 'lte' then '<=' when 'gt' then '>' else '>=' end, l.literal)
      else format('%s == %s', operand, l.literal)
    end
  )
  into comparisons
  from jsonb_array_elements(given) with ordinality as v (value, position)
  cross join lateral (
    select private.policy_literal(
      v.value, known.kind, known.choices,
      place || '.value' || case when op in ('in', 'not_in') then format('[%s]', v.position - 1) else '' end
    ) as literal
  ) as l;
  return case
    -- What is not known is neither equal nor unequal.
    when op in ('ne', 'not_in') then
      format('(exists(%s) && !(%s))', replace(operand, '[*]', ''), array_to_string(comparisons, ' || '))
    else '(' || array_to_string(comparisons, ' || ') || ')'
  end;
end
$$;
comment on function private.compile_comparison is 'A comparison {field, op, value} as a jsonpath predicate, or an error. Called by private.compile_condition.';

create function private.policy_count_key(condition jsonb) returns text
language sql immutable set search_path = '' as $$
  select format('%s of %s by %s within %s', condition ->> 'count', condition ->> 'of', condition ->> 'by', condition ->> 'within')
$$;
comment on function private.policy_count_key is 'What a compiled condition calls a count {count, of, by, within}. Called where counts are compiled and stored.';

create function private.is_integer_between(value jsonb, least_value integer, greatest_value integer) returns boolean
language sql immutable set search_path = '' as $$
  select case when jsonb_typeof(value) = 'number' and value::text ~ '^-?\d{1,9}$' then (value #>> '{}')::integer between least_value and greatest_value end
$$;
comment on function private.is_integer_between is 'Whether a value is a whole number within a range, both ends included; null when it is no whole number. Called where policies are compiled.';

create function private.compile_count(condition jsonb, place text) returns text
language plpgsql stable set search_path = '' as $$
declare
  kinds constant text[] := private.countable_events();
begin
  if not coalesce(private.is_integer_between(condition -> 'count', 1, 1000), false) then
    perform private.refuse_policy(place || '.count', 'it is a whole number from 1 to 1000');
  end if;
  if not coalesce(private.is_integer_between(condition -> 'within', 60, 86400), false) then
    perform private.refuse_policy(place || '.within', 'it is a whole number of seconds from 60 to 86400');
  end if;
  if jsonb_typeof(condition -> 'by') <> 'string' or condition ->> 'by' not in ('address', 'account') then
    perform private.refuse_policy(place || '.by', 'it is one of address, account');
  end if;
  if jsonb_typeof(condition -> 'of') <> 'string' or condition ->> 'of' <> all (kinds) then
    perform private.refuse_policy(place || '.of', 'it is one of ' || array_to_string(kinds, ', '));
  end if;
  return format('$.reached[*] == "%s"', private.policy_count_key(condition));
end
$$;
comment on function private.compile_count is 'A count {count, of, by, within} as a jsonpath predicate, or an error. Called by private.compile_condition.';

-- Every branch is delimited, so that a predicate can stand anywhere in another.
create function private.compile_condition(condition jsonb, place text default 'conditions', depth integer default 1) returns text
language plpgsql stable set search_path = '' as $$
declare
  members text[];
  operands jsonb;
  predicates text[];
begin
  if depth > 8 then
    perform private.refuse_policy(place, 'conditions are nested more than 8 levels deep');
  end if;
  if jsonb_typeof(condition) is distinct from 'object' then
    perform private.refuse_policy(place, 'it is an object');
  end if;
  members := array(select k from jsonb_object_keys(condition) as k order by k);
  case
    when members = '{field,op,value}' then
      return private.compile_comparison(condition, place);
    when members = '{by,count,of,within}' then
      return '(' || private.compile_count(condition, place) || ')';
    when members = '{not}' then
      return '(!(' || private.compile_condition(condition -> 'not', place || '.not', depth + 1) || '))';
    when members in ('{all}', '{any}') then
      place := place || '.' || members[1];
      operands := condition -> members[1];
      if jsonb_typeof(operands) <> 'array' or jsonb_array_length(operands) not between 1 and 50 then
        perform private.refuse_policy(place, 'it is a list of 1 to 50 conditions');
      end if;
      select array_agg(private.compile_condition(o.operand, format('%s[%s]', place, o.position - 1), depth + 1) order by o.position)
      into predicates
      from jsonb_array_elements(operands) with ordinality as o (operand, position);
      return '(' || array_to_string(predicates, case members[1] when 'all' then ' && ' else ' || ' end) || ')';
    else
      perform private.refuse_policy(place, 'its members are all, any, not, or field, op and value, or count, of, by and within');
  end case;
  return null;
end
$$;
comment on function private.compile_condition is 'A condition of the grammar as a jsonpath predicate on the facts of a request, or error 400 policy_invalid that says where and why. Called where policies are stored and explained.';

create function private.condition_holds(condition jsonb, facts jsonb) returns boolean
language sql stable set search_path = '' as $$
  select jsonb_path_match(facts, private.compile_condition(condition)::jsonpath)
$$;
comment on function private.condition_holds is 'Whether a condition holds for facts as private.policy_facts gives them. Called by what explains policies.';

create function private.explain_condition(condition jsonb, facts jsonb) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('holds', coalesce(private.condition_holds(condition, facts), false)) || case
    when condition ? 'not' then jsonb_build_object('not', private.explain_condition(condition -> 'not', facts))
    when condition ? 'all' or condition ? 'any' then (
      select jsonb_build_object(k, (
        select jsonb_agg(private.explain_condition(o.operand, facts) order by o.position)
        from jsonb_array_elements(condition -> k) with ordinality as o (operand, position)
      ))
      from jsonb_object_keys(condition) as k
    )
    else condition
  end
$$;
comment on function private.explain_condition is 'A stored condition with, at each part of it, whether that holds. Called by private.evaluate_policies.';
