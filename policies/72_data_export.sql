grant execute on function public.export_my_data(), private.export_data() to authenticated;
