grant execute on function private.is_object_name(text) to anon, authenticated;

-- Every policy that looks at folders looks at names alone: none lets anybody near an object whose name leads out of its folder.
create policy "names lead to the object itself" on storage.objects
as restrictive for all to anon, authenticated
using (private.is_object_name(name));
