import { z } from 'zod';
import { failedRequest, faultsOf, jsonOf, malformed, type RemoteIo } from '../../family/index.ts';
import type { OutboundResponse } from '../../kernel/index.ts';

/** CertCentral has one address for each region. */
const BASES = {
  us: 'https://www.digicert.com/services/v2',
  eu: 'https://certcentral.digicert.eu/services/v2',
} as const;
export const DIGICERT_REGIONS = ['us', 'eu'] as const;
export type DigiCertRegion = (typeof DIGICERT_REGIONS)[number];

const Account = z.object({ id: z.int() });
const Me = z.object({ account: Account.optional().catch(undefined) });

/** The Services API of CertCentral: https://dev.digicert.com/certcentral-apis/services-api.html */
export class DigiCertClient {
  readonly #io: RemoteIo;
  readonly #key: string;
  readonly base: string;
  /** Of its key, once `findAccount` was called. */
  accountId: string | undefined;

  constructor(io: RemoteIo, key: string, region: DigiCertRegion = 'us') {
    this.#io = io;
    this.#key = key;
    this.base = BASES[region];
  }

  /**
   * Finds out whose key it is: https://dev.digicert.com/certcentral-apis/services-api/users/view-my-info.html
   *
   * @throws DomainError `remote.*`
   */
  async findAccount(): Promise<void> {
    const { account } = await this.ask('/user/me', Me);
    this.accountId = String((account ?? (await this.ask('/account', Account))).id);
  }

  /** @throws DomainError `remote.*` */
  async ask<Schema extends z.ZodType>(path: string, schema: Schema, body?: object): Promise<z.output<Schema>> {
    const { success, data } = schema.safeParse(jsonOf(await this.call(body ? 'POST' : 'GET', path, body)));
    if (!success) throw malformed(this.base, 'something else than documented');
    return data;
  }

  async call(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<OutboundResponse> {
    const url = this.base + path;
    const answer = await this.#io.fetch(url, {
      method,
      headers: { 'x-dc-devkey': this.#key, accept: '*/*', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      maxRedirects: 0,
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw failedRequest(url, answer.status, faultsOf(answer));
  }
}
