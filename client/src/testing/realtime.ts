/** Of a channel's protocol (Phoenix, version 2): join reference, reference, topic, event, payload. */
type Message = [string | null, string | null, string, string, unknown]

type Listener = (event: Event) => void

/** The channels of the double: a WebSocket for `supabase-js` that never leaves the process. */
export function createChannels() {
  const sockets = new Set<TestSocket>()
  let refuses = false

  class TestSocket extends EventTarget {
    static readonly CONNECTING = 0
    static readonly OPEN = 1
    static readonly CLOSING = 2
    static readonly CLOSED = 3
    readonly CONNECTING = 0
    readonly OPEN = 1
    readonly CLOSING = 2
    readonly CLOSED = 3
    readonly protocol = ''
    readonly url: string
    readyState = 0
    binaryType = 'blob'
    onopen: Listener | null = null
    onmessage: ((event: MessageEvent) => void) | null = null
    onclose: ((event: CloseEvent) => void) | null = null
    onerror: Listener | null = null
    /** Topics that were joined, with the reference of the joining. */
    readonly joined = new Map<string, string | null>()

    constructor(url: string | URL) {
      super()
      this.url = String(url)
      queueMicrotask(() => (refuses ? this.close(1006) : this.open()))
    }

    send(data: string | ArrayBufferLike | Blob | ArrayBufferView): void {
      if (typeof data !== 'string') return // what an app broadcasts itself: the service's channels take nothing
      const [joinRef, ref, topic, event]: Message = JSON.parse(data)
      if (event === 'phx_join') this.joined.set(topic, joinRef)
      if (event === 'phx_leave') this.joined.delete(topic)
      const reply: Message = [joinRef, ref, topic, 'phx_reply', { status: 'ok', response: {} }]
      queueMicrotask(() => this.receive(reply))
    }

    receive(message: Message): void {
      if (this.readyState === 1)
        this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(message) }))
    }

    close(code = 1000): void {
      if (this.readyState === 3) return
      this.readyState = 3
      sockets.delete(this)
      const event = Object.assign(new Event('close'), { code, reason: '', wasClean: code === 1000 })
      queueMicrotask(() => this.onclose?.(event))
    }

    open(): void {
      this.readyState = 1
      sockets.add(this)
      this.onopen?.(new Event('open'))
    }
  }

  return {
    transport: TestSocket,
    broadcast(name: string, event: string, payload: object): void {
      const topic = `realtime:${name}`
      for (const socket of sockets) {
        const joinRef = socket.joined.get(topic)
        if (joinRef !== undefined) {
          socket.receive([joinRef, null, topic, 'broadcast', { type: 'broadcast', event, payload }])
        }
      }
    },
    /** Ends all connections, and takes no others until it is called with false. */
    interrupt(is: boolean): void {
      refuses = is
      if (is) for (const socket of [...sockets]) socket.close(1006)
    },
  }
}
