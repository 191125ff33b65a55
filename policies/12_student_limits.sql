grant execute on function private.has_room_for_file(text) to authenticated;
