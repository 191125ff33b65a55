grant execute on function public.check_request(), private.refuse_estimates() to anon, authenticated, service_role;
