import { AZURE_SCOPES } from '../login.ts';
import type { AzureApi, AzureCall } from './cloud.ts';

interface Attributes {
  readonly tags?: unknown;
  readonly contentType?: unknown;
  readonly enabled?: boolean;
  /** Whether it belongs to a certificate. */
  readonly managed?: boolean;
}

interface Stored extends Attributes {
  readonly name: string;
  readonly value: string;
  readonly isDeleted: boolean;
}

/**
 * The secrets of a vault with soft deletion (https://learn.microsoft.com/en-us/rest/api/keyvault/secrets/operation-groups).
 * Names are the same whatever their case.
 */
export class AzureKeyVault implements AzureApi {
  readonly host = 'shop.vault.azure.net';
  readonly scope = AZURE_SCOPES.keyVault;
  /** By their names in lower case. */
  readonly secrets = new Map<string, Stored>();

  set(name: string, value: string, attributes: Attributes = {}): void {
    const known = this.secrets.get(name.toLowerCase())?.name ?? name;
    this.secrets.set(name.toLowerCase(), { name: known, value, isDeleted: false, ...attributes });
  }

  present(): { name: string; value: string }[] {
    return [...this.secrets.values()].flatMap(({ name, value, isDeleted }) => (isDeleted ? [] : [{ name, value }]));
  }

  serve(call: AzureCall): void {
    const { method, url } = call;
    if (url.searchParams.get('api-version') !== '7.4') return refuse(call, 400, 'BadParameter', 'api-version');
    const [, collection, name, action] = /^\/(secrets|deletedsecrets)(?:\/([0-9A-Za-z-]{1,127})(\/recover)?)?$/.exec(
      url.pathname,
    ) ?? [undefined];
    if (collection === 'deletedsecrets' && method === 'POST' && name && action) return this.#recover(call, name);
    if (collection !== 'secrets' || action) return refuse(call, 404, 'NotFound', 'Not found');
    if (name === undefined) return this.#list(call);
    const stored = this.secrets.get(name.toLowerCase());
    if (method === 'PUT') return this.#put(call, name, stored);
    if (!stored || stored.isDeleted)
      return refuse(call, 404, 'SecretNotFound', `A secret with (name/id) ${name} was not found in this key vault.`);
    if (method === 'GET')
      return stored.enabled === false
        ? refuse(call, 403, 'Forbidden', 'Operation get is not allowed on a disabled secret.', 'SecretDisabled')
        : call.answer(200, this.#shown(stored));
    if (method !== 'DELETE') return refuse(call, 405, 'MethodNotAllowed', 'Not allowed');
    this.secrets.set(name.toLowerCase(), { ...stored, isDeleted: true });
    call.answer(200, { recoveryId: `https://${this.host}/deletedsecrets/${name}`, ...this.#shown(stored) });
  }

  #shown({ name, value, tags, contentType }: Stored) {
    const id = `https://${this.host}/secrets/${name}/4387e9f3d6e14c459867679a90fd0f79`;
    return { value, id, attributes: { enabled: true }, tags, contentType };
  }

  /** In pages of 25. */
  #list(call: AzureCall): void {
    const skip = Number(call.url.searchParams.get('$skiptoken') ?? 0);
    const all = [...this.secrets.values()].filter(({ isDeleted }) => !isDeleted);
    const next = new URL(call.url);
    next.searchParams.set('$skiptoken', String(skip + 25));
    call.answer(200, {
      value: all.slice(skip, skip + 25).map(({ name, enabled = true, managed }) => ({
        ...{ id: `https://${this.host}/secrets/${name}`, attributes: { enabled }, ...(managed && { managed }) },
      })),
      nextLink: skip + 25 < all.length ? next.href : null,
    });
  }

  #put(call: AzureCall, name: string, stored: Stored | undefined): void {
    const { value, tags, contentType, ...others } = call.body ?? {};
    if (typeof value !== 'string' || Object.keys(others).length > 0 || Buffer.byteLength(value) > 25_600)
      return refuse(call, 400, 'BadParameter', 'The request body is invalid');
    if (stored?.isDeleted)
      return refuse(
        ...([call, 409, 'Conflict', `Secret ${name} is currently in a deleted but recoverable state`] as const),
        'ObjectIsDeletedButRecoverable',
      );
    this.set(name, value, { tags, contentType });
    call.answer(200, this.#shown(this.secrets.get(name.toLowerCase())!));
  }

  #recover(call: AzureCall, name: string): void {
    const stored = this.secrets.get(name.toLowerCase());
    if (!stored?.isDeleted) return refuse(call, 404, 'SecretNotFound', 'Not found');
    this.secrets.set(name.toLowerCase(), { ...stored, isDeleted: false });
    call.answer(200, this.#shown(stored));
  }
}

const refuse = (call: AzureCall, status: number, code: string, message: string, inner?: string) =>
  call.answer(status, { error: { code, message, ...(inner && { innererror: { code: inner } }) } });
