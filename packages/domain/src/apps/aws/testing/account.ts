import { randomBytes, randomInt } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { StandIns } from '../../../identities/auth-method/testing/stand-ins.ts';
import type { OutboundFetch } from '../../../kernel/index.ts';
import { ROUTE_53, serviceIn } from '../service.ts';
import { sign } from '../sign.ts';
import {
  AwsRefusal,
  element,
  JSON_TYPE,
  jsonAnswer,
  jsonRefusal,
  queryAnswer,
  queryRefusal,
  stsJson,
  texts,
  type Answer,
  type QueryService,
} from './answer.ts';
import { CertificateManager } from './certificate-manager.ts';
import { ElastiCache } from './elasticache.ts';
import { Iam, type IamUser } from './iam.ts';
import { Kms } from './kms.ts';
import { ParameterStore } from './parameter-store.ts';
import { PrivateCa } from './private-ca.ts';
import { Route53, route53Refusal } from './route-53.ts';
import { SecretsManager } from './secrets-manager.ts';
import { claimedKeyOf, hostOf, whoSigned, type SigningKeys } from './signature-v4.ts';

/** The services that are not in a region. */
const HOSTS: Readonly<Record<string, string>> = { iam: 'iam.amazonaws.com', route53: ROUTE_53.host };

/** Keys, and whose they are. */
export interface AwsPrincipal extends SigningKeys {
  readonly arn: string;
  readonly userId: string;
}

/** Injected results of a call: its response is lost after it was done, a given response, or a given error. */
export type AwsAccident =
  | 'lost'
  | { readonly status: number; readonly body: string }
  | { readonly type: string; readonly status?: number; readonly message?: string };

const VERSIONS = { elasticache: '2015-02-02', iam: '2010-05-08', sts: '2011-06-15' };
const JSON_SERVICES = {
  kms: 'TrentService',
  ssm: 'AmazonSSM',
  secretsmanager: 'secretsmanager',
  acm: 'CertificateManager',
  'acm-pca': 'ACMPrivateCA',
} as const;
type JsonService = keyof typeof JSON_SERVICES;
type Service = QueryService | JsonService | 'route53';
const SERVICES: readonly Service[] = [
  'elasticache',
  'iam',
  'sts',
  'kms',
  'ssm',
  'secretsmanager',
  'acm',
  'acm-pca',
  'route53',
];

/**
 * An AWS account in one region: IAM, the token service, Secrets Manager and Parameter Store, as far as Coffer calls
 * them. Every request must be signed, have the published form, and be allowed for its signer.
 */
export class AwsAccount {
  readonly id: string;
  readonly region: string;
  /** The keys that manage users and secrets. */
  readonly keys: SigningKeys;
  readonly iam = new Iam(this);
  readonly #secretsManager = new SecretsManager();
  readonly #parameterStore = new ParameterStore();
  readonly elastiCache = new ElastiCache();
  readonly kms = new Kms();
  readonly route53 = new Route53();
  readonly privateCa = new PrivateCa();
  readonly certificateManager: CertificateManager;
  readonly secrets = this.#secretsManager.secrets;
  readonly parameters = this.#parameterStore.parameters;
  readonly #services: Record<JsonService, { actions: Record<string, (input: Record<string, unknown>) => object> }>;
  /** Roles that the keys may assume, with the external id that each demands. */
  readonly roles = new Map<string, string | null>();
  /** Keys that were given for roles. */
  readonly sessions: Required<SigningKeys>[] = [];
  /** The access keys that may manage users; sessions of roles may, too. */
  readonly keepers = new Set<string>();
  /** What was done, in order: `CreateUser`, `AssumeRole <role>`, `PutParameter <name>`, … */
  readonly calls: string[] = [];
  /** All requests, of any signer. */
  readonly received: { host: string; headers: IncomingMessage['headers']; body: string }[] = [];
  /** Actions that are not allowed. */
  readonly denied = new Set<string>();
  /** Number of next calls of IAM and of the token service that are throttled. */
  throttled = 0;
  /** Whether secrets are for sessions of a role alone. */
  onlySessions = false;
  /** All responses wait for it. */
  gate: Promise<void> | undefined;
  fault: (action: string, input: Record<string, unknown>) => AwsAccident | undefined = () => undefined;
  now: () => number = Date.now;
  readonly #principals = new Map<string, AwsPrincipal>();

  constructor({ id = String(randomInt(1e11, 1e12 - 1)), region = 'eu-central-1' } = {}) {
    this.id = id;
    this.region = region;
    this.certificateManager = new CertificateManager(this);
    this.#services = {
      kms: this.kms,
      ssm: this.#parameterStore,
      secretsmanager: this.#secretsManager,
      acm: this.certificateManager,
      'acm-pca': this.privateCa,
    };
    this.keys = this.makeKeys();
    this.keepers.add(this.keys.accessKeyId);
  }

  /** The account that IDs of keys encode. */
  makeKeys(prefix = 'AKIA'): SigningKeys {
    let bits = (1n << 40n) | BigInt(this.id);
    bits = (bits << 39n) | BigInt(`0x${randomBytes(4).toString('hex')}`);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
    const id = Array.from({ length: 16 }, (_, i) => alphabet[Number((bits >> BigInt(75 - 5 * i)) & 31n)]).join('');
    return { accessKeyId: prefix + id, secretAccessKey: randomBytes(30).toString('base64') };
  }

  /** Keys of a user, of this account or another one; temporary ones for sessions. */
  keysOf(arn: string): AwsPrincipal {
    const isSession = arn.includes(':assumed-role/');
    const principal = {
      ...this.makeKeys(isSession ? 'ASIA' : 'AKIA'),
      ...(isSession && { sessionToken: randomBytes(300).toString('base64') }),
      arn,
      userId: isSession ? `AROAEXAMPLE:${arn.split('/').at(-1)}` : 'AIDAEXAMPLE',
    };
    this.#principals.set(principal.accessKeyId, principal);
    return principal;
  }

  /** The keys that were given for a role at last. */
  get lastSession(): SigningKeys | undefined {
    return this.sessions.at(-1);
  }

  async serve(standIns: StandIns): Promise<void> {
    for (const service of SERVICES) {
      const host = HOSTS[service] ?? serviceIn(service, this.region).host;
      await standIns.serve(host, this.listener(service));
    }
  }

  /**
   * Calls the token service, as its clients do, for the owner of these keys: an ARN, or nothing if they are invalid.
   */
  async whoHas(fetch: OutboundFetch, keys: SigningKeys): Promise<string | undefined> {
    const sts = serviceIn('sts', this.region);
    const body = 'Action=GetCallerIdentity&Version=2011-06-15';
    const form = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };
    const headers = sign(sts, keys, { headers: form, body }, new Date(this.now()));
    const answer = await fetch(`https://${sts.host}/`, { method: 'POST', headers, body });
    return answer.status === 200 ? /<Arn>(.*)<\/Arn>/.exec(answer.text())?.[1] : undefined;
  }

  listener(service: Service): RequestListener {
    return (request, response) => {
      this.#answer(service, request).then(
        (answer) =>
          answer === 'lost'
            ? void request.socket.destroy()
            : void response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body),
        (error: unknown) => void response.writeHead(500).end(String(error)),
      );
    };
  }

  async #answer(service: Service, request: IncomingMessage): Promise<'lost' | Answer> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    this.received.push({ host: hostOf(request), headers: request.headers, body });
    const answer = await this.#dispatch(service, request, body);
    await this.gate;
    return answer;
  }

  #dispatch(service: Service, request: IncomingMessage, body: string): 'lost' | Answer | Promise<Answer> {
    if (service === 'route53') return this.#zones(request, body);
    const isQuery = service === 'elasticache' || service === 'iam' || service === 'sts';
    return isQuery ? this.#query(service, request, body) : this.#json(service, request, body);
  }

  #find(accessKeyId: string): SigningKeys | undefined {
    const ofUsers = [...this.iam.users.values()].flatMap(({ keys }) => keys);
    const all = [this.keys, ...this.sessions, ...ofUsers, ...this.#principals.values()];
    return all.find((one) => one.accessKeyId === accessKeyId);
  }

  #signer(service: Service, request: IncomingMessage, body: string): SigningKeys | undefined {
    const region = service in HOSTS ? 'us-east-1' : this.region;
    return whoSigned(request, body, { service, region, now: this.now(), find: (id) => this.#find(id) });
  }

  #query(service: QueryService, request: IncomingMessage, body: string): 'lost' | Answer {
    const form = new URLSearchParams(body);
    const action = form.get('Action') ?? '';
    try {
      const accident = this.fault(action, Object.fromEntries(form));
      if (typeof accident === 'object') return answerOf(accident, (refusal) => queryRefusal(service, refusal));
      const answer = this.#act(service, request, body, form);
      this.calls.push([action, form.get('RoleArn')].filter(Boolean).join(' '));
      return accident ?? answer;
    } catch (error) {
      if (error instanceof AwsRefusal) return queryRefusal(service, error);
      throw error;
    }
  }

  #act(service: QueryService, request: IncomingMessage, body: string, form: URLSearchParams): Answer {
    const action = form.get('Action') ?? '';
    if (!this.#find(claimedKeyOf(request)))
      throw new AwsRefusal(403, 'InvalidClientTokenId', 'The security token included in the request is invalid.');
    const signer = this.#signer(service, request, body);
    if (!signer)
      throw new AwsRefusal(
        403,
        'SignatureDoesNotMatch',
        'The request signature we calculated does not match the signature you provided.',
      );
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    if (request.method !== 'POST' || request.url !== '/' || !isForm || form.get('Version') !== VERSIONS[service])
      throw new AwsRefusal(400, 'InvalidAction', 'Could not find operation');
    if (this.throttled > 0) {
      this.throttled--;
      throw new AwsRefusal(400, 'Throttling', 'Rate exceeded');
    }
    if (service === 'sts' && action === 'GetCallerIdentity') return this.#whoIs(signer, request);
    const result = service === 'sts' ? this.#assumeRole(form) : this.#manage(service, action, signer, form);
    return queryAnswer(service, action, result);
  }

  #whoIs(signer: SigningKeys, { headers }: IncomingMessage): Answer {
    const user = [...this.iam.users.values()].find(({ keys }) => keys.includes(signer));
    const principal = this.#principals.get(signer.accessKeyId) ?? { arn: this.#arnOf(user), userId: 'AIDAEXAMPLE' };
    const fields = { Arn: principal.arn, UserId: principal.userId, Account: principal.arn.split(':')[4]! };
    if (headers.accept === 'application/json') return stsJson('GetCallerIdentity', fields);
    return queryAnswer('sts', 'GetCallerIdentity', texts(fields));
  }

  #arnOf(user: IamUser | undefined): string {
    return `arn:aws:iam::${this.id}:user${user?.path ?? '/'}${user?.name ?? 'coffer'}`;
  }

  #assumeRole(form: URLSearchParams): string {
    const role = form.get('RoleArn') ?? '';
    const demanded = this.roles.get(role);
    if (form.get('Action') !== 'AssumeRole') throw new AwsRefusal(400, 'InvalidAction', 'Could not find operation');
    if (!/^[\w+=,.@-]{2,64}$/.test(form.get('RoleSessionName') ?? '') || !(Number(form.get('DurationSeconds')) >= 900))
      throw new AwsRefusal(
        400,
        'ValidationError',
        'Value at roleSessionName or durationSeconds failed to satisfy constraint',
      );
    const isAllowed = demanded === null || (demanded !== undefined && demanded === form.get('ExternalId'));
    if (!isAllowed || this.denied.has('AssumeRole'))
      throw new AwsRefusal(
        403,
        'AccessDenied',
        `User is not authorized to perform: sts:AssumeRole on resource: ${role}`,
      );
    const session = { ...this.makeKeys('ASIA'), sessionToken: randomBytes(200).toString('base64') };
    this.sessions.push(session);
    const { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken } = session;
    const keys = { AccessKeyId, SecretAccessKey, SessionToken, Expiration: '2030-01-01T00:00:00Z' };
    return element('Credentials', texts(keys));
  }

  #manage(
    service: 'elasticache' | 'iam',
    action: string,
    signer: SigningKeys,
    form: URLSearchParams,
  ): string | undefined {
    const isKeeper = this.keepers.has(signer.accessKeyId) || this.sessions.some((session) => session === signer);
    if (!isKeeper || this.denied.has(action))
      throw new AwsRefusal(
        403,
        'AccessDenied',
        `User: arn:aws:iam::${this.id}:user/x is not authorized to perform: iam:${action}`,
      );
    const handler = { elasticache: this.elastiCache, iam: this.iam }[service].actions[action];
    if (!handler) throw new AwsRefusal(400, 'InvalidAction', `Could not find operation ${action}`);
    return handler(form);
  }

  async #zones(request: IncomingMessage, body: string): Promise<Answer> {
    const { method = '', url = '' } = request;
    this.calls.push(`${method} ${url}`);
    try {
      const accident = this.fault(`${method} ${url}`, {});
      if (typeof accident === 'object') return answerOf(accident, route53Refusal);
      if (!this.#signer('route53', request, body)) throw new AwsRefusal(403, 'SignatureDoesNotMatch');
      return { status: 200, type: 'text/xml', body: await this.route53.answer(method, url, body) };
    } catch (error) {
      if (error instanceof AwsRefusal) return route53Refusal(error);
      throw error;
    }
  }

  #json(service: JsonService, request: IncomingMessage, body: string): 'lost' | Answer {
    const { headers, method, url } = request;
    const signer = this.#signer(service, request, body);
    if (method !== 'POST' || url !== '/' || headers['content-type'] !== JSON_TYPE)
      return jsonRefusal(new AwsRefusal(400, 'UnknownOperationException'));
    if (!signer || (this.onlySessions && !signer.sessionToken))
      return jsonRefusal(new AwsRefusal(400, 'InvalidSignatureException', 'The signature does not match'));
    const [prefix, action = ''] = String(headers['x-amz-target']).split('.');
    const input = JSON.parse(body) as Record<string, unknown>;
    this.calls.push([action, input['Name'] ?? input['SecretId'] ?? input['Path']].filter(Boolean).join(' '));
    const accident = this.fault(action, input);
    if (typeof accident === 'object') return answerOf(accident, jsonRefusal);
    const { actions } = this.#services[service];
    const handler = prefix === JSON_SERVICES[service] ? actions[action] : undefined;
    try {
      if (!handler) throw new AwsRefusal(400, 'UnknownOperationException');
      const answer = jsonAnswer(handler(input));
      return accident ?? answer;
    } catch (error) {
      if (error instanceof AwsRefusal) return jsonRefusal(error);
      throw error;
    }
  }
}

function answerOf(accident: Exclude<AwsAccident, 'lost'>, refuse: (refusal: AwsRefusal) => Answer): Answer {
  if ('body' in accident) return { ...accident, type: 'text/xml' };
  return refuse(new AwsRefusal(accident.status ?? 400, accident.type, accident.message));
}
