grant execute on function public.check_request(), private.refuse_estimates(), private.refuse_blocked(), private.enforce_on_rest()
to anon, authenticated, service_role;
