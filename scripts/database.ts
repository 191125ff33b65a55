import postgres from 'postgres'
import { databaseEncryption } from '../functions/_shared/database-encryption.ts'

/**
 * Connects an operator's command to a database, encrypted by the rule of the functions: what it reads is health data.
 *
 * @param url Postgres URL, as the role postgres
 * @param connections most at once
 */
export function connectTo(url: string, connections = 1): postgres.Sql {
  return postgres(url, {
    max: connections,
    prepare: false,
    onnotice: () => {},
    ...databaseEncryption(url, process.env.DATABASE_CA_CERTIFICATE || undefined),
  })
}
