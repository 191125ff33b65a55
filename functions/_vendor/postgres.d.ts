/** The client of Postgres; see vendor/postgres.ts. */
export { default } from 'postgres'
