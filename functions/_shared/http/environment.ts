import * as z from 'zod'

const keys = z
  .string()
  .transform((text) => JSON.parse(text))
  .pipe(z.record(z.string(), z.string().min(1)))

const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ })

const schema = z
  .object({
    SUPABASE_URL: z.url(),
    SUPABASE_PUBLIC_URL: z.url().optional(),
    PUBLIC_API_URL: z.url().optional(),
    PUBLIC_PAGES_URL: z.url({ protocol: /^https?$/ }).optional(),
    AUTH_SITE_URL: z.url().optional(),
    AUTH_REDIRECT_URLS: z.string().optional(),
    SUPABASE_DB_URL: databaseUrl,
    DATABASE_POOL_URL: databaseUrl.optional(),
    DATABASE_PASSWORD_NEXT: z.string().min(1).optional(),
    DATABASE_CA_CERTIFICATE: z.string().includes('BEGIN CERTIFICATE').optional(),
    SUPABASE_SECRET_KEYS: keys.optional(),
    SUPABASE_PUBLISHABLE_KEYS: keys.optional(),
    PROJECT_KEY_NAME: z.string().min(1).default('default'),
    SUPABASE_ANON_KEY: z.string().optional(),
    SUPABASE_SERVICE_ROLE_KEY: z.string().optional(),
    PIPELINE_SECRET: z.string().min(32).optional(),
    PIPELINE_SECRET_PREVIOUS: z.string().min(32).optional(),
    METRICS_TOKEN: z.string().min(32).optional(),
    METRICS_TOKEN_PREVIOUS: z.string().min(32).optional(),
    ISOLATE_CPU_S: z.coerce.number().positive().default(2),
    OPENAI_API_KEY: z.string().min(1).optional(),
    OPENAI_BASE_URL: z.url().optional(),
    TRANSCRIPTION_MODEL: z.string().min(1).default('gpt-4o-mini-transcribe'),
    TRANSCRIPTION_TIMEOUT_MS: z.coerce.number().int().positive().max(140_000).default(100_000),
    TEXTMODEL_MODEL: z.string().min(1).default('gpt-4.1-mini'),
    TEXTMODEL_TIMEOUT_MS: z.coerce.number().int().positive().max(60_000).default(20_000),
    RESEND_API_KEY: z.string().min(1).optional(),
    RESEND_BASE_URL: z.url().optional(),
    EMAIL_FROM: z.string().min(3).optional(),
    TWILIO_ACCOUNT_SID: z.string().min(1).optional(),
    TWILIO_AUTH_TOKEN: z.string().min(1).optional(),
    TWILIO_AUTH_TOKEN_PREVIOUS: z.string().min(1).optional(),
    TWILIO_FROM: z.string().min(1).optional(),
    TWILIO_BASE_URL: z.url().optional(),
    TWILIO_OPT_OUT_REPLIES: z.enum(['twilio', 'product']).default('twilio'),
    CAPTCHA_PROVIDER: z.enum(['turnstile', 'hcaptcha']).default('turnstile'),
    CAPTCHA_SECRET: z.string().min(1).optional(),
    CAPTCHA_BASE_URL: z.url().optional(),
    MANAGEMENT_API_TOKEN: z.string().min(1).optional(),
    MANAGEMENT_API_URL: z.url().default('https://api.supabase.com'),
    INBOX_URL: z.url().optional(),
  })
  .transform((env, context) => {
    /** The project may have several while one is replaced. */
    const named = (dictionary: Record<string, string> | undefined) =>
      dictionary?.[env.PROJECT_KEY_NAME] ?? dictionary?.default
    const secretKey = named(env.SUPABASE_SECRET_KEYS) ?? env.SUPABASE_SERVICE_ROLE_KEY
    const publishableKey = named(env.SUPABASE_PUBLISHABLE_KEYS) ?? env.SUPABASE_ANON_KEY
    if (!secretKey || !publishableKey) {
      context.addIssue({
        code: 'custom',
        message: 'SUPABASE_SECRET_KEYS and SUPABASE_PUBLISHABLE_KEYS are needed',
      })
      return z.NEVER
    }
    const publicUrl = env.PUBLIC_API_URL ?? env.SUPABASE_PUBLIC_URL ?? env.SUPABASE_URL
    const functionsUrl = `${publicUrl.replace(/(?<!\/)\/+$/, '')}/functions/v1`
    return {
      supabaseUrl: env.SUPABASE_URL,
      /**
       * Address under which apps reach the project; differs from the functions' own on a self-hosted one and under
       * `supabase start`, which passes on no name that begins with SUPABASE_.
       */
      publicUrl,
      /** Address of the functions, as everybody else reaches them. */
      functionsUrl,
      /** Where people see the pages, when that is not where the functions are. */
      pagesUrl: env.PUBLIC_PAGES_URL,
      /** Where mails of Auth may lead people, as config.toml has it: `site_url`, the staff's app, and the list. */
      redirects: {
        site: env.AUTH_SITE_URL ?? 'http://127.0.0.1:54326',
        allowed: (env.AUTH_REDIRECT_URLS ?? '').split(',').filter((address) => address !== ''),
      },
      /** The transaction pooler where one is named, because the platform's own setting is the direct connection. */
      database: {
        url: env.DATABASE_POOL_URL ?? env.SUPABASE_DB_URL,
        certificateAuthority: env.DATABASE_CA_CERTIFICATE,
        /** The password that is about to replace the one in the address, or has. */
        nextPassword: env.DATABASE_PASSWORD_NEXT,
      },
      secretKey,
      publishableKey,
      pipelineSecret: env.PIPELINE_SECRET,
      /** What whoever collects the metrics authenticates with; undefined where nobody does. */
      metricsToken: env.METRICS_TOKEN,
      previousMetricsToken: env.METRICS_TOKEN_PREVIOUS,
      /** What the database may still send while the secret is replaced. */
      previousPipelineSecret: env.PIPELINE_SECRET_PREVIOUS,
      /** CPU that the platform gives an isolate in its whole life, seconds. */
      isolateCpuS: env.ISOLATE_CPU_S,
      transcription: env.OPENAI_API_KEY
        ? {
            apiKey: env.OPENAI_API_KEY,
            baseUrl: env.OPENAI_BASE_URL,
            model: env.TRANSCRIPTION_MODEL,
            timeoutMs: env.TRANSCRIPTION_TIMEOUT_MS,
          }
        : undefined,
      languageModel: env.OPENAI_API_KEY
        ? {
            apiKey: env.OPENAI_API_KEY,
            baseUrl: env.OPENAI_BASE_URL,
            model: env.TEXTMODEL_MODEL,
            timeoutMs: env.TEXTMODEL_TIMEOUT_MS,
          }
        : undefined,
      email:
        env.RESEND_API_KEY && env.EMAIL_FROM
          ? { apiKey: env.RESEND_API_KEY, baseUrl: env.RESEND_BASE_URL, from: env.EMAIL_FROM }
          : undefined,
      sms:
        env.TWILIO_ACCOUNT_SID && env.TWILIO_AUTH_TOKEN && env.TWILIO_FROM
          ? {
              accountSid: env.TWILIO_ACCOUNT_SID,
              authToken: env.TWILIO_AUTH_TOKEN,
              /** What Twilio may still sign with while the token is replaced. */
              previousAuthToken: env.TWILIO_AUTH_TOKEN_PREVIOUS,
              baseUrl: env.TWILIO_BASE_URL,
              from: env.TWILIO_FROM,
              statusUrl: `${functionsUrl}/buddy/text-status`,
              /** Who confirms the keywords that Twilio knows: Twilio, as it does by default, or this service. */
              optOutReplies: env.TWILIO_OPT_OUT_REPLIES,
            }
          : undefined,
      /** What a sign-up needs besides, where a secret for it is set; the local stack's inbox knows the providers' secrets for tests. */
      captcha: env.CAPTCHA_SECRET
        ? {
            provider: env.CAPTCHA_PROVIDER,
            secret: env.CAPTCHA_SECRET,
            baseUrl: env.CAPTCHA_BASE_URL ?? env.INBOX_URL,
          }
        : undefined,
      /** Missing settings of a provider that is only partly configured, and so not used. */
      missingSettings: [
        ...missing(env, ['RESEND_API_KEY', 'EMAIL_FROM']),
        ...missing(env, ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM']),
      ],
      /** The platform's Management API, which makes backups, where a token for it is set. */
      management: env.MANAGEMENT_API_TOKEN
        ? {
            token: env.MANAGEMENT_API_TOKEN,
            url: env.MANAGEMENT_API_URL,
            /** Reference of the project: the first part of its host, `https://<reference>.supabase.co`. */
            project: new URL(env.SUPABASE_URL).hostname.split('.')[0] ?? '',
          }
        : undefined,
      /** The local stack's inbox, which receives messages that have no provider. */
      inboxUrl: env.INBOX_URL,
    }
  })

/** Names that are not set although others of the group are. */
function missing<Name extends string>(env: { [name in Name]?: string | undefined }, group: Name[]): Name[] {
  const unset = group.filter((name) => env[name] === undefined)
  return unset.length < group.length ? unset : []
}

/** Names of all settings of the functions. */
export const SETTINGS = Object.keys(schema.in.shape)

/** What the functions need to know of the project they run in. */
export type Environment = z.infer<typeof schema>

/**
 * Reads and validates the environment, once, when a function starts.
 *
 * Takes both the platform's key dictionaries (`SUPABASE_SECRET_KEYS`) and the older single keys. Throws an error
 * that names what is missing, never a value.
 */
export function readEnvironment(env: Record<string, string | undefined>): Environment {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = schema.safeParse(present)
  if (result.success) return result.data
  const problems = result.error.issues.map(
    (issue) => `${issue.path.join('.') || 'environment'}: ${issue.message}`,
  )
  throw new Error(`The function's environment is incomplete. ${problems.join('; ')}`)
}
