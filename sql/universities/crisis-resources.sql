create function private.emergency_phone(country text) returns text
language sql immutable set search_path = '' as $$
  select case
    when country = any ('{AG,AI,AR,AS,BB,BM,BS,BZ,CA,CR,DM,DO,EC,FJ,FM,GD,GU,GY,JM,JO,KN,KY,LC,LR,MH,MP,MX,PA,PH,PR,PW,PY,SA,SV,TC,TO,US,UY,VC,VE,VG,VI,WS}') then '911'
    when country = any ('{BD,BH,FK,GB,GG,HK,IM,JE,KE,MO,MU,MW,MY,QA,SB,SC,SD,SH,SL,SO,SS,SZ,TT,UG,ZM,ZW}') then '999'
    when country = any ('{GF,GP,MA,MF,MQ,NC,NE,PF,PM,RE,WF,YT}') then '15'
    when country = any ('{AU,CC,CX}') then '000'
    when country = any ('{JP,KR,TW}') then '119'
    when country = any ('{IL,PS}') then '101'
    when country = any ('{MV,NP}') then '102'
    when country = any ('{AM,KG}') then '103'
    when country = any ('{IR,VN}') then '115'
    when country = any ('{CO,EG}') then '123'
    when country = 'NZ' then '111'
    when country = 'PE' then '116'
    when country = 'BO' then '118'
    when country = 'CN' then '120'
    when country = 'IQ' then '122'
    when country = 'CL' then '131'
    when country = 'TH' then '1669'
    when country = 'SN' then '18'
    when country = 'TN' then '190'
    when country = 'BR' then '192'
    when country = 'BN' then '991'
    when country = 'SG' then '995'
    when country = 'BW' then '997'
    when country = 'AE' then '998'
    else '112'
  end
$$;
comment on function private.emergency_phone is 'The number to call in an emergency in a country (ISO 3166-1 alpha-2), that for an ambulance where there are several; 112, which mobile phones connect nearly everywhere, where no other is known. Each is among the emergency numbers of the country in libphonenumber''s ShortNumberMetadata (9.0, 2026). Called by private.university_crisis_resources.';

create function private.university_crisis_resources(university text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (
      select case when u.crisis_phone is null then '[]'::jsonb
          else jsonb_build_array(jsonb_build_object('name', u.short_name || ' crisis line', 'phone', u.crisis_phone, 'website', null))
        end || u.resources
      from public.universities u
      where u.id = university and (u.crisis_phone is not null or u.resources <> '[]')
    ),
    '[]'
  ) || jsonb_build_array(
    jsonb_build_object(
      'name', 'Emergency services',
      'phone', private.emergency_phone((select u.country from public.universities u where u.id = university)),
      'website', null
    ),
    jsonb_build_object('name', 'Find a helpline in your country', 'phone', null, 'website', 'https://findahelpline.com')
  )
$$;
comment on function private.university_crisis_resources is 'Help at a university and beyond: array of {name, phone, website}; without a university, or with an unknown one, what is beyond. Called by private.crisis_resources and by the edge functions.';

create function private.crisis_resources(student uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.university_crisis_resources((select university_id from public.profiles where user_id = student))
$$;
comment on function private.crisis_resources is 'Help that is shown with every result: array of {name, phone, website}. Called by private.check_in_view and by the edge functions.';
