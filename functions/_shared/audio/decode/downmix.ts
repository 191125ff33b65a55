/** Samples that are decided about at once, and every how many of them tell how channels go together. */
const BLOCK = 1024
const SAMPLED = 8

/** Share of the channels' energy that their mean keeps where they hold the same at the same time; the mean of others keeps half and less. */
const KEPT_TOGETHER = 0.85

/** A channel with less of the energy of the loudest one holds nothing. */
const SILENT = 0.01

/** How alike the loudness of channels runs that hold the same, and after how many blocks that can be told. */
const SAME_LOUDNESS = 0.6
const ENOUGH_BLOCKS = 10

/** How much louder another channel has to be until it is taken instead. */
const LOUDER = 2

/**
 * Mixes the channels of a recording to one: to their mean while that keeps their energy. The mean of channels that are opposite, or late to one another
 * by a fraction of a millisecond, loses the voice or parts of its spectrum; then the loudest channel is taken, if the others grow loud and
 * soft with it and so hold the same. Channels of people who talk in turn are added, so that nobody is lost. It is told from all of the part that
 * was mixed so far.
 */
export class Downmix {
  #learnt: Channels | null = null

  /** Writes the samples `[from, to)` of all channels, mixed, into `mix`, from `at` on. */
  write(channels: readonly Float32Array[], from: number, to: number, mix: Float32Array, at: number): void {
    for (let start = from; start < to; start += BLOCK) {
      const end = Math.min(to, start + BLOCK)
      const taken = channels[this.#choose(channels, start, end)]
      const target = mix.subarray(at + start - from, at + end - from)
      if (taken) target.set(taken.subarray(start, end))
      else addMean(channels, start, target)
    }
  }

  /** The channel to take; -1 for the mean of all. */
  #choose(channels: readonly Float32Array[], from: number, to: number): number {
    if (channels.length === 1) return 0
    if (this.#learnt?.count !== channels.length) this.#learnt = new Channels(channels.length)
    this.#learnt.learn(channels, from, to)
    return this.#learnt.choose()
  }
}

function addMean(channels: readonly Float32Array[], from: number, target: Float32Array): void {
  const [first, second] = channels
  if (first && second && channels.length === 2) {
    for (let i = 0; i < target.length; i++) target[i] = ((first[from + i] ?? 0) + (second[from + i] ?? 0)) / 2
    return
  }
  for (let i = 0; i < target.length; i++) {
    let sum = 0
    for (const channel of channels) sum += channel[from + i] ?? 0
    target[i] = sum / channels.length
  }
}

/** What has been learnt of how the channels go together. */
class Channels {
  readonly count: number
  readonly #own: Level[]
  readonly #mean = new Level()
  /** Sums over blocks of the loudness of each channel, and of the products of each two. */
  readonly #loudness: Float64Array
  readonly #products: Float64Array
  #blocks = 0
  #loudest = 0

  constructor(count: number) {
    this.count = count
    this.#own = Array.from({ length: count }, () => new Level())
    this.#loudness = new Float64Array(count)
    this.#products = new Float64Array(count * count)
  }

  learn(channels: readonly Float32Array[], from: number, to: number): void {
    const mean = new Float64Array(Math.ceil((to - from) / SAMPLED))
    const blocks = channels.map((samples) => {
      let [sum, squares] = [0, 0]
      for (let i = 0; i < mean.length; i++) {
        const sample = samples[from + i * SAMPLED] ?? 0
        sum += sample
        squares += sample * sample
        mean[i] = (mean[i] ?? 0) + sample / channels.length
      }
      return new Level(mean.length, sum, squares)
    })
    // Of damaged sound nothing is learnt.
    if (!blocks.every(({ energy }) => Number.isFinite(energy))) return
    let [sum, squares] = [0, 0]
    for (let i = 0; i < mean.length; i++) {
      const sample = mean[i] ?? 0
      sum += sample
      squares += sample * sample
    }
    this.#mean.join(new Level(mean.length, sum, squares))
    const loudness = blocks.map(({ energy }) => Math.sqrt(energy))
    this.#blocks++
    blocks.forEach((block, channel) => {
      this.#own[channel]?.join(block)
      const own = loudness[channel] ?? 0
      this.#loudness[channel] = (this.#loudness[channel] ?? 0) + own
      loudness.forEach((other, second) => {
        const pair = channel * this.count + second
        this.#products[pair] = (this.#products[pair] ?? 0) + own * other
      })
    })
  }

  choose(): number {
    const energies = this.#own.map(({ energy }) => energy)
    const all = energies.reduce((sum, energy) => sum + energy, 0)
    if (!(this.#mean.energy < (KEPT_TOGETHER * all) / this.count)) return -1
    const most = Math.max(...energies)
    if (most > LOUDER * (energies[this.#loudest] ?? 0)) this.#loudest = energies.indexOf(most)
    const isSame = energies.every(
      (energy, channel) =>
        channel === this.#loudest || energy < SILENT * most || this.#goesWithLoudest(channel),
    )
    return this.#blocks < ENOUGH_BLOCKS || isSame ? this.#loudest : -1
  }

  #goesWithLoudest(channel: number): boolean {
    const covariance = (one: number, other: number) =>
      (this.#products[one * this.count + other] ?? 0) -
      ((this.#loudness[one] ?? 0) * (this.#loudness[other] ?? 0)) / this.#blocks
    const loudest = this.#loudest
    const spread = Math.sqrt(covariance(channel, channel) * covariance(loudest, loudest))
    return covariance(channel, loudest) > SAME_LOUDNESS * spread
  }
}

/** Sums over samples. */
class Level {
  #count: number
  #sum: number
  #squares: number

  constructor(count = 0, sum = 0, squares = 0) {
    this.#count = count
    this.#sum = sum
    this.#squares = squares
  }

  /** Without the constant that a microphone adds. */
  get energy(): number {
    return this.#count === 0 ? 0 : Math.max(0, this.#squares - (this.#sum * this.#sum) / this.#count)
  }

  join(other: Level): void {
    this.#count += other.#count
    this.#sum += other.#sum
    this.#squares += other.#squares
  }
}
