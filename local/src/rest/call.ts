import type { AnyAST, FunctionInfo } from '@supabase/lite'
import { restError } from './errors.ts'

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** What a request gives to a function: the text of a JSON body, or the parameters of the address. */
export type Arguments = { body: string; type: string | null } | { parameters: URLSearchParams }

/** A call of a function as SQL, and the text of lite's statement that it takes the place of. */
export interface Call {
  placeholder: string
  /** A table expression with numbered parameters from `first` on. */
  sql(first: number): string
  parameters: string[]
  setReturning: boolean
  volatile: boolean
}

/** Types of bodies other than JSON that are one unnamed argument. */
const unnamedTypes: Record<string, string[]> = {
  'text/plain': ['text'],
  'text/xml': ['xml'],
}

const mediaTypeOf = ({ type }: { type: string | null }) =>
  type?.split(';')[0]?.trim().toLowerCase() ?? 'application/json'

/** Whether a body that is no JSON is the one unnamed argument of a function. */
export const isUnnamedArgument = (given: { type: string | null }) => mediaTypeOf(given) in unnamedTypes

const notFound = (schema: string, name: string, type: string) =>
  restError(404, {
    code: 'PGRST202',
    message: `Could not find the function ${schema}.${name} in the schema cache`,
    details:
      `Searched for the function ${schema}.${name} with a single unnamed ${type} parameter, ` +
      'but no matches were found in the schema cache.',
  })

function isCandidate(routine: FunctionInfo, names: string[]): boolean {
  const required = routine.arg_types.length - routine.arg_defaults - (routine.has_variadic ? 1 : 0)
  return (
    names.every((name) => routine.arg_names.includes(name)) &&
    routine.arg_types.every((_, i) => i >= required || names.includes(routine.arg_names[i] ?? ''))
  )
}

function takesWhole(routine: FunctionInfo, types: string[]): boolean {
  return (
    routine.arg_types.length === 1 &&
    routine.arg_names.length === 0 &&
    !routine.has_variadic &&
    types.includes(routine.arg_types[0] ?? '')
  )
}

const only = <T>(items: T[]): T | undefined => (items.length === 1 ? items[0] : undefined)

function parseObject(body: string): object | undefined {
  try {
    const value: unknown = body === '' ? {} : JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Which of the functions of a name a request calls, and the arguments as SQL; undefined when none fits, or several do. */
function argumentsFor(routines: FunctionInfo[], given: Arguments) {
  const typeOf = (routine: FunctionInfo, name: string) =>
    routine.arg_types[routine.arg_names.indexOf(name)] ?? 'text'
  const variadic = (routine: FunctionInfo, name: string) =>
    routine.has_variadic && routine.arg_names.at(-1) === name ? 'variadic ' : ''
  if ('parameters' in given) {
    const names = [...new Set(given.parameters.keys())]
    const routine = only(routines.filter((candidate) => isCandidate(candidate, names)))
    if (!routine) return undefined
    const parameters: string[] = []
    const assignments = names.map((name) => {
      const values = given.parameters.getAll(name)
      const passed = variadic(routine, name) === '' ? values.slice(-1) : values
      const offsets = passed.map((value) => parameters.push(value) - 1)
      return (first: number) => {
        const texts = offsets.map((offset) => `$${first + offset}::text`)
        const value = variadic(routine, name) === '' ? texts[0] : `array[${texts.join(', ')}]`
        return `${variadic(routine, name)}${quoted(name)} := ${value}::${typeOf(routine, name)}`
      }
    })
    const sql = (first: number) => assignments.map((assignment) => assignment(first)).join(', ')
    return { routine, parameters, sql, source: () => '' }
  }
  const type = mediaTypeOf(given)
  const object = type === 'application/json' ? parseObject(given.body) : undefined
  const names = object === undefined ? undefined : Object.keys(object)
  const named = names && routines.filter((candidate) => isCandidate(candidate, names))
  if (named && named.length > 0) {
    const routine = only(named)
    if (!routine || !names) return undefined
    const columns = names.map((name) => `${quoted(name)} ${typeOf(routine, name)}`).join(', ')
    const sql = () =>
      names.map((name) => `${variadic(routine, name)}${quoted(name)} := given.${quoted(name)}`).join(', ')
    const source = (first: number) => `json_to_record($${first}::text::json) as given (${columns}), lateral `
    return names.length === 0
      ? { routine, parameters: [], sql: () => '', source: () => '' }
      : { routine, parameters: [given.body], sql, source }
  }
  const types = type === 'application/json' ? ['json', 'jsonb'] : (unnamedTypes[type] ?? [])
  const routine = only(routines.filter((candidate) => takesWhole(candidate, types)))
  if (!routine) return undefined
  return {
    routine,
    parameters: [given.body],
    sql: (first: number) => `$${first}::text::${routine.arg_types[0]}`,
    source: () => '',
  }
}

/**
 * Takes the call of a function out of lite's hands, which writes names without quotes and reads arguments by their looks:
 * lite gets a function without parameters, and in its statement the call of that is replaced. Of a function whose
 * overloads do not decide, or that is not there, lite tells.
 *
 * Arguments are read from JSON by `json_to_record`, as in `callPlanToQuery` of src/PostgREST/Query/QueryBuilder.hs.
 *
 * @param functions those of the schema; the chosen one takes the place of all of its name
 */
export function takeCall(
  ast: AnyAST,
  schema: string,
  functions: FunctionInfo[],
  given: Arguments,
): Call | Response | undefined {
  const name = ast.function ?? ''
  const routines = functions.filter((routine) => routine.name === name)
  const found = argumentsFor(routines, given)
  if (!found) {
    // For lite's message.
    if ('parameters' in given) ast.args = Object.fromEntries(given.parameters)
    if ('parameters' in given || routines.length === 0) return undefined
    const texts = unnamedTypes[mediaTypeOf(given)]
    if (texts) return notFound(schema, name, texts[0] ?? '')
    if (!Array.isArray(ast.args)) return undefined
    const message = `A list as the arguments of ${schema}.${name} cannot be served by the local stack`
    return restError(501, { code: 'PGRST127', message })
  }
  const { routine } = found
  const isRecord = routine.return_type === 'record' && !routine.has_out_args
  if (isRecord && routine.return_is_setof) {
    const message = `${schema}.${name} returns records without columns, which the local stack cannot serve`
    return restError(501, { code: 'PGRST127', message })
  }
  const plain = { ...routine, arg_names: [], arg_types: [], arg_defaults: 0, has_variadic: false }
  functions.splice(
    0,
    functions.length,
    ...functions.filter((other) => other.name !== name),
    isRecord ? { ...plain, return_type: 'json', return_typtype: 'b' } : plain,
  )
  Object.assign(ast, { args: undefined, paramsType: 'named', inputType: 'json' })
  const call = (first: number) => `${quoted(schema)}.${quoted(name)}(${found.sql(first)})`
  const alias = quoted(name)
  return {
    placeholder: `from ${schema}.${name}() as `,
    parameters: found.parameters,
    setReturning: routine.return_is_setof,
    volatile: routine.volatility === 'v',
    sql: (first) =>
      isRecord
        ? `from (select to_json(result.row) as ${alias} from ${found.source(first)}(select ${call(first)} as row) as result) as `
        : `from (select ${alias}.* from ${found.source(first)}${call(first)} as ${alias}) as `,
  }
}
