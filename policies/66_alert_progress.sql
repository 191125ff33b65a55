grant execute on function public.report_all_right(), private.report_all_right(timestamptz) to authenticated;
