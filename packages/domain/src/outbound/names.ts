import { Resolver } from 'node:dns/promises';
import type { OutboundNames } from '../kernel/outbound.ts';
import { within } from './deadline.ts';
import { asLookupFailure, isAbsent, badUrl, tooLarge } from './failure.ts';

/** Deadline of one query in milliseconds, retries included. */
const TIMEOUT = 10_000;
/** Maximum size of one response: far more than any legitimate one. */
const MAX_RECORDS = 100;
const MAX_CHARACTERS = 16_384;

/** Labels of letters, digits, hyphens and, for services, underscores. */
const NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Queries only the given name servers (`address:port`); default: those of the system. */
export function createNames(servers: readonly string[] = []): OutboundNames {
  /** Each query has its own sockets: no one waits for the query of another. */
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
        // Servers that answer one record type and fail for the other are common.
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
