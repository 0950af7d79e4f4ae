import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { generateKeyPair, jwtVerify, SignJWT, type CryptoKey, type JWTPayload } from 'jose';

const API_SERVER = 'https://kubernetes.default.svc';
const ISSUER = 'https://kubernetes.default.svc.cluster.local';
const RBAC = 'rbac.authorization.k8s.io';
const NAME = /^(?=.{1,253}$)[a-z0-9]+(?:(?:-+|\.)[a-z0-9]+)*$/;

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly labels?: object;
  };
  readonly roleRef?: { readonly apiGroup: string; readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];
}

/** The objects of one kind, in all namespaces. */
interface Resource {
  readonly group: string;
  readonly name: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
}
const RESOURCES: readonly Resource[] = [
  { group: '', name: 'serviceaccounts', kind: 'ServiceAccount', isNamespaced: true },
  { group: '', name: 'secrets', kind: 'Secret', isNamespaced: true },
  { group: RBAC, name: 'rolebindings', kind: 'RoleBinding', isNamespaced: true },
  { group: RBAC, name: 'clusterrolebindings', kind: 'ClusterRoleBinding', isNamespaced: false },
];

interface Answer {
  readonly status: number;
  readonly body: object;
}

class Failure extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(status: number, reason: string, message: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}
const invalid = (message: string) => new Failure(422, 'Invalid', message);

/** The account of a token, and its permissions by bindings. */
export interface Holder {
  readonly namespace: string;
  readonly account: string;
  /** `role:<namespace>/<name>` or `cluster-role:<name>`. */
  readonly roles: string[];
}

/**
 * The API server of a cluster, with service accounts and their tokens. It requires an authorized bearer token, rejects
 * invalid paths, bodies and names, keeps objects, and verifies tokens by signature, expiry, audience, account and bound
 * object.
 */
export class KubernetesApi {
  readonly namespaces = new Set(['apps', 'jobs', 'kube-system']);
  readonly roles = new Set(['role:apps/deployer', 'role:jobs/deployer', 'cluster-role:view']);
  /** What the keeper may not do: `create secrets`, `create serviceaccounts/token`, `bind deployer`. */
  readonly denied = new Set<string>();
  /** Maximum lifetime of tokens in seconds. */
  longestLife = Infinity;
  /** Old API servers know nothing of what tokens are bound to. */
  bindsTokens = true;
  /** What was done, in order: `POST /api/v1/…`. */
  readonly calls: string[] = [];
  /** Replaces the response; `lost` closes the connection after the work was done. */
  fault: (call: string, request: IncomingMessage) => Answer | 'lost' | undefined = () => undefined;
  now: () => number = Date.now;
  readonly #keys: { privateKey: CryptoKey; publicKey: CryptoKey };
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #keepers = new Set<string>();

  private constructor(keys: { privateKey: CryptoKey; publicKey: CryptoKey }) {
    this.#keys = keys;
    for (const path of ['serviceaccounts/apps/shop', 'serviceaccounts/kube-system/coffer']) {
      const [resource = '', namespace = '', name = ''] = path.split('/');
      const { kind } = RESOURCES.find((one) => one.name === resource)!;
      this.#objects.set(path, { apiVersion: 'v1', kind, metadata: { name, namespace, uid: randomUUID() } });
    }
  }

  static async start(): Promise<KubernetesApi> {
    return new KubernetesApi(await generateKeyPair('ES256'));
  }

  /** A token that may do all that is not denied. */
  async keeper(): Promise<string> {
    const { uid } = this.#objects.get('serviceaccounts/kube-system/coffer')!.metadata;
    const token = await this.#sign(
      { namespace: 'kube-system', serviceaccount: { name: 'coffer', uid } },
      [API_SERVER],
      86_400 * 3650,
    );
    this.#keepers.add(token);
    return token;
  }

  /** The objects, as `secrets/apps/x`, besides the initial ones. */
  get objects(): string[] {
    return [...this.#objects.keys()].filter(
      (path) => !/^serviceaccounts\/(?:apps\/shop|kube-system\/coffer)$/.test(path),
    );
  }

  object(path: string): KubernetesObject | undefined {
    return this.#objects.get(path);
  }

  remove(path: string): void {
    this.#objects.delete(path);
  }

  /** The account of a token that is valid now for one of these audiences. */
  async holder(token: string, audience = API_SERVER): Promise<Holder | undefined> {
    let payload: JWTPayload;
    try {
      const currentDate = new Date(this.now());
      ({ payload } = await jwtVerify(token, this.#keys.publicKey, { issuer: ISSUER, audience, currentDate }));
    } catch {
      return undefined;
    }
    const claims = payload['kubernetes.io'] as { namespace: string; serviceaccount: Ref; secret?: Ref };
    const { namespace, serviceaccount, secret } = claims;
    const isThere = (resource: string, { name, uid }: Ref) =>
      this.#objects.get(`${resource}/${namespace}/${name}`)?.metadata.uid === uid;
    if (!isThere('serviceaccounts', serviceaccount) || (secret && !isThere('secrets', secret))) return undefined;
    return { namespace, account: serviceaccount.name, roles: this.#rolesOf(namespace, serviceaccount.name) };
  }

  #rolesOf(namespace: string, account: string): string[] {
    return [...this.#objects.values()].flatMap(({ roleRef, subjects = [], metadata }) => {
      const isMeant = subjects.some(
        (one) => one.kind === 'ServiceAccount' && one.name === account && one.namespace === namespace,
      );
      if (!roleRef || !isMeant) return [];
      return [roleRef.kind === 'Role' ? `role:${metadata.namespace}/${roleRef.name}` : `cluster-role:${roleRef.name}`];
    });
  }

  #sign(claims: object, audience: readonly string[], seconds: number): Promise<string> {
    const now = Math.floor(this.now() / 1000);
    const { namespace, serviceaccount } = claims as { namespace: string; serviceaccount: Ref };
    return new SignJWT({ 'kubernetes.io': claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'cluster' })
      .setIssuer(ISSUER)
      .setSubject(`system:serviceaccount:${namespace}:${serviceaccount.name}`)
      .setAudience([...audience])
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(now + seconds)
      .sign(this.#keys.privateKey);
  }

  readonly listener: RequestListener = (request, response) => {
    const answer = (found: Answer | 'lost') =>
      found === 'lost'
        ? void request.socket.destroy()
        : void response.writeHead(found.status, { 'content-type': 'application/json' }).end(JSON.stringify(found.body));
    this.#answer(request).then(answer, (error: unknown) => answer({ status: 500, body: { error: String(error) } }));
  };

  async #answer(request: IncomingMessage): Promise<Answer | 'lost'> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = `${request.method} ${request.url}`;
    const fault = this.fault(call, request);
    if (typeof fault === 'object') return fault;
    try {
      const answer = await this.#act(request, Buffer.concat(chunks).toString());
      this.calls.push(call);
      return fault ?? answer;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { status: code, reason, message } = error;
      return {
        status: code,
        body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code },
      };
    }
  }

  async #act({ method, url = '', headers }: IncomingMessage, text: string): Promise<Answer> {
    const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    if (!(await this.holder(token))) throw new Failure(401, 'Unauthorized', 'Unauthorized');
    if (!this.#keepers.has(token)) throw new Failure(403, 'Forbidden', 'This account may do nothing here');
    if (headers['content-type'] !== 'application/json') throw new Failure(415, 'UnsupportedMediaType', 'only JSON');
    if (!headers.accept?.includes('application/json')) throw new Failure(406, 'NotAcceptable', 'only JSON');
    let body: Record<string, unknown>;
    try {
      body = JSON.parse(text) as Record<string, unknown>;
    } catch {
      throw new Failure(400, 'BadRequest', 'the object provided is unrecognized');
    }
    if (url === '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews' && method === 'POST')
      return this.#review(body);
    const found =
      /^\/(?:api\/v1|apis\/(rbac\.authorization\.k8s\.io)\/v1)(?:\/namespaces\/([a-z0-9-]+))?\/([a-z]+)(?:\/([a-z0-9.-]+)(\/token)?)?$/.exec(
        url,
      );
    const [, group = '', namespace, resourceName, name, isToken] = found ?? [];
    const resource = RESOURCES.find((one) => one.name === resourceName && one.group === group);
    if (!resource || resource.isNamespaced !== (namespace !== undefined))
      throw new Failure(404, 'NotFound', 'the server could not find the requested resource');
    if (isToken && resource.name === 'serviceaccounts' && method === 'POST')
      return this.#token(namespace!, name!, body);
    if (method === 'POST' && name === undefined) return this.#create(resource, namespace, body);
    if (method === 'DELETE' && name !== undefined && !isToken) return this.#delete(resource, namespace, name, body);
    throw new Failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
  }

  #allow(verb: string, what: string, namespace: string | undefined): void {
    if (!this.denied.has(`${verb} ${what}`)) return;
    const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
    throw new Failure(
      403,
      'Forbidden',
      `User "system:serviceaccount:kube-system:coffer" cannot ${verb} resource "${what}" ${where}`,
    );
  }

  #review(body: Record<string, unknown>): Answer {
    requireKind(body, 'authorization.k8s.io/v1', 'SelfSubjectAccessReview');
    if (this.denied.has('review')) throw new Failure(403, 'Forbidden', 'may not ask');
    const { resourceAttributes } = body['spec'] as { resourceAttributes: Record<string, string | undefined> };
    const { verb, resource, subresource, group } = resourceAttributes;
    if (!RESOURCES.some((one) => one.name === resource && one.group === group))
      throw invalid(`unknown resource ${resource}`);
    const allowed = !this.denied.has(`${verb} ${[resource, subresource].filter(Boolean).join('/')}`);
    return { status: 201, body: { ...body, status: { allowed } } };
  }

  #create(resource: Resource, namespace: string | undefined, body: Record<string, unknown>): Answer {
    this.#allow('create', resource.name, namespace);
    requireKind(body, resource.group === '' ? 'v1' : `${resource.group}/v1`, resource.kind);
    const { metadata, roleRef } = body as unknown as KubernetesObject;
    if (namespace !== undefined && !this.namespaces.has(namespace))
      throw new Failure(404, 'NotFound', `namespaces "${namespace}" not found`);
    if (metadata?.namespace !== undefined && metadata.namespace !== namespace)
      throw new Failure(
        400,
        'BadRequest',
        'the namespace of the provided object does not match the namespace sent on the request',
      );
    const { name } = metadata ?? {};
    if (typeof name !== 'string' || !NAME.test(name))
      throw invalid(
        `${resource.kind} ${JSON.stringify(name)} is invalid: metadata.name: Invalid value: a lowercase RFC 1123 subdomain`,
      );
    if (roleRef) this.#allowBinding(resource, namespace, roleRef);
    const path = [resource.name, namespace, name].filter(Boolean).join('/');
    if (this.#objects.has(path)) throw new Failure(409, 'AlreadyExists', `${resource.name} "${name}" already exists`);
    const made = {
      ...body,
      metadata: { ...metadata, ...(namespace && { namespace }), uid: randomUUID() },
    } as KubernetesObject;
    this.#objects.set(path, made);
    return { status: 201, body: made };
  }

  /** RBAC prevents escalation: nobody grants permissions that they lack, or may not bind. */
  #allowBinding(
    resource: Resource,
    namespace: string | undefined,
    { apiGroup, kind, name }: NonNullable<KubernetesObject['roleRef']>,
  ): void {
    if (apiGroup !== RBAC || !['Role', 'ClusterRole'].includes(kind)) throw invalid('roleRef: Unsupported value');
    if (resource.name === 'clusterrolebindings' && kind === 'Role')
      throw invalid('roleRef.kind: Unsupported value: "Role"');
    const isThere = this.roles.has(kind === 'Role' ? `role:${namespace}/${name}` : `cluster-role:${name}`);
    if (!isThere) throw new Failure(404, 'NotFound', `${kind.toLowerCase()}s.${RBAC} "${name}" not found`);
    this.#allow('bind', name, namespace);
  }

  #delete(resource: Resource, namespace: string | undefined, name: string, body: Record<string, unknown>): Answer {
    this.#allow('delete', resource.name, namespace);
    requireKind(body, 'v1', 'DeleteOptions');
    const path = [resource.name, namespace, name].filter(Boolean).join('/');
    if (!this.#objects.delete(path)) throw new Failure(404, 'NotFound', `${resource.name} "${name}" not found`);
    return {
      status: 200,
      body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: { name } },
    };
  }

  async #token(namespace: string, name: string, body: Record<string, unknown>): Promise<Answer> {
    this.#allow('create', 'serviceaccounts/token', namespace);
    requireKind(body, 'authentication.k8s.io/v1', 'TokenRequest');
    const spec = body['spec'] as {
      audiences?: string[];
      expirationSeconds?: number;
      boundObjectRef?: Ref & { kind: string; apiVersion: string };
    };
    const asked = spec.expirationSeconds ?? 3600;
    if (!Number.isInteger(asked) || asked < 600)
      throw invalid('spec.expirationSeconds: Invalid value: may not specify a duration less than 10 minutes');
    if (asked > 2 ** 32)
      throw invalid('spec.expirationSeconds: Invalid value: may not specify a duration larger than 2^32 seconds');
    const account = this.#objects.get(`serviceaccounts/${namespace}/${name}`);
    if (!account) throw new Failure(404, 'NotFound', `serviceaccounts "${name}" not found`);
    const bound = this.bindsTokens ? spec.boundObjectRef : undefined;
    if (bound) this.#requireBound(namespace, bound);
    const expirationSeconds = Math.min(asked, this.longestLife);
    const audiences = spec.audiences ?? [API_SERVER];
    if (audiences.length === 0) throw invalid('spec.audiences: Required value');
    const ref = { name, uid: account.metadata.uid };
    const claims = { namespace, serviceaccount: ref, ...(bound && { secret: { name: bound.name, uid: bound.uid } }) };
    const token = await this.#sign(claims, audiences, expirationSeconds);
    const expirationTimestamp = new Date(this.now() + expirationSeconds * 1000).toISOString();
    const given = { audiences, expirationSeconds, boundObjectRef: bound ?? null };
    return {
      status: 201,
      body: { ...body, metadata: { name, namespace }, spec: given, status: { token, expirationTimestamp } },
    };
  }

  #requireBound(namespace: string, { kind, apiVersion, name, uid }: Ref & { kind: string; apiVersion: string }): void {
    if (kind !== 'Secret' || apiVersion !== 'v1')
      throw new Failure(400, 'BadRequest', `cannot bind token to object of type ${kind}`);
    const secret = this.#objects.get(`secrets/${namespace}/${name}`);
    if (!secret) throw new Failure(404, 'NotFound', `secrets "${name}" not found`);
    if (uid && uid !== secret.metadata.uid)
      throw new Failure(409, 'Conflict', 'the UID in the bound object reference does not match');
  }
}

interface Ref {
  readonly name: string;
  readonly uid: string;
}

function requireKind(body: Record<string, unknown>, apiVersion: string, kind: string): void {
  if (body['apiVersion'] !== apiVersion || body['kind'] !== kind)
    throw new Failure(
      400,
      'BadRequest',
      `${kind} in version ${JSON.stringify(apiVersion)} cannot be handled as ${JSON.stringify(body['kind'])}`,
    );
}
