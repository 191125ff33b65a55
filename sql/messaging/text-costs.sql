create table private.text_destinations (
  prefix text not null,
  country text not null,
  price numeric(8, 4),
  constraint text_destinations_pkey primary key (prefix),
  constraint text_destinations_prefix_form check (prefix ~ '^[1-9][0-9]{0,5}$'),
  constraint text_destinations_country_form check (country ~ '^[A-Z]{2}(,[A-Z]{2})*$'),
  constraint text_destinations_price_not_negative check (price >= 0)
);
select private.describe('private.text_destinations', 'Where texts go to, and what one costs there. The longest prefix that a number begins with counts; to others none go. An operator can change it without a deployment.', $$
  prefix: Calling code, with the area code where the price differs, without +: 1 to 6 digits, not beginning with 0.
  country: Country, ISO 3166-1 alpha-2 in capital letters, or those that share the prefix, such as US,CA.
  price: US dollars that a text costs there, 0 or more, all parts of it; an estimate until an operator enters what the provider bills. Null: no texts go there.
$$);

-- Where universities of this service have been asked for; other countries of the calling code 1 cost several times as much.
insert into private.text_destinations (prefix, country, price)
values
  ('1', 'US,CA', 0.02),
  ('44', 'GB,GG,IM,JE', 0.10),
  ('353', 'IE', 0.17),
  ('49', 'DE', 0.22),
  ('43', 'AT', 0.22),
  ('41', 'CH,LI', 0.17),
  ('33', 'FR', 0.16),
  ('31', 'NL', 0.21),
  ('32', 'BE', 0.23),
  ('352', 'LU', 0.17),
  ('34', 'ES', 0.19),
  ('351', 'PT', 0.10),
  ('39', 'IT,VA', 0.19),
  ('46', 'SE', 0.13),
  ('47', 'NO,SJ', 0.17),
  ('45', 'DK', 0.11),
  ('358', 'FI,AX', 0.20),
  ('354', 'IS', 0.18),
  ('48', 'PL', 0.10),
  ('420', 'CZ', 0.14),
  ('421', 'SK', 0.19),
  ('36', 'HU', 0.20),
  ('386', 'SI', 0.33),
  ('385', 'HR', 0.18),
  ('30', 'GR', 0.20),
  ('372', 'EE', 0.18),
  ('371', 'LV', 0.17),
  ('370', 'LT', 0.13),
  ('356', 'MT', 0.17),
  ('357', 'CY', 0.20),
  ('61', 'AU,CX,CC', 0.11),
  ('64', 'NZ', 0.21),
  ('1242', 'BS', null),
  ('1246', 'BB', null),
  ('1264', 'AI', null),
  ('1268', 'AG', null),
  ('1284', 'VG', null),
  ('1340', 'VI', null),
  ('1345', 'KY', null),
  ('1441', 'BM', null),
  ('1473', 'GD', null),
  ('1649', 'TC', null),
  ('1658', 'JM', null),
  ('1664', 'MS', null),
  ('1670', 'MP', null),
  ('1671', 'GU', null),
  ('1684', 'AS', null),
  ('1721', 'SX', null),
  ('1758', 'LC', null),
  ('1767', 'DM', null),
  ('1784', 'VC', null),
  ('1787', 'PR', null),
  ('1809', 'DO', null),
  ('1829', 'DO', null),
  ('1849', 'DO', null),
  ('1868', 'TT', null),
  ('1869', 'KN', null),
  ('1876', 'JM', null),
  ('1939', 'PR', null);

select private.declare_data('private.text_destinations', '{prefix, country, price}', 'Settings: where texts go to.');
select private.declare_audited('private.text_destinations', 'prefix');

create table private.text_costs (
  day date not null,
  kind text not null,
  texts integer not null,
  cost numeric(12, 4) not null,
  constraint text_costs_pkey primary key (day, kind),
  constraint text_costs_kind_known check (kind in ('ordinary', 'alert', 'first'))
);
select private.describe('private.text_costs', 'What texts cost, by day; each attempt counts, whatever became of it.', $$
  day: The day, UTC.
  kind: alert: texts of alerts; first: texts that ask a number whether it agrees; ordinary: all others.
  texts: How many texts were handed to the provider.
  cost: What they cost by private.text_destinations, US dollars.
$$);

select private.declare_data('private.text_costs', '{day, kind, texts, cost}', 'What texts cost, by day.');
select private.declare_audited('private.text_costs', 'day', 'by_hand');

create function private.price_of_text(number text) returns numeric
language sql stable security definer set search_path = '' as $$
  select d.price
  from private.text_destinations d
  where d.prefix in (
    substr(number, 2, 1), substr(number, 2, 2), substr(number, 2, 3), substr(number, 2, 4), substr(number, 2, 5), substr(number, 2, 6)
  )
  order by length(d.prefix) desc
  limit 1
$$;
comment on function private.price_of_text is 'What a text to a number (E.164) costs, US dollars; null where none goes to its country. Called where a text is sent and where a number is named.';

create function private.texts_go_to(number text) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.price_of_text(number) is not null
$$;
comment on function private.texts_go_to is 'Whether texts go to the country of a number (E.164). Called where a contact is named, asked and texted.';

create function private.kind_of_text(purpose text) returns text
language sql immutable set search_path = '' as $$
  select case when purpose = 'support_alert' or private.urgency_of(purpose) = 'crisis' then 'alert' when purpose = 'buddy_first_text' then 'first' else 'ordinary' end
$$;
comment on function private.kind_of_text is 'From which daily amount a text is paid. Called where one is sent.';

create function private.count_text() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.text_costs as c (day, kind, texts, cost)
  values (
    (now() at time zone 'UTC')::date, private.kind_of_text(new.purpose), 1, coalesce(private.price_of_text(new.recipient), 0)
  )
  on conflict on constraint text_costs_pkey do update
  set texts = c.texts + excluded.texts, cost = c.cost + excluded.cost;
  return null;
end
$$;
comment on function private.count_text is 'Trigger: counts what a text costs that is handed to the provider.';

create trigger count_text
after update of provider_called_at on private.outbox
for each row when (
  new.channel = 'sms' and new.provider_called_at is not null and new.provider_called_at is distinct from old.provider_called_at
)
execute function private.count_text();

create view private.text_budgets with (security_invoker = true) as
select b.kind, coalesce(c.texts, 0) as texts, coalesce(c.cost, 0) as cost, b.most
from private.support_settings s
cross join lateral (
  values ('ordinary', s.daily_text_cost), ('alert', s.daily_alert_text_cost), ('first', s.daily_first_text_cost)
) as b (kind, most)
left join private.text_costs c on c.kind = b.kind and c.day = (now() at time zone 'UTC')::date;
comment on view private.text_budgets is 'What today''s texts have cost so far, of what they may; the last text may go a little over it.';

create function private.next_send_time(message private.outbox, at timestamptz) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
declare
  affordable timestamptz := at;
begin
  if message.channel = 'email' then
    return at;
  end if;
  -- Somebody may be in danger of whom an alert tells: no amount holds it back.
  if exists (
    select from private.text_budgets b where b.kind = private.kind_of_text(message.purpose) and b.kind <> 'alert' and b.cost >= b.most
  ) then
    affordable := date_trunc('day', at, 'UTC') + interval '1 day';
  end if;
  return case when message.contact_id is null then affordable else private.next_text_time(message.contact_id, affordable) end;
end
$$;
comment on function private.next_send_time is 'The first moment from "at" on when a message may be sent: a text by day at its contact''s, and, unless it is of an alert, not before the next day once those of this day cost enough. Called where messages are claimed, and where a text is late.';
