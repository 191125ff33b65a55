import type { OpenApiDocument } from '../../../functions/_shared/openapi/openapi.ts'
import type { Attacker, Attackers } from './attackers.ts'
import { jsonLanes } from './changes-of-bodies.ts'
import { formLanes, multipartLanes, tableLanes } from './changes-of-forms.ts'
import type { Lane, Tampering } from './changes-of-requests.ts'
import { addressLanes, headerLanes } from './changes-of-requests.ts'
import { callsOf, type DescribedCall } from './described-call.ts'
import { Chance, goodDraft, type RawRequest, requestOf } from './good-request.ts'
import { ADDRESS_VALUES, BYTE_VALUES, QUERY_VALUES, TEXT_VALUES } from './texts.ts'
import { asJson, asText, type HostileValue, JSON_VALUES, LARGE_VALUES, texts } from './values.ts'

/** One hostile request. */
export type Attempt = {
  number: number
  /** What is called, such as `POST /checkins/start`. */
  name: string
  attacker: Attacker
  /** Where it is hostile. */
  places: readonly string[]
  request: RawRequest
}

/** All hostile requests there can be, by number. */
export type Attempts = {
  /** How many put one hostile value into an otherwise good request; those after them combine several. */
  single: number
  /** Places of calls that are attacked. */
  lanes: readonly Lane[]
  /** The request with this number, which is the same whenever the seed and the people are. */
  at(number: number): Attempt
}

/** Share of the requests that combine hostile values, where not all single ones fit. */
const COMBINED = 0.15

/** Makes hostile requests from a document: one hostile value at a time in each place of each call, in turn, then several. */
export function attemptsFrom(
  document: OpenApiDocument,
  attackers: Attackers,
  { seed, requests, tokens }: { seed: string; requests: number; tokens: readonly string[] },
): Attempts {
  const usual: HostileValue[] = [
    ...QUERY_VALUES,
    ...TEXT_VALUES,
    ...BYTE_VALUES,
    ...texts('identity', attackers.foreign),
    ...texts('filter', attackers.hidden.slice(0, 10)),
  ]
  const inAddresses = [
    ...usual,
    ...JSON_VALUES.filter((value) => 'json' in value && value.json.length < 5_000),
    ...ADDRESS_VALUES,
  ]
  const large = [...usual, ...JSON_VALUES, ...LARGE_VALUES]
  const inHeaders = asText(usual)
  const inJson = asJson(large)
  const inForms = asText(large)
  const order = new Chance(`${seed} order`)
  const places = callsOf(document).map((call) => ({
    call,
    lanes: [
      ...addressLanes(call, inAddresses),
      ...headerLanes(call, inHeaders, tokens),
      ...jsonLanes(document, call, inJson),
      ...tableLanes(call, attackers),
      ...formLanes(document, call, inForms),
      ...multipartLanes(call, inForms),
    ].map((lane) => ordered(lane, order)),
  }))
  const singles = inTurn(places, order)
  const single = Math.min(singles.length, Math.ceil(requests * (1 - COMBINED)))

  return {
    single,
    lanes: places.flatMap(({ lanes }) => lanes),
    at(number) {
      const chance = new Chance(`${seed} ${number}`)
      const alone = number < single ? singles[number] : undefined
      const { call, lanes } = alone ? { call: alone.call, lanes: [alone.lane] } : combination(places, chance)
      const draft = goodDraft(document, call, attackers, chance)
      for (const { tamperings } of alone ? [] : lanes) chance.pick(tamperings).apply(draft)
      alone?.lane.tamperings[alone.turn]?.apply(draft)
      return {
        number,
        name: call.name,
        attacker: draft.attacker,
        places: lanes.map(({ name }) => name),
        request: requestOf(draft),
      }
    },
  }
}

/** In another order, what is tried in every run first. */
function ordered(lane: Lane, order: Chance): Lane {
  const shuffled = order.shuffled(lane.tamperings)
  const isFirst = ({ family }: Tampering) => family === lane.first
  return { ...lane, tamperings: [...shuffled.filter(isFirst), ...shuffled.filter((one) => !isFirst(one))] }
}

type Places = { call: DescribedCall; lanes: Lane[] }

/** The first of every lane, then the second of every lane, and so on. */
function inTurn(
  places: readonly Places[],
  order: Chance,
): { call: DescribedCall; lane: Lane; turn: number }[] {
  const lanes = order.shuffled(places.flatMap(({ call, lanes }) => lanes.map((lane) => ({ call, lane }))))
  const longest = Math.max(...lanes.map(({ lane }) => lane.tamperings.length))
  return Array.from({ length: longest }, (_, turn) =>
    lanes.filter(({ lane }) => turn < lane.tamperings.length).map((place) => ({ ...place, turn })),
  ).flat()
}

function combination(places: readonly Places[], chance: Chance): Places {
  const { call, lanes } = chance.pick(places)
  return { call, lanes: Array.from({ length: 2 + chance.below(4) }, () => chance.pick(lanes)) }
}
