import { corsHeaders } from '@supabase/supabase-js/cors'
import { expect, test } from 'vitest'
import { preflightResponse } from '../../../functions/_shared/http/response.ts'

test('a browser may send every header that the Supabase client sends', () => {
  const allowed = preflightResponse('a-request').headers.get('access-control-allow-headers')?.split(', ')
  const sent = corsHeaders['Access-Control-Allow-Headers']?.split(', ') ?? ['unknown']
  expect(allowed).toEqual(expect.arrayContaining([...sent, 'x-region']))
})
