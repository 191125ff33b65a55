grant execute on function private.owns_check_in_channel(text) to authenticated;

create policy "students follow their own check-ins" on realtime.messages
for select to authenticated
using (
  extension = 'broadcast'
  and (select private.owns_check_in_channel((select realtime.topic())))
);
