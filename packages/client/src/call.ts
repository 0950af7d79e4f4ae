/** Options of a call. */
export interface CallOptions {
  /** Aborts the call: its promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds, in place of the client's own `timeoutMs`. */
  timeoutMs?: number | undefined;
}

/** The input of a procedure without input. */
export type NoInput = Record<string, never>;

/** An input without required fields is optional. */
type Arguments<Input> = NoInput extends Input
  ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions];

/** A procedure that reads. It may be sent again where no answer came. */
export interface Query<Input, Output> {
  query(...args: Arguments<Input>): Promise<Output>;
}

/** A procedure that changes something. */
export interface Mutation<Input, Output> {
  mutate(...args: Arguments<Input>): Promise<Output>;
}

/** Options of a subscription. */
export interface SubscriptionOptions {
  /** Ends it: reading is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** An event of a subscription, and the position after it: pass it as `lastEventId` to continue from there. */
export interface StreamItem<Data> {
  readonly id: string;
  readonly data: Data;
}

/**
 * A procedure that yields events: `for await (const { id, data } of tags.watch.subscribe(input))`. It reconnects and
 * resumes after a connection loss. It ends with the loop, or with the signal.
 */
export interface Subscription<Input, Data> {
  subscribe(input: Input, options?: SubscriptionOptions): AsyncIterable<StreamItem<Data>>;
}

// oxlint-disable-next-line typescript/no-explicit-any
type Call = (...args: any[]) => unknown;
type CallOf<Node> = Node extends { query: infer Read extends Call }
  ? Read
  : Node extends { mutate: infer Change extends Call }
    ? Change
    : Node extends { subscribe: infer Hear extends Call }
      ? Hear
      : undefined;

/** What the procedures of a tree take, each at its own place. */
export type InputsOf<Tree> = {
  [Name in keyof Tree]: CallOf<Tree[Name]> extends infer Given extends Call
    ? Exclude<Parameters<Given>[0], undefined>
    : InputsOf<Tree[Name]>;
};

/** Their output; for a subscription, each event. */
export type OutputsOf<Tree> = {
  [Name in keyof Tree]: CallOf<Tree[Name]> extends infer Given extends Call
    ? Answered<ReturnType<Given>>
    : OutputsOf<Tree[Name]>;
};
type Answered<Result> = Result extends AsyncIterable<infer One> ? One : Awaited<Result>;
