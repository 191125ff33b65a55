grant execute on function private.owns_check_in_channel(text), private.owns_session_channel(text), private.owns_support_channel(text),
  private.owns_account_channel(text)
to authenticated;

create policy "students receive broadcasts of their own channels" on realtime.messages
for select to authenticated
using (
  extension = 'broadcast'
  and (
    (select private.owns_check_in_channel((select realtime.topic())))
    or (select private.owns_session_channel((select realtime.topic())))
    or (select private.owns_support_channel((select realtime.topic())))
    or (select private.owns_account_channel((select realtime.topic())))
  )
);

create policy "students send broadcasts to their own sessions" on realtime.messages
for insert to authenticated
with check (
  extension = 'broadcast'
  and (select private.owns_session_channel((select realtime.topic())))
);
