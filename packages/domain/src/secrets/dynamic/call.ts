import type { Duplex } from 'node:stream';
import { DomainError, badRequest, type Context, type TargetLimits } from '../../kernel/index.ts';
import { tryCredentials } from '../../access/index.ts';
import type { Configuration, LoginIo } from '../../family/index.ts';
import { isRemote, RemoteSession } from '../../family/index.ts';
import { makePassword } from './password.ts';
import type { AnyProvider, ProviderIo } from './provider.ts';

/** Deadline of one call with everything that it does, in milliseconds. */
const CALL_TIME = 15_000;

/** The arguments of a call of a provider. */
export interface Called {
  /** The organization of the dynamic secret: each has its own queue at a target. */
  readonly organizationId: string;
  readonly provider: AnyProvider;
  readonly inputs: Configuration;
  /** Identifies these inputs; if absent, no connection is pooled. */
  readonly key?: string | undefined;
  /** Redacted from errors, besides the sealed fields. Texts that are obtained in the call are added. */
  readonly learned?: Set<string>;
}

/**
 * Calls one function of a provider, queued by target and with a deadline.
 *
 * @throws DomainError 400 `dynamic_secret.*` or `outbound.*`, with the target's message, redacted.
 */
export async function callProvider<T>(
  ctx: Context,
  called: Called,
  work: (inputs: never, io: ProviderIo) => Promise<T>,
  limits: TargetLimits = {},
): Promise<T> {
  const { provider, inputs, organizationId } = called;
  const target = provider.target(inputs as never);
  const timeMs = limits.timeMs ?? CALL_TIME;
  using session = new RemoteSession(ctx, {
    timeMs,
    credentials: called.learned ?? new Set(),
    serviceUrls: ctx.settings.apps.serviceUrls,
  });
  const timed = (signal: AbortSignal) => work(inputs as never, ioOf(ctx, called, session, signal));
  try {
    if (target === undefined) return await timed(AbortSignal.timeout(timeMs));
    return await ctx.targets.run(target, timed, { ...limits, timeMs, whose: organizationId });
  } catch (error) {
    for (const secret of secretsOf(provider, inputs)) session.hide(secret);
    throw await failureOf(ctx, provider, error, session);
  }
}

/**
 * The same with inputs of the caller that may not be right.
 *
 * @throws as `callProvider`; DomainError 429 after many refusals.
 */
export const tryProvider = <T>(
  ctx: Context,
  called: Called & { readonly projectId?: string },
  work: (inputs: never, io: ProviderIo) => Promise<T>,
): Promise<T> => {
  const { organizationId, projectId, provider, inputs } = called;
  const target = provider.target(inputs as never) ?? provider.type;
  return tryCredentials(ctx, { organizationId, projectId, what: provider.type, target }, () =>
    callProvider(ctx, called, work),
  );
};

/** Every sealed value of the inputs. */
const secretsOf = ({ sealedFields }: AnyProvider, inputs: Configuration): string[] =>
  [...sealedFields.keys()].flatMap((name) => textsIn(inputs[name]));

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** A call to a provider that failed. */
class ProviderFailure extends DomainError {
  readonly isUntouched: boolean;

  constructor(of: Pick<DomainError, 'kind' | 'code' | 'message'>, provider: string, isUntouched: boolean) {
    super(of.kind, of.code, of.message, { details: { provider } });
    this.isUntouched = isUntouched;
  }
}

/** Whether a call failed before its target was reached: nothing of it can be there. */
export const isUntouched = (error: unknown): boolean => error instanceof ProviderFailure && error.isUntouched;

const ioOf = (
  ctx: Context,
  { key, organizationId }: Called,
  session: RemoteSession,
  signal: AbortSignal,
): ProviderIo => ({
  fetch: session.fetch,
  connect: session.connect,
  now: session.now,
  organizationId,
  settings: ctx.settings.apps,
  signal,
  usePooled: (open, use) =>
    ctx.targets.usePooled(
      // No other call has this key.
      key ?? crypto.randomUUID(),
      signal,
      () =>
        opening(signal, open, {
          organizationId,
          connect: (target) => ctx.connect({ timeoutMs: Math.max(1, session.left), ...target }),
        }),
      (client) => {
        session.isTouched = true;
        return use(client);
      },
    ),
  password: (requirements) => session.hide(makePassword(requirements)),
  secret: (text) => session.hide(text),
});

/**
 * Returns a pooled connection once it is established; until then it ends with the call, even if its target is silent.
 */
async function opening<T>(
  signal: AbortSignal,
  open: (lasting: LoginIo) => Promise<T>,
  { organizationId, connect }: LoginIo,
): Promise<T> {
  const begun: Duplex[] = [];
  const end = () => begun.forEach((stream) => stream.destroy());
  signal.addEventListener('abort', end, { once: true });
  try {
    return await open({
      organizationId,
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

/** The reported and stored form of a failure. */
async function failureOf(
  ctx: Context,
  { type, title }: AnyProvider,
  error: unknown,
  session: RemoteSession,
): Promise<ProviderFailure> {
  if (error instanceof DomainError) {
    const { kind, code } = error;
    return new ProviderFailure({ kind, code, message: await session.redact(error.message) }, type, !session.isTouched);
  }
  const words = error instanceof Error ? `${error.name}: ${error.message}` : 'no error';
  ctx.log.warn({ provider: type, reason: await session.redact(words) }, 'A provider of dynamic secrets failed');
  const failure = badRequest('dynamic_secret.failed', `${title} did not answer as expected`);
  return new ProviderFailure(failure, type, !session.isTouched);
}

/** Whether the target has rejected the call: nothing of it will exist later. */
export const isCertain = (error: unknown): boolean => isRemote(error, 'rejected', 'throttled');

/** The part of a failure that is stored with a lease. */
export const wordsOf = (error: unknown): string => (error instanceof DomainError ? error.message : 'An unknown error');
