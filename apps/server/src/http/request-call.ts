import type { Http } from '@coffer/api';
import { bearerToken, Credential, type DomainError, type RequestInfo } from '@coffer/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Limits } from './rate-limit.ts';
import { isRemote } from './remote.ts';
import type { TransferOf } from './transfers.ts';

/** What the calls of one server share. */
export interface Door {
  readonly limits: Limits;
  readonly transferOf: TransferOf;
  /** Whether all cookies are for HTTPS only. Those of a page with HTTPS are in any case. */
  readonly isSecure: boolean;
  /** Whether callers may be anywhere, although they seem to be on this machine. */
  readonly isExposed: boolean;
}

/** Where a request comes from; see `RequestInfo`. Its fields are not `#private`, so that objects can be derived from it. */
export class HttpRequestInfo implements RequestInfo {
  readonly id: string;
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly clientCertificate: string | undefined;
  private readonly req: FastifyRequest;
  private readonly isExposed: boolean;

  constructor(
    req: FastifyRequest,
    ipAddress: string,
    clientCertificate: string | undefined,
    { isExposed }: Pick<Door, 'isExposed'>,
  ) {
    this.id = req.id;
    this.ipAddress = ipAddress;
    this.userAgent = req.headers['user-agent'] ?? '';
    this.clientCertificate = clientCertificate;
    this.req = req;
    this.isExposed = isExposed;
  }

  get isRemote(): boolean {
    return this.isExposed || isRemote(this.req);
  }
}

/**
 * The HTTP side of the call that a request is. A class, since every request makes one: its methods
 * are made once. Calls of a batch derive theirs from it, so its fields are not `#private`.
 */
export class RequestHttp implements Http {
  readonly bearer: string | undefined;
  readonly credential: Credential | undefined;
  private readonly req: FastifyRequest;
  private readonly reply: FastifyReply;
  private readonly ipAddress: string;
  private readonly door: Door;

  constructor(req: FastifyRequest, reply: FastifyReply, ipAddress: string, door: Door) {
    this.bearer = bearerOf(req.headers.authorization);
    this.credential = credentialOf(this.bearer, req.headers['x-api-key']);
    this.req = req;
    this.reply = reply;
    this.ipAddress = ipAddress;
    this.door = door;
  }

  cookies(name: string): readonly string[] {
    const pairs = this.req.headers.cookie?.split(';') ?? [];
    return pairs.flatMap((pair) => this.req.server.parseCookie(pair)[name] ?? []);
  }
  header(name: string): string | undefined {
    return isTyped(this.req) && name.startsWith('if-') ? undefined : [this.req.headers[name]].flat()[0];
  }
  setCookie(name: string, value: string | undefined, maxAge: number, path = '/'): void {
    void this.reply.setCookie(name, value ?? '', {
      httpOnly: true,
      path,
      sameSite: 'strict',
      secure: this.door.isSecure || isOfHttps(this.req),
      maxAge: value === undefined ? 0 : maxAge,
    });
  }
  clearSiteData(): void {
    void this.reply.header('clear-site-data', '"cache", "storage"');
  }
  refusedLogin(subject: string): DomainError | undefined {
    return this.door.limits.refusedLogin(subject, this.ipAddress, this.reply);
  }
  takeLoginTurn(subject: string): Promise<(isRefused: boolean) => void> {
    return this.door.limits.takeLoginTurn(subject, this.ipAddress);
  }
  refusedCredential(): DomainError | undefined {
    return this.door.limits.refusedCredential(this.ipAddress, this.reply);
  }
  countStrictly(operation: string, callerId?: string): void {
    this.door.limits.countStrictly(operation, this.ipAddress, this.reply, callerId);
  }
  announceAnswer(bytes: number, caller: string): Promise<void> {
    return this.door.transferOf(this.req, this.reply, caller).announce(bytes);
  }
  beginWait(isLong?: boolean): void {
    this.req.place?.beginWait(isLong);
  }
  endWait(): void {
    this.req.place?.endWait();
  }
}

/**
 * Whether the page, or the proxy, says that the request came by HTTPS: the host may be another one than that of
 * COFFER_SITE_URL. Who invents that only restricts its own cookies.
 */
const isOfHttps = ({ headers }: FastifyRequest): boolean =>
  headers.origin?.startsWith('https:') === true || HTTPS.test([headers['x-forwarded-proto']].flat().join());

/** The first proxy names the scheme of the browser, and others add theirs. */
const HTTPS = /^ *https *(?:,|$)/i;

/** Conditional headers (`if-…`) are about the answer to a request of REST: what typed calls answer has no tag. */
const isTyped = ({ url }: FastifyRequest): boolean => url.startsWith('/api/trpc/');

const BEARER = /^Bearer +(\S+) *$/i;

/** Only the scheme `Bearer` (RFC 6750, section 2.1); its name is case-insensitive (RFC 9110, section 11.1). */
const bearerOf = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : BEARER.exec(header)?.[1];

function credentialOf(bearer: string | undefined, apiKey: string | string[] | undefined): Credential | undefined {
  if (bearer !== undefined) return bearerToken(bearer);
  return apiKey === undefined ? undefined : new Credential('x-api-key', [apiKey].flat().join());
}
