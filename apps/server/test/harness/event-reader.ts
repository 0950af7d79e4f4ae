/** One received server-sent event; a comment has none of these. */
export interface Frame {
  readonly id?: string;
  readonly event?: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data?: any;
}

export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** Everything that has arrived so far, comments left out. */
  readonly frames: readonly Frame[];
  /** Comments that have arrived. */
  readonly beats: number;
  /** Whether the server has ended it. */
  readonly isOver: boolean;
  /** The frames with data, without the sources of the events: `['secret:create', payload]`. */
  told(): [string, unknown][];
  /** The last received event ID. */
  lastId(): string | undefined;
  close(): void;
  /** The answer to a subscription that was refused. */
  // oxlint-disable-next-line typescript/no-explicit-any
  body(): Promise<any>;
}

/** Opens a stream of events and reads it until it is closed. */
export async function readEvents(url: string, init: RequestInit): Promise<EventReader> {
  const gone = new AbortController();
  const response = await fetch(url, { ...init, signal: gone.signal });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const frames: Frame[] = [];
  const state = { beats: 0, isOver: false };
  const read = async () => {
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (text + chunk).split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        if (part.startsWith(':')) state.beats++;
        else if (part.trim() !== '') frames.push(frameOf(part));
      }
    }
  };
  if (isStream)
    void read()
      .catch(() => undefined)
      .finally(() => (state.isOver = true));
  return {
    status: response.status,
    headers: response.headers,
    frames,
    get beats() {
      return state.beats;
    },
    get isOver() {
      return state.isOver;
    },
    told: () => frames.flatMap(({ event, data }) => (event || !data ? [] : [[data.data.eventType, data.data.payload]])),
    lastId: () => frames.findLast(({ id }) => id !== undefined)?.id,
    close: () => gone.abort(),
    body: () => response.json(),
  };
}

function frameOf(part: string): Frame {
  const fields = part
    .trim()
    .split('\n')
    .map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1).trimStart()] as const;
    });
  const { data, ...frame } = Object.fromEntries(fields) as { id?: string; event?: string; data?: string };
  return { ...frame, ...(data !== undefined && { data: JSON.parse(data) }) };
}
