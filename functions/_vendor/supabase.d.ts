/** The part of supabase-js that the functions use; see vendor/supabase.ts. */
export { createClient, isAuthWeakPasswordError } from '@supabase/supabase-js'
