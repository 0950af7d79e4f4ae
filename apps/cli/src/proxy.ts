import { usage } from './exit.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The URL of the proxy for requests to a URL, by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; `undefined` where they go directly.
 *
 * @throws CommandError for what is no URL. The platform's error would quote it, with its password.
 */
export function proxyFor(url: URL, env: Environment): string | undefined {
  const isPlain = url.protocol === 'http:';
  // In a program that a web server runs (CGI), `HTTP_PROXY` is the header `Proxy` of its caller.
  if (isPlain && env['REQUEST_METHOD'] !== undefined) return undefined;
  const proxy = valueOf(env, isPlain ? 'http_proxy' : 'https_proxy');
  if (!proxy || isDirect(url, valueOf(env, 'no_proxy'))) return undefined;
  // Without a scheme it is reached over HTTP, as other programs have it.
  const named = /^[a-z][a-z\d+.-]*:\/\//i.test(proxy)
    ? proxy.replace(/^https?:/i, (scheme) => scheme.toLowerCase())
    : `http://${proxy}`;
  if (isReadable(named)) return named;
  const unreadable = usage(`${isPlain ? 'HTTP_PROXY' : 'HTTPS_PROXY'} is not the URL of a proxy`);
  // The client keeps the code of what keeps it from asking, and no message.
  throw Object.assign(unreadable, { code: 'ERR_PROXY_INVALID_CONFIG' });
}

function isReadable(url: string): boolean {
  try {
    const { username, password } = new URL(url);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** The lower case comes first, as in other programs. Windows does not distinguish them: each name is asked for. */
const valueOf = (env: Environment, name: string): string => (env[name] || env[name.toUpperCase()] || '').trim();

const LOCAL = ['localhost', '127.0.0.0/8', '::1'];

function isDirect({ protocol, hostname, port }: URL, noProxy: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const hostPort = port || (protocol === 'https:' ? '443' : '80');
  const entries = noProxy.toLowerCase().split(/[\s,]+/);
  return [...LOCAL, ...entries].some((entry) => covers(entry, host, hostPort));
}

/** Whether an entry of `NO_PROXY` names a host: `*`, a domain with those below it, an address, a range of them in CIDR notation; each also with a port. */
function covers(entry: string, host: string, port: string): boolean {
  const { BlockList, isIP } = process.getBuiltinModule('node:net');
  const [, bracketed, plain, ofPort] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const name = (bracketed ?? plain ?? entry).replace(/^\*?\./, '');
  if (!name || (ofPort && ofPort !== port)) return false;
  const [address = '', bits] = name.split('/');
  const family = isIP(address);
  if (!family) return name === '*' || host === name || host.endsWith(`.${name}`);
  const most = family === 4 ? 32 : 128;
  const prefix = bits === undefined ? most : /^\d+$/.test(bits) ? Number(bits) : Infinity;
  if (isIP(host) !== family || prefix > most) return false;
  const range = new BlockList();
  const type = family === 4 ? 'ipv4' : 'ipv6';
  range.addSubnet(address, prefix, type);
  return range.check(host, type);
}
