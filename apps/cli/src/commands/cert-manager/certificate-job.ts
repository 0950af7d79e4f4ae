import { X509Certificate, createPrivateKey, hash } from 'node:crypto';
import { isIP } from 'node:net';
import { readFileSync } from 'node:fs';
import { CofferError, type CofferClient, type Inputs } from '@coffer/client';
import { Backoff, type RetryStrategy } from '../../daemon/backoff.ts';
import { writeTogether, DeliveredFile } from '../../daemon/delivered-file.ts';
import { execute } from '../../daemon/execute.ts';
import { isAway, messageOf } from '../../daemon/failure.ts';
import type { State } from '../../daemon/state.ts';
import { wait } from '../../daemon/wait.ts';
import { CommandError, failure } from '../../exit.ts';
import { pathOf, readText } from '../../files.ts';
import type { Io } from '../../io.ts';
import type { Attributes, CertificateConfig, Hook, Output } from './config.ts';

export interface CertificateJobOptions {
  readonly client: CofferClient;
  readonly io: Io;
  readonly state: State;
  readonly retry: RetryStrategy;
  readonly signal: AbortSignal;
}

/** A certificate with all that belongs to it, in PEM. */
interface Bundle {
  readonly certificate: string;
  readonly chain: string;
  readonly privateKey: string | null;
}

/** Milliseconds between questions after an order that somebody else carries out. */
const PENDING = 2000;

/** One certificate in files: issued or fetched, renewed, and followed by its commands. */
export class CertificateJob {
  readonly config: CertificateConfig;
  fault: string | undefined;
  #current: X509Certificate | undefined;
  readonly #options: CertificateJobOptions;
  readonly #files: {
    readonly certificate: DeliveredFile;
    readonly privateKey?: DeliveredFile;
    readonly chain?: DeliveredFile;
  };

  constructor(config: CertificateConfig, options: CertificateJobOptions) {
    this.config = config;
    this.#options = options;
    const file = ({ path, permission }: Output): DeliveredFile =>
      new DeliveredFile(pathOf(path, options.io.cwd), { permission });
    this.#files = {
      certificate: file(config.certificate),
      ...(config.privateKey && { privateKey: file(config.privateKey) }),
      ...(config.chain && { chain: file(config.chain) }),
    };
    for (const one of Object.values(this.#files)) one.clean();
  }

  /** Milliseconds since 1970; `undefined` without a certificate. */
  get endsAt(): number | undefined {
    return this.#current && this.#current.validToDate.getTime();
  }

  /** Keeps the files up to date until the signal is aborted, or the certificate has been refused too often. */
  async keep(): Promise<void> {
    const { signal, io, retry } = this.#options;
    const away = new Backoff({ ...retry, maxDelay: this.config.retryInterval });
    let refusals = 0;
    while (!signal.aborted) {
      try {
        await this.refresh();
        refusals = 0;
        away.reset();
        await wait(this.config.checkInterval, signal);
      } catch (error) {
        if (signal.aborted) return;
        io.say('error', `${this.config.name}: ${messageOf(error)}`);
        await this.#hook('on-failure', { ERROR_MESSAGE: messageOf(error) });
        if (isAway(error) || error instanceof RenewalWaits) await wait(away.next(), signal);
        else if (error instanceof CertificateEnded || ++refusals > this.config.maxFailures) return;
        else await wait(this.config.retryInterval, signal);
      }
    }
  }

  /** Brings the files up to date. @throws what the server, or the file system, refuses. */
  async refresh(): Promise<void> {
    try {
      this.#current ??= this.#onDisk();
      await this.#runDue();
      const { source } = this.config;
      if (source.kind === 'certificate') await this.#track(source);
      else await this.#maintain();
      this.fault = undefined;
    } catch (error) {
      this.fault = messageOf(error);
      throw error;
    }
  }

  /** The certificate in the file, if it is whole, has its key, and is what is asked for. */
  #onDisk(): X509Certificate | undefined {
    try {
      const certificate = new X509Certificate(readFileSync(this.#files.certificate.path));
      const { privateKey } = this.#files;
      if (privateKey && !certificate.checkPrivateKey(createPrivateKey(readFileSync(privateKey.path)))) return undefined;
      if (this.#files.chain && !this.#files.chain.isThere) return undefined;
      return namesOf(this.config.attributes).every((name) => isFor(certificate, name)) ? certificate : undefined;
    } catch {
      return undefined;
    }
  }

  /** Issues it, or renews it when it is time. */
  async #maintain(): Promise<void> {
    const current = this.#current;
    const waiting = this.#requestThatWaits();
    if (waiting !== undefined) return this.#deliver(await this.#await(waiting), current ? 'on-renewal' : 'on-issuance');
    if (!current) return this.#deliver(await this.#issue(), 'on-issuance');
    const { status, id } = await this.#statusOf(current);
    if (status === 'revoked')
      throw new CertificateEnded(
        `The certificate is revoked; to get another one, delete ${this.config.certificate.path}`,
      );
    const { renewBefore } = this.config;
    const left = current.validToDate.getTime() - Date.now();
    if (renewBefore === undefined) {
      if (left <= 0) throw new CertificateEnded('The certificate has expired, and renew-before-expiry is not set');
      return;
    }
    // One with a shorter life than that would be renewed all the time.
    const life = current.validToDate.getTime() - current.validFromDate.getTime();
    if (left > Math.min(renewBefore, (life * 2) / 3)) return;
    await this.#deliver(await this.#renew(id), 'on-renewal');
  }

  /** Writes a certificate that others manage, and the one that has replaced it. */
  async #track({ id, follows }: { readonly id: string; readonly follows: boolean }): Promise<void> {
    const { client, io } = this.#options;
    const { certificate } = await client.certificates.get.query({ id });
    const wanted = follows ? (certificate.latestRenewalCertificateId ?? certificate.id) : certificate.id;
    const { certificate: found } =
      wanted === certificate.id ? { certificate } : await client.certificates.get.query({ id: wanted });
    if (found.status === 'revoked')
      throw new CertificateEnded('The certificate is revoked; the files stay as they are');
    if (Date.parse(found.notAfter) <= Date.now())
      throw new CertificateEnded('The certificate has expired; the files stay as they are');
    const bundle = await client.certificates.bundle.query({ id: wanted });
    const next = new X509Certificate(bundle.certificate);
    if (this.#current?.fingerprint256 === next.fingerprint256) return;
    const isNew = !this.#files.certificate.isThere;
    if (bundle.privateKey === null && this.#files.privateKey) {
      if (!isNew) throw failure('The server has no private key of the new certificate; the files stay as they are');
      io.say('warn', `${this.config.name}: the server has no private key of it; its file is not written`);
    }
    await this.#deliver({ ...bundle, chain: bundle.certificateChain ?? '' }, isNew ? 'on-issuance' : 'on-renewal');
  }

  /** By its fingerprint, so that no ID has to be remembered. */
  async #statusOf(current: X509Certificate): Promise<{ status: string; id: string | undefined }> {
    const id = current.fingerprint256.replaceAll(':', '').toLowerCase();
    try {
      const { certificate } = await this.#options.client.certificates.get.query({ id });
      return { status: certificate.status, id: certificate.id };
    } catch (error) {
      // Whoever may only issue does not read it.
      if (error instanceof CofferError && (error.status === 403 || error.status === 404))
        return { status: 'unknown', id: undefined };
      throw error;
    }
  }

  async #issue(): Promise<Bundle> {
    const { client } = this.#options;
    const { source, attributes } = this.config;
    if (source.kind !== 'profile') throw new Error('unreachable');
    const { id: projectId } = await client.projects.getBySlug.query({ slug: source.projectSlug });
    const { certificateProfile } = await client.certificateProfiles.getBySlug.query({
      projectId,
      slug: source.profile,
    });
    const request = this.#csr();
    const answer = await client.certificateOrders.order.mutate({
      profileId: certificateProfile.id,
      removeRootsFromChain: this.config.chain?.omitsRoot ?? true,
      ...(request === undefined ? { attributes: orderOf(attributes) } : { csr: request }),
    });
    if (answer.certificate) return { ...answer.certificate, chain: answer.certificate.certificateChain };
    return this.#await(answer.certificateRequestId);
  }

  #csr(): string | undefined {
    const { csr } = this.config;
    return csr && ('path' in csr ? readText(pathOf(csr.path, this.#options.io.cwd)) : csr.text);
  }

  async #renew(id: string | undefined): Promise<Bundle> {
    if (id === undefined) return this.#issue();
    const removeRootsFromChain = this.config.chain?.omitsRoot ?? true;
    let renewed;
    try {
      renewed = await this.#options.client.certificates.renew.mutate({ id, removeRootsFromChain });
    } catch (error) {
      if (!(error instanceof CofferError) || isAway(error)) throw error;
      // The answer to a renewal was lost.
      if (error.reason === 'certificate_order.pending') throw new RenewalWaits('The renewal waits for its authority');
      const successor = error.reason === 'certificates_renewed_from_unique' ? await this.#successorOf(id) : undefined;
      // What cannot be renewed is ordered anew, as far as the profile allows it.
      return successor ?? this.#issue();
    }
    return 'certificate' in renewed
      ? { ...renewed, chain: renewed.certificateChain }
      : this.#await(renewed.certificateRequestId);
  }

  /** What a certificate was renewed by, with its key if that is to be in a file; `undefined` if it cannot be delivered. */
  async #successorOf(id: string): Promise<Bundle | undefined> {
    const { client } = this.#options;
    const { certificate } = await client.certificates.get.query({ id });
    const next = certificate.latestRenewalCertificateId;
    if (!next) return undefined;
    const { status } = (await client.certificates.get.query({ id: next })).certificate;
    const bundle = await client.certificates.bundle.query({ id: next });
    const isDeliverable = status === 'active' && (bundle.privateKey !== null || !this.#files.privateKey);
    return isDeliverable ? { ...bundle, chain: bundle.certificateChain ?? '' } : undefined;
  }

  /** The request that waits for an authority elsewhere, if it is for what is asked for now. */
  #requestThatWaits(): string | undefined {
    const stored = this.#options.state.requestFor(this.#files.certificate.path);
    return stored && stored.of === this.#wanted() ? stored.id : undefined;
  }

  /** A digest of what is asked for. */
  #wanted(): string {
    const { source, attributes } = this.config;
    return hash('sha256', JSON.stringify([source, attributes, this.#csr() ?? null]));
  }

  #keepRequest(id: string | undefined): void {
    const { path } = this.#files.certificate;
    this.#options.state.keepRequest(path, id === undefined ? undefined : { id, of: this.#wanted() });
  }

  /** Waits for an authority elsewhere. Its request is known until its certificate is in the files, also after a kill. */
  async #await(requestId: string): Promise<Bundle> {
    this.#keepRequest(requestId);
    try {
      return await this.#issuedFor(requestId);
    } catch (error) {
      const isOver = error instanceof OrderEnded || (error instanceof CofferError && error.status === 404);
      if (isOver) this.#keepRequest(undefined);
      throw error;
    }
  }

  async #issuedFor(requestId: string): Promise<Bundle> {
    const { client, signal, io } = this.#options;
    io.say('info', `${this.config.name}: the order waits for its authority`);
    for (;;) {
      const { status, certificateId, errorMessage } = await client.certificateOrders.request.query({ requestId });
      if (status === 'issued' && certificateId !== null) {
        const bundle = await client.certificates.bundle.query({ id: certificateId });
        return { ...bundle, chain: bundle.certificateChain ?? '' };
      }
      if (status !== 'pending')
        throw new OrderEnded(`The order is ${status}${errorMessage ? `: ${errorMessage}` : ''}`);
      await wait(PENDING, signal);
      signal.throwIfAborted();
    }
  }

  /** Writes all files, or none where one cannot be written, and runs the command. */
  async #deliver({ certificate, chain, privateKey }: Bundle, hook: Hook): Promise<void> {
    const { state, io } = this.#options;
    const { path } = this.#files.certificate;
    if (this.config.hooks[hook]) state.setDue(`${hook} ${path}`, true);
    const files = this.#files;
    writeTogether([
      ...(files.privateKey && privateKey !== null ? [[files.privateKey, withNewline(privateKey)] as const] : []),
      ...(files.chain ? [[files.chain, withNewline(chain)] as const] : []),
      [files.certificate, withNewline(certificate)],
    ]);
    this.#keepRequest(undefined);
    this.#current = new X509Certificate(certificate);
    io.say('info', `${this.config.name}: written, valid until ${this.#current.validToDate.toISOString()}`);
    await this.#runDue();
  }

  /** Runs the commands after a change, also when that was before a kill. */
  async #runDue(): Promise<void> {
    const { state } = this.#options;
    for (const hook of ['on-issuance', 'on-renewal'] as const) {
      const due = `${hook} ${this.#files.certificate.path}`;
      if (!state.isDue(due)) continue;
      if (this.#onDisk()) await this.#hook(hook, {});
      state.setDue(due, false);
    }
  }

  async #hook(hook: Hook, variables: Readonly<Record<string, string>>): Promise<void> {
    const command = this.config.hooks[hook];
    if (!command) return;
    const { io } = this.#options;
    const { certificate, privateKey, chain } = this.#files;
    const all = {
      CERT_COMMON_NAME: this.config.attributes['common-name'] ?? '',
      CERT_FILE_PATH: certificate.path,
      CERT_KEY_PATH: privateKey?.path ?? '',
      CERT_CHAIN_PATH: chain?.path ?? '',
      ...variables,
    };
    try {
      await execute(command, io, all);
    } catch (error) {
      io.say('error', `${this.config.name}: ${messageOf(error)}`);
    }
  }
}

/** Nothing is issued for it any more. */
class OrderEnded extends CommandError {}

/** It goes on by itself, and comes to an end. */
class RenewalWaits extends CommandError {}

/** Nothing that the agent does brings it back. */
class CertificateEnded extends CommandError {}

const withNewline = (pem: string): string => (pem === '' || pem.endsWith('\n') ? pem : `${pem}\n`);

const namesOf = (attributes: Attributes): string[] => [
  ...new Set([attributes['common-name'], ...attributes['alt-names']].filter((name) => name !== undefined)),
];

const isFor = (certificate: X509Certificate, name: string): boolean =>
  certificate.subject.split('\n').includes(`CN=${name}`) ||
  (certificate.subjectAltName ?? '').split(', ').some((one) => one.slice(one.indexOf(':') + 1) === name);

type OrderAttributes = NonNullable<Inputs['certificateOrders']['order']['attributes']>;

function orderOf(attributes: Attributes): OrderAttributes {
  const given: Record<string, unknown> = {
    commonName: attributes['common-name'],
    ttl: attributes.ttl,
    notBefore: attributes['not-before'],
    notAfter: attributes['not-after'],
    keyAlgorithm: attributes['key-algorithm'],
    signatureAlgorithm: attributes['signature-algorithm'],
    keyUsages: attributes['key-usages'].length ? [...attributes['key-usages']] : undefined,
    extendedKeyUsages: attributes['extended-key-usages'].length ? [...attributes['extended-key-usages']] : undefined,
    altNames: attributes['alt-names'].length
      ? attributes['alt-names'].map((value) => ({ type: typeOfName(value), value }))
      : undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function typeOfName(name: string): string {
  if (isIP(name)) return 'ip_address';
  if (name.includes('://')) return 'uri';
  return name.includes('@') ? 'email' : 'dns_name';
}
