import { badRequest } from './errors.ts';

/** The base URL to which calls to a service go instead of its own address: a private cloud, a proxy. */
export interface ServiceUrl {
  /** The host of the service, with its port unless that is the default one; `*.` in front: all hosts below. */
  readonly host: string;
  /** Without a slash at its end; `{host}` stands for the host of the call. */
  readonly url: string;
}

const HOST = /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/;
const SAMPLE = 'service.example';
const PLACEHOLDER = '{host}';

/**
 * Reads a comma-separated list such as `graph.microsoft.com=https://graph.internal,*.vault.azure.net=https://proxy/{host}`.
 *
 * @throws DomainError 400 with the element that is no such pair.
 */
export const parseServiceUrls = (text: string): ServiceUrl[] =>
  text
    .split(',')
    .map((element) => element.trim())
    .filter(Boolean)
    .map(parseServiceUrl);

function parseServiceUrl(element: string): ServiceUrl {
  const [name = '', ...rest] = element.split('=');
  const host = name.trim().toLowerCase();
  const url = rest.join('=').trim().replace(/\/+$/, '');
  const sample = url.replaceAll(PLACEHOLDER, SAMPLE);
  const isUrl = /^https?:\/\/[^?#@\s{}]+$/i.test(sample) && URL.canParse(sample);
  if (HOST.test(host) && isUrl) return { host, url };
  throw badRequest(
    'service_url.malformed',
    `expected the host of a service and a URL such as graph.microsoft.com=https://graph.example.com, where ${host} is`,
  );
}

/** The URL of a call, redirected where the operator has set that for its host. */
export function atServiceUrl(services: readonly ServiceUrl[], given: string): string {
  if (services.length === 0 || !URL.canParse(given)) return given;
  const { host: written, pathname, search } = new URL(given);
  // `api.example.` is the host `api.example`, written as its root sees it.
  const host = written.replace(/\.(?=:|$)/, '');
  const found = services.find((one) =>
    one.host.startsWith('*.') ? host.endsWith(one.host.slice(1)) : host === one.host,
  );
  return found ? `${found.url.replaceAll(PLACEHOLDER, host)}${pathname}${search}` : given;
}
