import type { Database } from '../../types/database.ts'

/** The tables as tests write them: every column, also what only the secret key may write, and what nobody may. */
export type EveryColumn = {
  [Schema in keyof Database]: Omit<Database[Schema], 'Tables'> & {
    Tables: {
      [Table in keyof Database[Schema]['Tables']]: Database[Schema]['Tables'][Table] extends {
        Row: infer Row
        Relationships: infer Relationships
      }
        ? { Row: Row; Insert: Partial<Row>; Update: Partial<Row>; Relationships: Relationships }
        : never
    }
  }
}
