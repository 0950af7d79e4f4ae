import type { Duplex } from 'node:stream';
import {
  DomainError,
  badRequest,
  type Context,
  type OutboundConnect,
  type OutboundRequest,
  type TargetLimits,
} from '../../kernel/index.ts';
import type { Configuration } from '../../crypto/index.ts';
import { redact } from '../../outbound/index.ts';
import { makePassword } from './password.ts';
import type { AnyProvider, ProviderIo } from './provider.ts';

/** Milliseconds for one call, with all that it does. */
const CALL_TIME = 15_000;

/** With what a provider is called. */
export interface Called {
  /** Whose dynamic secret it is: each has turns of its own at a target. */
  readonly organizationId: string;
  readonly provider: AnyProvider;
  readonly inputs: Configuration;
  /** Stands for these inputs and no others; where absent, no connection is kept. */
  readonly key?: string | undefined;
  /** Taken out of errors, beside the sealed fields. What is learned in the call is added: for those that come of it. */
  readonly learned?: Set<string>;
}

/**
 * Calls one function of a provider, when it is its target's turn and for a limited time.
 *
 * @throws DomainError 400 `dynamic_secret.*` or `outbound.*`, with the target's words and without any credential.
 */
export async function callProvider<T>(
  ctx: Context,
  called: Called,
  work: (inputs: never, io: ProviderIo) => Promise<T>,
  limits: TargetLimits = {},
): Promise<T> {
  const { provider, inputs } = called;
  const { learned = new Set() } = called;
  const secrets = secretsOf(provider, inputs);
  const target = provider.target(inputs as never);
  const timeMs = limits.timeMs ?? CALL_TIME;
  let isTouched = false;
  const touch = () => void (isTouched = true);
  const timed = (signal: AbortSignal) => work(inputs as never, ioOf(ctx, called, { signal, timeMs, learned, touch }));
  try {
    if (target === undefined) return await timed(AbortSignal.timeout(timeMs));
    return await ctx.targets.run(target, timed, { ...limits, timeMs, whose: called.organizationId });
  } catch (error) {
    const failure = publicFailure(ctx, provider, error, [...secrets, ...learned]);
    if (!isTouched) untouched.add(failure);
    throw failure;
  }
}

/** Every sealed value of the inputs. */
const secretsOf = ({ sealedFields }: AnyProvider, inputs: Configuration): string[] =>
  [...sealedFields.keys()].flatMap((name) => textsIn(inputs[name]));

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

interface Bounds {
  readonly signal: AbortSignal;
  readonly timeMs: number;
  readonly learned: Set<string>;
  /** Told before anything is sent. */
  readonly touch: () => void;
}

/** What the network says where nothing was sent. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ENODATA', 'EHOSTUNREACH', 'ENETUNREACH']);

function isUnsent(error: unknown): boolean {
  if (!(error instanceof DomainError)) return false;
  const { code } = (error.details ?? {}) as { code?: string };
  return ['outbound.refused', 'outbound.bad_url'].includes(error.code) || UNSENT.has(code ?? '');
}

/** Failures before which nothing was sent. */
const untouched = new WeakSet<Error>();

/** Whether a call failed before its target was reached: nothing of it can be there. */
export const isUntouched = (error: unknown): boolean => error instanceof Error && untouched.has(error);

function ioOf(ctx: Context, { key }: Called, { signal, timeMs, learned, touch }: Bounds): ProviderIo {
  const end = performance.now() + timeMs;
  const left = () => Math.max(1, end - performance.now());
  const within = (request: OutboundRequest = {}) => ({
    ...request,
    timeoutMs: Math.min(request.timeoutMs ?? timeMs, left()),
  });
  const secret = (text: string) => {
    learned.add(text);
    return text;
  };
  return {
    fetch: (url, request) =>
      ctx.fetch(url, within(request)).then(
        (response) => {
          touch();
          return response;
        },
        (error: unknown) => {
          if (!isUnsent(error)) touch();
          throw error;
        },
      ),
    connect: async (target) => {
      const lifetimeMs = Math.min(target.lifetimeMs, left());
      const connection = await ctx.connect({
        ...target,
        timeoutMs: Math.min(target.timeoutMs ?? timeMs, left()),
        lifetimeMs,
      });
      touch();
      return connection;
    },
    now: ctx.now(),
    signal,
    usePooled: (open, use) =>
      ctx.targets.usePooled(
        // Nobody else has this key.
        key ?? crypto.randomUUID(),
        signal,
        () => opening(signal, open, (target) => ctx.connect({ timeoutMs: left(), ...target })),
        (client) => {
          touch();
          return use(client);
        },
      ),
    password: (requirements) => secret(makePassword(requirements)),
    secret,
  };
}

/** Opens what outlives the call once it stands; until then it ends with the call, however little its target says. */
async function opening<T>(
  signal: AbortSignal,
  open: (lasting: { readonly connect: OutboundConnect }) => Promise<T>,
  connect: OutboundConnect,
): Promise<T> {
  const begun: Duplex[] = [];
  const end = () => begun.forEach((stream) => stream.destroy());
  signal.addEventListener('abort', end, { once: true });
  try {
    return await open({
      async connect(target) {
        const connection = await connect(target);
        begun.push(connection.stream);
        if (signal.aborted) end();
        return connection;
      },
    });
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** What callers and rows are told of a failure. */
function publicFailure(ctx: Context, { type, title }: AnyProvider, error: unknown, credentials: string[]): DomainError {
  if (error instanceof DomainError) {
    const message = redact(error.message, { credentials });
    return new DomainError(error.kind, error.code, message, { details: { provider: type } });
  }
  const words = error instanceof Error ? `${error.name}: ${error.message}` : 'no error';
  const reason = redact(words, { credentials });
  ctx.log.warn({ provider: type, reason }, 'A provider of dynamic secrets failed');
  return badRequest('dynamic_secret.failed', `${title} did not answer as expected`, { provider: type });
}

/** Whether the target itself said that it did not do what was asked: nothing of it comes to be there later. */
export const isCertain = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'dynamic_secret.rejected';

/** What of a failure is kept beside a lease. */
export const wordsOf = (error: unknown): string => (error instanceof DomainError ? error.message : 'An unknown error');
