import type { z } from 'zod';
import {
  jsonOf,
  malformed,
  rejected,
  remoteError,
  retryAfterOf,
  throttled,
  type RemoteIo,
} from '../../family/index.ts';
import type { OutboundResponse } from '../../kernel/index.ts';
import { bindExternalAccount, signMessage, type AccountKey, type ExternalAccount } from './account-key.ts';
import { AcmeOrder, Authorization, Directory, Problem, wordsOfProblem } from './resource.ts';

/** Tries with a nonce that the server does not know, or no longer (RFC 8555, section 6.5). */
const TRIES = 4;
const TYPE = 'application/jose+json';

/** By which a server says that it does not have something, or no longer. */
const UNKNOWN: readonly number[] = [404, 410];

interface PostOptions {
  readonly isKnown?: boolean;
  readonly isDone?: string;
  readonly accepts?: readonly number[];
}

export interface Registration {
  readonly email: string;
  readonly externalAccount?: ExternalAccount | undefined;
}

/** A resource, and how long the server wants to be left alone. */
export interface Polled<Resource> {
  readonly resource: Resource;
  /** Seconds. */
  readonly retryAfter: number | undefined;
}

/** A client of one ACME server (RFC 8555) with one key. */
export class AcmeClient {
  readonly #io: RemoteIo;
  readonly #directory: Directory;
  readonly #key: AccountKey;
  /** Absent before the key has an account. */
  readonly #account: string | undefined;
  #nonce: string | undefined;

  private constructor(io: RemoteIo, directory: Directory, key: AccountKey, account: string | undefined) {
    this.#io = io;
    this.#directory = directory;
    this.#key = key;
    this.#account = account;
  }

  /** Reads the directory. @throws DomainError `remote.*`, `outbound.*` */
  static async open(io: RemoteIo, url: string, key: AccountKey, account?: string): Promise<AcmeClient> {
    const answer = await io.fetch(url, { maxRedirects: 0 });
    if (answer.status !== 200) throw refusal(url, answer, io.now);
    return new AcmeClient(io, read(Directory, url, answer), key, account);
  }

  get needsExternalAccount(): boolean {
    return this.#directory.meta?.externalAccountRequired === true;
  }

  /** The URL of the key's account, which is made where there is none. */
  async register({ email, externalAccount }: Registration): Promise<string> {
    const url = this.#directory.newAccount;
    const externalAccountBinding = externalAccount && (await bindExternalAccount(this.#key, externalAccount, url));
    const contact = contactOf(email);
    const account = { termsOfServiceAgreed: true, contact, ...(externalAccountBinding && { externalAccountBinding }) };
    return locationOf(url, await this.#post(url, account, { isKnown: false }));
  }

  /** Gives the account of the key another contact (RFC 8555, section 7.3.2). */
  async updateContact(email: string): Promise<void> {
    if (this.#account !== undefined) await this.#post(this.#account, { contact: contactOf(email) });
  }

  /** The URL of a new order for DNS names. */
  async order(names: readonly string[]): Promise<string> {
    const url = this.#directory.newOrder;
    const identifiers = names.map((value) => ({ type: 'dns', value }));
    return locationOf(url, await this.#post(url, { identifiers }));
  }

  getOrder(url: string): Promise<Polled<AcmeOrder>> {
    return this.#get(AcmeOrder, url);
  }

  /** The same; `undefined` if the server does not know the order, or no longer. Any other refusal says nothing about the order. */
  async findOrder(url: string): Promise<Polled<AcmeOrder> | undefined> {
    const answer = await this.#post(url, undefined, { accepts: UNKNOWN });
    return UNKNOWN.includes(answer.status) ? undefined : this.#polled(AcmeOrder, url, answer);
  }

  getAuthorization(url: string): Promise<Polled<Authorization>> {
    return this.#get(Authorization, url);
  }

  /** Asks the server to look at what it was challenged with. */
  async respond(challengeUrl: string): Promise<void> {
    await this.#post(challengeUrl, {});
  }

  async finalize(url: string, csr: Uint8Array): Promise<void> {
    await this.#post(url, { csr: Buffer.from(csr).toString('base64url') });
  }

  /** The certificate and its chain, as PEM. */
  async download(url: string): Promise<string> {
    return (await this.#post(url, undefined)).text();
  }

  /** Revokes a certificate, unless that was done before. */
  async revoke(certificate: Uint8Array, reason: number): Promise<void> {
    const body = { certificate: Buffer.from(certificate).toString('base64url'), reason };
    await this.#post(this.#directory.revokeCert, body, { isDone: 'alreadyRevoked' });
  }

  async #get<Schema extends z.ZodType>(schema: Schema, url: string): Promise<Polled<z.output<Schema>>> {
    return this.#polled(schema, url, await this.#post(url, undefined));
  }

  #polled<Schema extends z.ZodType>(schema: Schema, url: string, answer: OutboundResponse): Polled<z.output<Schema>> {
    return { resource: read(schema, url, answer), retryAfter: retryAfterOf(answer, this.#io.now) };
  }

  /** `isDone`: the problem by which the server says that nothing was left to do. `accepts`: statuses that are no errors. */
  async #post(
    url: string,
    payload: object | undefined,
    { isKnown = true, isDone, accepts = [] }: PostOptions = {},
  ): Promise<OutboundResponse> {
    for (let tries = 1; ; tries++) {
      const nonce = await this.#takeNonce();
      const header = { url, nonce, kid: isKnown ? this.#account : undefined };
      const body = JSON.stringify(await signMessage(this.#key, payload, header));
      const request = { method: 'POST', headers: { 'content-type': TYPE }, body, maxRedirects: 0 };
      const answer = await this.#io.fetch(url, request);
      this.#nonce = answer.headers['replay-nonce'];
      if ((answer.status >= 200 && answer.status < 300) || accepts.includes(answer.status)) return answer;
      const { type } = problemOf(answer);
      if (isDone !== undefined && type.endsWith(`:${isDone}`)) return answer;
      if (!type.endsWith(':badNonce')) throw refusal(url, answer, this.#io.now);
      // It says nothing about the request, which may succeed later.
      if (tries === TRIES)
        throw remoteError('unavailable', `${new URL(url).hostname} has rejected ${TRIES} nonces in a row`);
    }
  }

  async #takeNonce(): Promise<string> {
    const known = this.#nonce;
    this.#nonce = undefined;
    if (known) return known;
    const url = this.#directory.newNonce;
    const { headers } = await this.#io.fetch(url, { method: 'HEAD', maxRedirects: 0 });
    const nonce = headers['replay-nonce'];
    if (!nonce) throw malformed(url, 'no nonce');
    return nonce;
  }
}

const contactOf = (email: string): string[] => [`mailto:${email}`];

const problemOf = (answer: OutboundResponse): Problem => Problem.catch({ type: '', detail: '' }).parse(jsonOf(answer));

/** Rate limits have a problem of their own, also without the status (section 6.6). */
function refusal(url: string, answer: OutboundResponse, now: Date): Error {
  const problem = problemOf(answer);
  if (answer.status === 429 || problem.type.endsWith(':rateLimited')) return throttled(url, retryAfterOf(answer, now));
  const words = wordsOfProblem(problem);
  if (answer.status >= 500)
    return remoteError('unavailable', `${new URL(url).hostname} answers ${answer.status}: ${words}`);
  return rejected(url, answer.status, words);
}

function read<Schema extends z.ZodType>(schema: Schema, url: string, answer: OutboundResponse): z.output<Schema> {
  const { success, data } = schema.safeParse(jsonOf(answer));
  if (!success) throw malformed(url, 'something other than ACME');
  return data;
}

function locationOf(url: string, { headers }: OutboundResponse): string {
  const location = headers['location'];
  if (!location?.startsWith('https://')) throw malformed(url, 'no location');
  return location;
}
