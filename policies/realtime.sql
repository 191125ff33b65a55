grant execute on function private.owns_channel(text), private.owns_session_channel(text) to authenticated;

create policy "accounts are signed in, not banned and have a role" on realtime.messages
as restrictive for all to authenticated
using ((select private.current_account()) is not null);

create policy "students receive broadcasts of their own channels" on realtime.messages
for select to authenticated
using (
  extension = 'broadcast'
  and (select private.owns_channel((select realtime.topic())))
);

create policy "students send broadcasts to their own sessions" on realtime.messages
for insert to authenticated
with check (
  extension = 'broadcast'
  and (select private.owns_session_channel((select realtime.topic())))
);
