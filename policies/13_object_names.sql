grant execute on function private.is_object_name(text) to authenticated;
