import { setTimeout as sleep } from 'node:timers/promises';
import type { RemoteIo } from '../../family/index.ts';
import type { OutboundResponse } from '../../kernel/index.ts';
import { AwsFault } from './fault.ts';
import { urlOf, type AwsService } from './service.ts';
import { sign, type AwsKeys } from './sign.ts';

/**
 * Calls one action of a service.
 *
 * @throws AwsFault, DomainError `outbound.*` or `remote.*`
 */
export type AwsAction<Input, Answer> = (action: string, input?: Input) => Promise<Answer>;

/** Sends one signed request. Redirects are returned: AWS sends none. */
export const post = (
  io: RemoteIo,
  service: AwsService,
  keys: AwsKeys,
  { maxBytes, ...request }: { headers: Readonly<Record<string, string>>; body: string; maxBytes: number },
): Promise<OutboundResponse> =>
  io.fetch(urlOf(service), {
    method: 'POST',
    headers: sign(service, keys, request, io.now),
    body: request.body,
    maxBytes,
    maxRedirects: 0,
  });

/** Milliseconds before the first of the further tries. */
const PAUSE = 250;
const TRIES = 6;

/**
 * The same action, retried with backoff while AWS throttles it, until the signal aborts. `isPassing` selects further
 * transient faults: IAM is eventually consistent.
 */
export const retrying =
  <Input, Answer>(
    ask: AwsAction<Input, Answer>,
    signal: AbortSignal,
    isPassing: (fault: AwsFault) => boolean = () => false,
  ): AwsAction<Input, Answer> =>
  async (action, input) => {
    for (let tries = 1; ; tries++) {
      try {
        return await ask(action, input);
      } catch (error) {
        const canPass = error instanceof AwsFault && (error.isPassing || isPassing(error));
        if (!canPass || tries === TRIES) throw error;
        await sleep(PAUSE * 2 ** (tries - 1) * (0.5 + Math.random() / 2), undefined, { signal });
      }
    }
  };
