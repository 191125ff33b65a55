insert into public.universities (
  id, name, short_name, domain, country, time_zone, languages, primary_color, secondary_color,
  support_email, crisis_phone, resources
)
values
  (
    'northfield', 'Northfield University (invented)', 'Northfield', 'northfield.example.edu', 'US', 'America/New_York', '{en, es}',
    '#1f4e79', '#f2a900',
    'support@northfield.example.edu', '+1-202-555-0110',
    '[{"name": "Northfield Counseling Center", "phone": "+1-202-555-0111", "website": "https://northfield.example.edu/counseling"}]'
  ),
  (
    'eastbrook', 'Eastbrook College (invented)', 'Eastbrook', 'eastbrook.example.edu', 'US', 'America/Chicago', '{en, es}',
    '#2e5e4e', '#d9822b',
    'support@eastbrook.example.edu', '+1-202-555-0120',
    '[{"name": "Eastbrook Wellbeing Office", "phone": "+1-202-555-0121", "website": "https://eastbrook.example.edu/wellbeing"}]'
  )
on conflict (id) do nothing;
