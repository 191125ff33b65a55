/** What an answer may show beside the attacker's own: a university's settings and shared files. */
export type Sight = 'university'

/** Somebody who attacks, with what is theirs. */
export type Attacker = {
  name: string
  /** Whose own rows the attacks need. */
  isStudent: boolean
  /** Null for who is not signed in. */
  token: string | null
  userId: string
  university: string
  /** A student that they may read. */
  student: string
  sessions: readonly string[]
  checkIns: readonly string[]
  /** A file that they may read. */
  file: string
  /** What of the victims' they may see. */
  sees: readonly Sight[]
}

/** Everybody who attacks, and what they know. */
export type Attackers = {
  /** Who calls as a person, signed in or not. */
  people: readonly [nobody: Attacker, ...signedIn: Attacker[]]
  /** Whose rows may be lost in an attack. */
  spare: Attacker
  /** Who may be signed out in an attack. */
  leaver: Attacker
  /** Who has the secret of the database. */
  database: Attacker
  account: { email: string; password: string; refreshToken: string }
  /** A good still, in base64. */
  still: string
  /** Ids, keys and tokens of other people's things. */
  foreign: readonly string[]
  /** Accounts of the victims. */
  victims: readonly string[]
  /** Tables and views that the Data API offers, `schema.name`. */
  exposed: readonly string[]
  /** Those of other schemas. */
  hidden: readonly string[]
}
