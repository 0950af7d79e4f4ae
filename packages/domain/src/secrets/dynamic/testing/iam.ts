import { randomBytes, randomInt } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import aws4 from 'aws4';
import type { OutboundFetch } from '../../../kernel/index.ts';
import type { StandIns } from '../../../identities/auth-method/testing/stand-ins.ts';
import { whoSigned, type SigningKeys } from '../../../apps/aws/testing/signature-v4.ts';

/** A user, with everything that IAM does not let it go with. */
export interface IamUser {
  readonly name: string;
  readonly path: string;
  readonly boundary: string | null;
  readonly tags: ReadonlyMap<string, string>;
  readonly groups: Set<string>;
  readonly attached: Set<string>;
  readonly inline: Map<string, string>;
  readonly keys: SigningKeys[];
  /** Made by itself: a password, devices, keys of other kinds, each with its id. */
  readonly belongings: Map<string, Set<string>>;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const NAME = /^[\w+=,.@-]{1,64}$/;
const PATH = /^\/(?:[\x21-\x7e]+\/)?$/;
const ARN = /^arn:aws[a-z-]*:iam::(?:aws|\d{12}):policy\/[\w+=,.@/-]+$/;
const TAG = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;
const PAGE = 2;

/** What IAM names in its lists and takes away one by one, of what a user makes for itself. */
const BELONGINGS: Readonly<Record<string, { list: string; items: string; id: string; remove: string }>> = {
  device: { list: 'ListMFADevices', items: 'MFADevices', id: 'SerialNumber', remove: 'DeactivateMFADevice' },
  certificate: {
    list: 'ListSigningCertificates',
    items: 'Certificates',
    id: 'CertificateId',
    remove: 'DeleteSigningCertificate',
  },
  sshKey: { list: 'ListSSHPublicKeys', items: 'SSHPublicKeys', id: 'SSHPublicKeyId', remove: 'DeleteSSHPublicKey' },
  serviceCredential: {
    list: 'ListServiceSpecificCredentials',
    items: 'ServiceSpecificCredentials',
    id: 'ServiceSpecificCredentialId',
    remove: 'DeleteServiceSpecificCredential',
  },
};

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const element = (name: string, content: string) => `<${name}>${content}</${name}>`;
const texts = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(([name, value]) => element(name, escape(value)))
    .join('');

/**
 * An account at AWS, as far as the management of users goes: IAM, and the token service in one region. Every request has
 * to be signed as AWS has it, to be of the published form, and to be allowed to whoever signed it. It keeps to IAM's rules:
 * names, limits, what a user has to be rid of before it goes, pages, and that things are not known at once.
 */
export class IamAccount {
  readonly id: string;
  readonly region: string;
  /** Of whoever manages users. */
  readonly root: SigningKeys;
  readonly users = new Map<string, IamUser>();
  readonly groups = new Set(['developers', 'readers']);
  readonly policies = new Set(['arn:aws:iam::aws:policy/ReadOnlyAccess']);
  /** Roles that the keys may assume, with the external id that each demands. */
  readonly roles = new Map<string, string | null>();
  /** The access keys that may manage users; sessions of roles may, too. */
  readonly keepers = new Set<string>();
  /** What was done, in order: `CreateUser`, … */
  readonly calls: string[] = [];
  /** Actions that are not allowed. */
  readonly denied = new Set<string>();
  /** How many of the next calls are put off. */
  throttled = 0;
  /** For how many calls a new user is unknown to other actions. */
  lag = 0;
  /** What happens to an action: its answer is lost after it was done, or something else is answered. */
  fault: (action: string, form: URLSearchParams) => 'lost' | { status: number; body: string } | undefined = () =>
    undefined;
  now: () => number = Date.now;
  readonly #sessions: SigningKeys[] = [];
  readonly #unknown = new Map<string, number>();

  constructor({ id = String(randomInt(1e11, 1e12 - 1)), region = 'eu-central-1' } = {}) {
    this.id = id;
    this.region = region;
    this.root = this.makeKeys();
    this.keepers.add(this.root.accessKeyId);
  }

  /** The ids of keys say of which account they are. */
  makeKeys(prefix = 'AKIA'): SigningKeys {
    let bits = (1n << 40n) | BigInt(this.id);
    bits = (bits << 39n) | BigInt(`0x${randomBytes(4).toString('hex')}`);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
    const id = Array.from({ length: 16 }, (_, i) => alphabet[Number((bits >> BigInt(75 - 5 * i)) & 31n)]).join('');
    return { accessKeyId: prefix + id, secretAccessKey: randomBytes(30).toString('base64') };
  }

  async serve(standIns: StandIns): Promise<void> {
    await standIns.serve('iam.amazonaws.com', this.listener('iam'));
    await standIns.serve(`sts.${this.region}.amazonaws.com`, this.listener('sts'));
  }

  /** Asks the token service, as its clients do, who has these keys: an ARN, or nothing where they are nobody's. */
  async whoHas(fetch: OutboundFetch, keys: SigningKeys): Promise<string | undefined> {
    const [host, body] = [`sts.${this.region}.amazonaws.com`, 'Action=GetCallerIdentity&Version=2011-06-15'];
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
      'X-Amz-Date': new Date(this.now()).toISOString().replaceAll(/[-:]|\.\d{3}/g, ''),
    };
    const request = { host, path: '/', service: 'sts', region: this.region, method: 'POST', headers, body };
    const signed = aws4.sign(request, { ...keys }).headers as Record<string, string>;
    const answer = await fetch(`https://${host}/`, { method: 'POST', headers: signed, body });
    return answer.status === 200 ? /<Arn>(.*)<\/Arn>/.exec(answer.text())?.[1] : undefined;
  }

  listener(service: 'iam' | 'sts'): RequestListener {
    return (request, response) => {
      const answer = (found: 'lost' | { status: number; body: string }) =>
        found === 'lost'
          ? void request.socket.destroy()
          : void response.writeHead(found.status, { 'content-type': 'text/xml' }).end(found.body);
      this.#answer(service, request).then(answer, (error: unknown) => answer({ status: 500, body: String(error) }));
    };
  }

  async #answer(service: 'iam' | 'sts', request: IncomingMessage): Promise<'lost' | { status: number; body: string }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const form = new URLSearchParams(body);
    const action = form.get('Action') ?? '';
    const namespace =
      service === 'iam' ? 'https://iam.amazonaws.com/doc/2010-05-08/' : 'https://sts.amazonaws.com/doc/2011-06-15/';
    const id = '<RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId>';
    try {
      const fault = this.fault(action, form);
      if (typeof fault === 'object') return fault;
      const result = this.#act(service, this.#signer(service, request, body), form, request);
      this.calls.push(action);
      if (fault === 'lost') return 'lost';
      const inner = result === undefined ? '' : element(`${action}Result`, result);
      const metadata = element('ResponseMetadata', id);
      return {
        status: 200,
        body: `<${action}Response xmlns="${namespace}">\n${inner}\n${metadata}\n</${action}Response>\n`,
      };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const inner = element('Error', texts({ Type: 'Sender', Code: error.code, Message: error.message }));
      return {
        status: error.status,
        body: `<ErrorResponse xmlns="${namespace}">\n  ${inner}\n  ${id}\n</ErrorResponse>\n`,
      };
    }
  }

  /** The keys that were given for a role at last. */
  get lastSession(): SigningKeys | undefined {
    return this.#sessions.at(-1);
  }

  #keys(): SigningKeys[] {
    return [this.root, ...this.#sessions, ...[...this.users.values()].flatMap(({ keys }) => keys)];
  }

  #signer(service: 'iam' | 'sts', request: IncomingMessage, body: string): SigningKeys {
    const claimed = /Credential=([^/,]+)/.exec(request.headers.authorization ?? '')?.[1];
    if (!this.#keys().some(({ accessKeyId }) => accessKeyId === claimed))
      throw new Refusal(403, 'InvalidClientTokenId', 'The security token included in the request is invalid.');
    const signer = whoSigned(request, body, {
      service,
      region: service === 'iam' ? 'us-east-1' : this.region,
      now: this.now(),
      find: (id) => this.#keys().find(({ accessKeyId }) => accessKeyId === id),
    });
    if (!signer)
      throw new Refusal(
        403,
        'SignatureDoesNotMatch',
        'The request signature we calculated does not match the signature you provided.',
      );
    return signer;
  }

  /** The result of an action; `undefined` where it has none. */
  #act(
    service: 'iam' | 'sts',
    signer: SigningKeys,
    form: URLSearchParams,
    request: IncomingMessage,
  ): string | undefined {
    const action = form.get('Action') ?? '';
    const version = service === 'iam' ? '2010-05-08' : '2011-06-15';
    const type = request.headers['content-type'];
    if (request.method !== 'POST' || request.url !== '/' || type !== 'application/x-www-form-urlencoded; charset=utf-8')
      throw new Refusal(400, 'InvalidAction', 'Could not find operation');
    if (form.get('Version') !== version)
      throw new Refusal(400, 'InvalidAction', `Could not find version ${form.get('Version')}`);
    if (this.throttled > 0) {
      this.throttled--;
      throw new Refusal(400, 'Throttling', 'Rate exceeded');
    }
    const user = [...this.users.values()].find(({ keys }) => keys.includes(signer));
    if (service === 'sts') return this.#sts(action, user, form);
    const isKeeper = this.keepers.has(signer.accessKeyId) || this.#sessions.includes(signer);
    if (!isKeeper || this.denied.has(action))
      throw new Refusal(
        403,
        'AccessDenied',
        `User: arn:aws:iam::${this.id}:user/x is not authorized to perform: iam:${action}`,
      );
    const handler = this.#iam[action];
    if (!handler) throw new Refusal(400, 'InvalidAction', `Could not find operation ${action}`);
    return handler(form);
  }

  #sts(action: string, user: IamUser | undefined, form: URLSearchParams): string {
    if (action === 'GetCallerIdentity')
      return texts({
        Arn: `arn:aws:iam::${this.id}:user${user?.path ?? '/'}${user?.name ?? 'coffer'}`,
        UserId: 'AIDAEXAMPLE',
        Account: this.id,
      });
    const role = form.get('RoleArn') ?? '';
    const demanded = this.roles.get(role);
    if (action !== 'AssumeRole') throw new Refusal(400, 'InvalidAction', `Could not find operation ${action}`);
    if (!/^[\w+=,.@-]{2,64}$/.test(form.get('RoleSessionName') ?? '') || !(Number(form.get('DurationSeconds')) >= 900))
      throw new Refusal(
        400,
        'ValidationError',
        'Value at roleSessionName or durationSeconds failed to satisfy constraint',
      );
    if (demanded === undefined || (demanded !== null && demanded !== form.get('ExternalId')) || this.denied.has(action))
      throw new Refusal(403, 'AccessDenied', `User is not authorized to perform: sts:AssumeRole on resource: ${role}`);
    const session = { ...this.makeKeys('ASIA'), sessionToken: randomBytes(200).toString('base64') };
    this.#sessions.push(session);
    const { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken } = session;
    return element(
      'Credentials',
      texts({ AccessKeyId, SecretAccessKey, SessionToken, Expiration: '2030-01-01T00:00:00Z' }),
    );
  }

  #user(form: URLSearchParams): IamUser {
    const name = form.get('UserName') ?? '';
    const calls = this.#unknown.get(name) ?? 0;
    this.#unknown.set(name, calls - 1);
    const user = calls > 0 ? undefined : this.users.get(name);
    if (!user) throw new Refusal(404, 'NoSuchEntity', `The user with name ${name} cannot be found.`);
    return user;
  }

  /** One page of a list. */
  #page(form: URLSearchParams, name: string, members: readonly string[]): string {
    const from = Number(form.get('Marker') ?? 0);
    const shown = members.slice(from, from + PAGE).map((one) => element('member', one));
    const rest: Record<string, string> =
      from + PAGE < members.length ? { IsTruncated: 'true', Marker: String(from + PAGE) } : { IsTruncated: 'false' };
    return element(name, shown.join('\n')) + texts(rest);
  }

  readonly #iam: Record<string, (form: URLSearchParams) => string | undefined> = {
    CreateUser: (form) => {
      const name = form.get('UserName') ?? '';
      const path = form.get('Path') ?? '/';
      const boundary = form.get('PermissionsBoundary');
      if (!NAME.test(name)) throw new Refusal(400, 'ValidationError', 'The specified value for userName is invalid.');
      if (!PATH.test(path)) throw new Refusal(400, 'ValidationError', 'The specified value for path is invalid.');
      if (boundary !== null && !ARN.test(boundary))
        throw new Refusal(400, 'InvalidInput', `Scope ARN: ${boundary} does not exist`);
      if (boundary !== null && !this.policies.has(boundary))
        throw new Refusal(404, 'NoSuchEntity', `Scope ARN: ${boundary} does not exist or is not attachable.`);
      if ([...this.users.keys()].some((one) => one.toLowerCase() === name.toLowerCase()))
        throw new Refusal(409, 'EntityAlreadyExists', `User with name ${name} already exists.`);
      const tags = tagsOf(form);
      this.users.set(name, {
        name,
        path,
        boundary,
        tags,
        groups: new Set(),
        attached: new Set(),
        inline: new Map(),
        keys: [],
        belongings: new Map(),
      });
      this.#unknown.set(name, this.lag);
      return element(
        'User',
        texts({ Path: path, UserName: name, UserId: 'AIDAEXAMPLE', Arn: `arn:aws:iam::${this.id}:user${path}${name}` }),
      );
    },
    AddUserToGroup: (form) => {
      const group = form.get('GroupName') ?? '';
      if (!this.groups.has(group))
        throw new Refusal(404, 'NoSuchEntity', `The group with name ${group} cannot be found.`);
      this.#user(form).groups.add(group);
      return undefined;
    },
    AttachUserPolicy: (form) => {
      const policy = form.get('PolicyArn') ?? '';
      const user = this.#user(form);
      if (!this.policies.has(policy))
        throw new Refusal(404, 'NoSuchEntity', `Policy ${policy} does not exist or is not attachable.`);
      if (user.attached.size >= 10)
        throw new Refusal(409, 'LimitExceeded', 'Cannot exceed quota for PoliciesPerUser: 10');
      user.attached.add(policy);
      return undefined;
    },
    PutUserPolicy: (form) => {
      const document = form.get('PolicyDocument') ?? '';
      const user = this.#user(form);
      if (!NAME.test(form.get('PolicyName') ?? '')) throw new Refusal(400, 'ValidationError', 'policyName is invalid');
      if (document.replaceAll(/\s/g, '').length > 2048)
        throw new Refusal(409, 'LimitExceeded', 'Maximum policy size of 2048 bytes exceeded');
      const { Version, Statement } = JSON.parse(document) as { Version?: unknown; Statement?: unknown };
      if (Version !== '2012-10-17' || !Array.isArray(Statement))
        throw new Refusal(400, 'MalformedPolicyDocument', 'Syntax errors in policy.');
      user.inline.set(form.get('PolicyName')!, document);
      return undefined;
    },
    CreateAccessKey: (form) => {
      const user = this.#user(form);
      if (user.keys.length >= 2)
        throw new Refusal(409, 'LimitExceeded', 'Cannot exceed quota for AccessKeysPerUser: 2');
      const key = this.makeKeys();
      user.keys.push(key);
      const { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey } = key;
      return element('AccessKey', texts({ UserName: user.name, AccessKeyId, Status: 'Active', SecretAccessKey }));
    },
    ListAccessKeys: (form) => {
      const { name, keys } = this.#user(form);
      const members = keys.map(({ accessKeyId }) =>
        texts({ UserName: name, AccessKeyId: accessKeyId, Status: 'Active' }),
      );
      return this.#page(form, 'AccessKeyMetadata', members);
    },
    DeleteAccessKey: (form) => {
      const { keys } = this.#user(form);
      const id = form.get('AccessKeyId');
      const index = keys.findIndex(({ accessKeyId }) => accessKeyId === id);
      if (index < 0) throw new Refusal(404, 'NoSuchEntity', `The Access Key with id ${id} cannot be found`);
      keys.splice(index, 1);
      return undefined;
    },
    ListAttachedUserPolicies: (form) =>
      this.#page(
        form,
        'AttachedPolicies',
        [...this.#user(form).attached].map((PolicyArn) =>
          texts({ PolicyName: PolicyArn.split('/').at(-1)!, PolicyArn }),
        ),
      ),
    DetachUserPolicy: (form) => {
      if (!this.#user(form).attached.delete(form.get('PolicyArn') ?? ''))
        throw new Refusal(404, 'NoSuchEntity', `Policy ${form.get('PolicyArn')} was not found.`);
      return undefined;
    },
    ListUserPolicies: (form) => this.#page(form, 'PolicyNames', [...this.#user(form).inline.keys()].map(escape)),
    DeleteUserPolicy: (form) => {
      if (!this.#user(form).inline.delete(form.get('PolicyName') ?? ''))
        throw new Refusal(404, 'NoSuchEntity', 'The user policy cannot be found.');
      return undefined;
    },
    ListGroupsForUser: (form) =>
      this.#page(
        form,
        'Groups',
        [...this.#user(form).groups].map((GroupName) => texts({ Path: '/', GroupName })),
      ),
    RemoveUserFromGroup: (form) => {
      const user = this.#user(form);
      if (!user.groups.delete(form.get('GroupName') ?? ''))
        throw new Refusal(404, 'NoSuchEntity', 'The user is not in the group.');
      return undefined;
    },
    DeleteUser: (form) => {
      const user = this.#user(form);
      const conflict = (what: string) =>
        new Refusal(409, 'DeleteConflict', `Cannot delete entity, must ${what} first.`);
      if (user.keys.length > 0) throw conflict('delete access keys');
      if (user.attached.size > 0) throw conflict('detach all policies');
      if (user.inline.size > 0) throw conflict('delete policies');
      if (user.groups.size > 0) throw conflict('remove users from group');
      for (const [kind, ids] of user.belongings) if (ids.size > 0) throw conflict(`delete ${kind}`);
      this.users.delete(user.name);
      return undefined;
    },
    DeleteLoginProfile: (form) => {
      if (!this.#user(form).belongings.delete('password'))
        throw new Refusal(404, 'NoSuchEntity', `Login Profile for User ${form.get('UserName')} cannot be found.`);
      return undefined;
    },
    ...Object.fromEntries(
      Object.entries(BELONGINGS).flatMap(([kind, { list, items, id, remove }]) => [
        [
          list,
          (form: URLSearchParams) =>
            this.#page(
              form,
              items,
              [...(this.#user(form).belongings.get(kind) ?? [])].map((one) => texts({ [id]: one })),
            ),
        ],
        [
          remove,
          (form: URLSearchParams) => {
            if (
              !this.#user(form)
                .belongings.get(kind)
                ?.delete(form.get(id) ?? '')
            )
              throw new Refusal(404, 'NoSuchEntity', `No ${kind}`);
            return undefined;
          },
        ],
      ]),
    ),
  };
}

function tagsOf(form: URLSearchParams): Map<string, string> {
  const tags = new Map<string, string>();
  for (let i = 1; form.has(`Tags.member.${i}.Key`); i++) {
    const [key, value] = [form.get(`Tags.member.${i}.Key`)!, form.get(`Tags.member.${i}.Value`)];
    if (value === null || key === '' || !TAG.test(key) || !TAG.test(value))
      throw new Refusal(400, 'ValidationError', 'A tag is invalid');
    if (tags.has(key)) throw new Refusal(400, 'InvalidInput', 'Duplicate tag keys found.');
    tags.set(key, value);
  }
  return tags;
}
