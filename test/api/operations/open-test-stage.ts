import { inject } from 'vitest'
import { openStage, type Stage } from '../../../scripts/stage/stage.ts'

/** The project of the tests as the stage `local`. */
export function openTestStage(): Promise<Stage> {
  const { apiUrl, publishableKey, secretKey, databaseUrl } = inject('project')
  return openStage({
    name: 'local',
    env: {
      SUPABASE_URL: apiUrl,
      SUPABASE_PUBLISHABLE_KEY: publishableKey,
      SUPABASE_SECRET_KEY: secretKey,
      DATABASE_URL: databaseUrl,
    },
  })
}
