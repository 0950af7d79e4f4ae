import { Resolver } from 'node:dns/promises';
import type { OutboundNames } from '../kernel/outbound.ts';
import { within } from './deadline.ts';
import { asLookupFailure, badUrl, tooLarge } from './failure.ts';

/** Milliseconds for one question, its repetitions included. */
const TIMEOUT = 10_000;
/** Of one answer: far beyond what anybody has, and what anybody wants to look through. */
const MAX_RECORDS = 100;
const MAX_CHARACTERS = 16_384;

/** Labels of letters, digits, hyphens and, as of services, underscores: what is asked is a name and nothing else. */
const NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Asks name servers, given as `address:port`, and nobody else; those of the machine where there are none. */
export function createNames(servers: readonly string[] = []): OutboundNames {
  /** Each query has sockets of its own: no one waits for another's name. */
  async function ask<T>(name: string, question: (resolver: Resolver) => Promise<T>): Promise<T> {
    if (!NAME.test(name)) throw badUrl('This name cannot be resolved');
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    return within(
      TIMEOUT,
      () => name,
      async (signal) => {
        signal.addEventListener('abort', () => resolver.cancel(), { once: true });
        try {
          return await question(resolver);
        } catch (error) {
          throw asLookupFailure(error, name);
        }
      },
    );
  }

  return {
    addresses: (name) =>
      ask(name, async (resolver) => {
        const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
        const found = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
        // A server that answers one kind of question and fails at the other is common.
        const fault = [ipv4, ipv6].find((answer) => answer.status === 'rejected' && !isAbsent(answer.reason));
        if (found.length === 0 && fault?.status === 'rejected') throw fault.reason;
        return found.slice(0, MAX_RECORDS);
      }),
    texts: (name) =>
      ask(name, async (resolver) => {
        const records = await resolver.resolveTxt(name).catch((error: unknown) => {
          if (isAbsent(error)) return [];
          throw error;
        });
        const texts = records.map((pieces) => pieces.join(''));
        const size = texts.reduce((sum, text) => sum + text.length, 0);
        if (texts.length > MAX_RECORDS || size > MAX_CHARACTERS) throw tooLarge(name, 'more text');
        return texts;
      }),
  };
}

const isAbsent = (error: unknown) => ['ENOTFOUND', 'ENODATA'].includes(String((error as { code?: unknown }).code));
