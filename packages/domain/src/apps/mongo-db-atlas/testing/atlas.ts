import { createHash, randomBytes } from 'node:crypto';
import {
  bodyWith,
  JsonService,
  type JsonCall,
  type JsonReply,
  type Route,
} from '../../../family/testing/json-service.ts';

const refusal = (error: number, errorCode: string, detail: string): JsonReply => ({
  status: error,
  body: { error, errorCode, detail, reason: 'No' },
});
const MEDIA = 'application/vnd.atlas.2023-01-01+json';
const md5 = (...parts: string[]) => createHash('md5').update(parts.join(':')).digest('hex');
const USERS = /^\/api\/atlas\/v2\/groups\/([0-9a-f]{24})\/databaseUsers$/;
const USER = /^\/api\/atlas\/v2\/groups\/([0-9a-f]{24})\/databaseUsers\/admin\/([^/]+)$/;

/**
 * MongoDB Atlas' Administration API with one project. It verifies each digest with a nonce of its own.
 * - https://www.mongodb.com/docs/atlas/configure-api-access/
 * - https://www.mongodb.com/docs/api/doc/atlas-admin-api-v2/operation/operation-creategroupdatabaseuser
 */
export class Atlas extends JsonService {
  readonly project = '5f1b2c3d4e5f60718293a4b5';
  readonly key = { publicKey: 'abcdefgh', privateKey: '01234567-89ab-cdef-0123-456789abcdef' };
  readonly users = new Map<string, { password: string; roles: unknown; scopes: unknown }>();
  readonly #nonces = new Set<string>();

  protected refuse({ method, path, query, headers }: JsonCall): JsonReply | undefined {
    if (headers.accept !== MEDIA) return refusal(406, 'INVALID_VERSION_DATE', 'Invalid accept header');
    const given = Object.fromEntries(
      Array.from((headers.authorization ?? '').matchAll(/(\w+)="?([^",]*)"?/g), ([, name = '', value]) => [
        name,
        value,
      ]),
    );
    const uri = `${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
    const { nonce = '', nc = '', cnonce = '', qop = '' } = given;
    const ha1 = md5(this.key.publicKey, 'MMS Public API', this.key.privateKey);
    const expected = md5(ha1, nonce, nc, cnonce, qop, md5(method, uri));
    const isFresh = this.#nonces.delete(nonce);
    if (isFresh && given['uri'] === uri && given['response'] === expected) return undefined;
    const next = randomBytes(16).toString('base64');
    this.#nonces.add(next);
    const challenge = `Digest realm="MMS Public API", domain="", nonce="${next}", algorithm=MD5, qop="auth", stale=false`;
    return {
      ...refusal(401, 'NOT_USER_ADMIN', 'You are not authorized for this resource.'),
      headers: { 'www-authenticate': challenge },
    };
  }

  protected readonly routes: readonly Route[] = [
    ['GET', USERS, (_, project) => this.#in(project, () => ({ status: 200, body: { results: [], totalCount: 0 } }))],
    ['POST', USERS, (call, project) => this.#in(project, () => this.#create(call))],
    ['GET', USER, (_, project, name) => this.#in(project, () => this.#known(name, { status: 200, body: { name } }))],
    [
      'DELETE',
      USER,
      (_, project, name) =>
        this.#in(project, () => {
          const reply = this.#known(name, { status: 204 });
          this.users.delete(name);
          return reply;
        }),
    ],
  ];

  #in(project: string | undefined, reply: () => JsonReply): JsonReply {
    return project === this.project ? reply() : refusal(404, 'GROUP_NOT_FOUND', `No group with ID ${project} exists.`);
  }

  #known(name: string, reply: JsonReply): JsonReply {
    if (this.users.has(name)) return reply;
    return refusal(404, 'USERNAME_NOT_FOUND', `No user with username ${name} exists.`);
  }

  #create(call: JsonCall): JsonReply {
    const fields = ['databaseName', 'groupId', 'username', 'password', 'roles', 'scopes'];
    const body = bodyWith(call, fields, MEDIA) ?? bodyWith(call, fields);
    if (body?.['databaseName'] !== 'admin' || body['groupId'] !== this.project)
      return refusal(400, 'INVALID_ATTRIBUTE', 'Invalid attribute databaseName specified.');
    const name = String(body['username']);
    if (this.users.has(name))
      return refusal(409, 'USER_ALREADY_EXISTS', `A user with username ${name} already exists.`);
    this.users.set(name, { password: String(body['password']), roles: body['roles'], scopes: body['scopes'] });
    return { status: 201, body: { username: name } };
  }
}
