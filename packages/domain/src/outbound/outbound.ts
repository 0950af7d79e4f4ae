import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { TrustedAddress } from '../kernel/address.ts';
import type {
  OutboundConnect,
  OutboundConnection,
  OutboundFetch,
  OutboundNames,
  OutboundRequest,
  OutboundResponse,
  OutboundTarget,
  TurnOwner,
} from '../kernel/outbound.ts';
import { checkIdentity, CONNECTIONS, createConnections } from './connections.ts';
import { within } from './deadline.ts';
import { badOutboundRequest, badRedirect, unreachable } from './failure.ts';
import { createGuard, type NoteOfName, type Resolve, type ResolvedAddress } from './guard.ts';
import { createNames } from './names.ts';
import { OriginTurns } from './origin-turns.ts';
import { followRedirect, isRedirect, type Hop } from './redirect.ts';
import { systemResolver } from './resolver.ts';
import { discard, readResponse } from './response.ts';
import { createSockets } from './sockets.ts';
import { hostOf, readTarget } from './target.ts';

interface Redirect {
  readonly status: number;
  readonly location: string;
}

const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 3;

export interface OutboundOptions {
  /** Addresses outside the public internet that may be called. */
  allow: readonly TrustedAddress[];
  /** In place of the system's resolver. */
  resolve?: Resolve;
  /** The name servers of `names`, as `address:port`; default: those of the system. */
  nameServers?: readonly string[];
  /** Why names are not called: callers are not told. */
  note?: NoteOfName;
}

/**
 * The only way from Coffer to remotes. All failures are `bad_request`: `outbound.bad_url`, `.bad_request` (an invalid
 * header, method or certificate), `.refused`, `.unreachable`, `.timeout`, `.too_large`, `.redirect`, and
 * `.bad_response` if `text()` or `json()` of a response fails. Any status is a response, not a failure.
 */
export interface Outbound {
  /**
   * One request over HTTP/1.1, including redirects. It sends the caller's headers and `user-agent: coffer`; the
   * caller's headers for message framing (`host`, `connection`, `content-length`, …) are dropped.
   */
  fetch: OutboundFetch;
  /** A connection for another protocol, checked as `fetch` checks. */
  connect: OutboundConnect;
  /** DNS queries. */
  names: OutboundNames;
  /**
   * For drivers that can only connect by themselves: checks a host as `fetch` does and returns the address to connect
   * to, within 10 seconds. The caller must connect to exactly this address, verify the name in TLS (`servername`), and
   * limit time and bytes itself.
   */
  resolveHost: (hostname: string) => Promise<ResolvedAddress>;
  /** Waits for running calls (each with its own deadline), then closes all connections. */
  close: () => Promise<void>;
}

const stopping = (host: string) => unreachable(host, 'is not called: Coffer is stopping');

/** Creates the outbound client of a process. It connects to nothing before the first call. */
export function createOutbound({ allow, resolve = systemResolver(), nameServers, note }: OutboundOptions): Outbound {
  const guard = createGuard(allow, resolve, note);
  const connections = createConnections(guard);
  const sockets = createSockets(guard);
  const turns = new OriginTurns(CONNECTIONS);
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  async function exchange(url: string, request: OutboundRequest): Promise<OutboundResponse> {
    let hop = firstHop(url, request);
    const host = () => hostOf(hop.url);
    if (closed) throw stopping(host());
    return within(request.timeoutMs ?? TIMEOUT_MS, host, async (signal) => {
      for (let left = request.maxRedirects ?? MAX_REDIRECTS; ; left -= 1) {
        const answer = await turns.run(hop.url.origin, request.whose ?? '', signal, () => step(hop, request, signal));
        if ('body' in answer) return answer;
        if (left <= 0) throw badRedirect(host(), 'more often than is followed');
        hop = followRedirect(hop, answer.status, answer.location);
      }
    });
  }

  /** The answer of one origin, or where it redirects to. */
  async function step(hop: Hop, request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse | Redirect> {
    const response = await connections.send(hop, signal);
    const { statusCode: status = 0, headers } = response;
    if (!isRedirect(status, headers.location)) return readResponse(response, hostOf(hop.url), request);
    discard(response);
    return { status, location: headers.location };
  }

  /** Holds its turn until the connection has ended. */
  function openInTurn(target: OutboundTarget, whose: TurnOwner): Promise<OutboundConnection> {
    const open = (signal: AbortSignal) =>
      new Promise<OutboundConnection>((opened, failed) => {
        const hold = async () => {
          if (closed) throw stopping(target.host);
          const connection = await sockets.open(target);
          const { stream } = connection;
          opened(connection);
          if (signal.aborted) stream.destroy();
          if (!stream.closed) await new Promise((end) => stream.once('close', end));
        };
        turns.run(`${target.host}:${target.port}`, whose, signal, hold).catch(failed);
      });
    return within(target.timeoutMs ?? TIMEOUT_MS, () => target.host, open);
  }

  return {
    fetch(url, request = {}) {
      const result = exchange(url, request);
      const settled: Promise<unknown> = result.catch(() => {}).finally(() => underWay.delete(settled));
      underWay.add(settled);
      return result;
    },
    async connect(target) {
      if (closed) throw stopping(target.host);
      return target.whose === undefined ? sockets.open(target) : openInTurn(target, target.whose);
    },
    names: createNames(nameServers),
    async resolveHost(hostname) {
      const [first] = await within(
        TIMEOUT_MS,
        () => hostname,
        () => guard(hostname),
      );
      return first;
    },
    async close() {
      closed = true;
      await Promise.all(underWay);
      connections.close();
      sockets.close();
    },
  };
}

function firstHop(url: string, { method = 'GET', headers = {}, body, ca, clientCertificate }: OutboundRequest): Hop {
  const hop: Hop = {
    url: readTarget(url),
    method: readMethod(method),
    headers: { 'user-agent': 'coffer', ...readHeaders(headers) },
    body,
    ca: ca?.trim() || undefined,
    clientCertificate,
  };
  checkIdentity(hop);
  return hop;
}

function readMethod(method: string): string {
  const upper = method.toUpperCase();
  if (!['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'].includes(upper)) {
    throw badOutboundRequest('This HTTP method cannot be sent');
  }
  return upper;
}

/** Headers of the connection and of message framing, which the client sets itself. */
const framing = /^(?:connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

function readHeaders(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw badOutboundRequest('A header with invalid characters cannot be sent');
    }
    return [name.toLowerCase(), value] as const;
  });
  return Object.fromEntries(entries.filter(([name]) => !framing.test(name)));
}
