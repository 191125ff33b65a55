grant execute on function public.export_my_data(integer), private.export_data(integer) to authenticated;
