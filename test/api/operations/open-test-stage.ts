import { inject } from 'vitest'
import { openStage, type Stage } from '../../../scripts/stage/stage.ts'

/** What names the project of the tests to an operator's command. */
export function testStageEnvironment() {
  const { apiUrl, publishableKey, secretKey, databaseUrl } = inject('project')
  return {
    SUPABASE_URL: apiUrl,
    SUPABASE_PUBLISHABLE_KEY: publishableKey,
    SUPABASE_SECRET_KEY: secretKey,
    DATABASE_URL: databaseUrl,
  }
}

/** The project of the tests as the stage `local`. */
export function openTestStage(): Promise<Stage> {
  return openStage({ name: 'local', env: testStageEnvironment() })
}
