import { randomBytes, randomUUID } from 'node:crypto';
import { AZURE_SCOPES } from '../login.ts';
import { azureFault, type AzureApi, type AzureCall } from './cloud.ts';

interface Password {
  readonly keyId: string;
  readonly displayName: string;
  readonly secretText: string;
  readonly endDateTime: string;
  readonly startDateTime: string;
  /** The first three characters of the secret. */
  readonly hint: string;
}

export interface GraphApplication {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly passwords: Password[];
}

export interface GraphUser {
  readonly id: string;
  readonly displayName: string;
  readonly userPrincipalName: string;
  readonly mail: string | null;
  password: string;
}

/** Microsoft Graph with applications and users (https://learn.microsoft.com/en-us/graph/api/overview). */
export class Graph implements AzureApi {
  readonly host = 'graph.microsoft.com';
  readonly scope = AZURE_SCOPES.graph;
  readonly applications: GraphApplication[] = [];
  readonly users: GraphUser[] = [];
  /** Of its pages, whatever is asked for. */
  pageSize = 2;

  addApplication(displayName: string): GraphApplication {
    const application = { id: randomUUID(), appId: randomUUID(), displayName, passwords: [] };
    this.applications.push(application);
    return application;
  }

  isSecretOf(clientId: string, secret: string): boolean {
    const application = this.applications.find(({ appId }) => appId === clientId);
    return application?.passwords.some(({ secretText }) => secretText === secret) ?? false;
  }

  addUser(displayName: string): GraphUser {
    const userPrincipalName = `${displayName.toLowerCase().replaceAll(' ', '.')}@acme.example`;
    const user = { id: randomUUID(), displayName, userPrincipalName, mail: userPrincipalName, password: '' };
    this.users.push(user);
    return user;
  }

  serve(call: AzureCall): void {
    const [, collection = '', id, action] =
      /^\/v1\.0\/(applications|users)(?:\/([^/]+)(?:\/(\w+))?)?$/.exec(call.url.pathname) ?? [];
    if (id === undefined) {
      if (call.method !== 'GET' || collection === '') return notFound(call);
      const { searchParams } = call.url;
      const fields = (searchParams.get('$select') ?? '').split(',');
      const members = (collection === 'users' ? this.users : this.applications) as object[];
      return this.#list(
        call,
        members.map((one) => pick(one as Record<string, unknown>, fields)),
      );
    }
    return collection === 'users' ? this.#user(call, id) : this.#application(call, id, action);
  }

  #list(call: AzureCall, members: object[]): void {
    const skip = Number(call.url.searchParams.get('$skiptoken') ?? 0);
    const next = new URL(call.url);
    next.searchParams.set('$skiptoken', String(skip + this.pageSize));
    const hasMore = skip + this.pageSize < members.length;
    call.answer(200, {
      '@odata.context': `https://${this.host}/v1.0/$metadata`,
      ...(hasMore && { '@odata.nextLink': next.href }),
      value: members.slice(skip, skip + this.pageSize),
    });
  }

  #user(call: AzureCall, id: string): void {
    const user = this.users.find((one) => one.id === id || one.userPrincipalName === decodeURIComponent(id));
    if (!user) return notFound(call);
    if (call.method === 'GET')
      return call.answer(200, pick(user as never, (call.url.searchParams.get('$select') ?? 'id').split(',')));
    const profile = call.body?.['passwordProfile'] as { password?: string; forceChangePasswordNextSignIn?: boolean };
    if (call.method !== 'PATCH' || typeof profile?.password !== 'string') return notFound(call);
    if (profile.forceChangePasswordNextSignIn !== false || !isComplex(profile.password))
      return call.answer(400, azureFault('Request_BadRequest', 'The password does not comply with the policy.'));
    user.password = profile.password;
    call.answer(204);
  }

  #application(call: AzureCall, id: string, action: string | undefined): void {
    const application = this.applications.find((one) => one.id === id);
    if (!application) return notFound(call);
    if (call.method === 'GET' && action === undefined) return call.answer(200, shown(application));
    if (call.method !== 'POST') return notFound(call);
    if (action === 'addPassword') {
      const { displayName = '', endDateTime = '' } = (call.body?.['passwordCredential'] ?? {}) as Partial<Password>;
      const secretText = randomBytes(20).toString('base64url');
      const hint = secretText.slice(0, 3);
      const startDateTime = new Date(Date.now() + application.passwords.length).toISOString();
      const password = { keyId: randomUUID(), displayName, startDateTime, endDateTime, secretText, hint };
      application.passwords.push(password);
      return call.answer(200, { ...password, customKeyIdentifier: null });
    }
    const at = application.passwords.findIndex(({ keyId }) => keyId === call.body?.['keyId']);
    if (action !== 'removePassword' || at < 0)
      return call.answer(400, azureFault('Request_BadRequest', 'No password credential found with keyId.'));
    application.passwords.splice(at, 1);
    call.answer(204);
  }
}

const notFound = (call: AzureCall) =>
  call.answer(404, azureFault('Request_ResourceNotFound', `Resource '${call.url.pathname}' does not exist.`));

const pick = (one: Readonly<Record<string, unknown>>, fields: readonly string[]) =>
  Object.fromEntries(fields.flatMap((field) => (field in one ? [[field, one[field]]] : [])));

const shown = ({ passwords, ...application }: GraphApplication) => ({
  ...application,
  passwordCredentials: passwords.map(({ secretText: _, ...password }) => ({ ...password, secretText: null })),
});

/** Three of four kinds of characters, as Entra requires it. */
const isComplex = (password: string) =>
  password.length >= 8 && [/[a-z]/, /[A-Z]/, /\d/, /[^\w]|_/].filter((kind) => kind.test(password)).length >= 3;
