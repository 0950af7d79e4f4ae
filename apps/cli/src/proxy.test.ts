import { describe, expect, it } from 'vitest';
import { proxyFor } from './proxy.ts';

const find = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env);

describe('the proxy of a request', () => {
  it.each(['http://user:secret@bad host', 'user:secret%zz@p:1', 'http://user:secret@p:99999'])(
    'that cannot be read, such as %s, is named by its variable, without its password',
    (proxy) => {
      for (const [url, name] of [
        ['https://a.example', 'HTTPS_PROXY'],
        ['http://a.example', 'HTTP_PROXY'],
      ] as const)
        expect(() => find(url, { [name]: proxy })).toThrow(new RegExp(`^${name} is not the URL of a proxy$`));
    },
  );

  it.each<[string, Record<string, string>, string | undefined]>([
    ['http://a.example', {}, undefined],
    ['http://a.example', { HTTP_PROXY: '', http_proxy: ' ' }, undefined],
    ['http://a.example', { HTTPS_PROXY: 'p:1' }, undefined],
    ['https://a.example', { HTTP_PROXY: 'p:1' }, undefined],
    ['https://a.example', { HTTPS_PROXY: 'upper:1', https_proxy: 'lower:1' }, 'http://lower:1'],
    ['https://a.example', { HTTPS_PROXY: 'upper:1', https_proxy: '' }, 'http://upper:1'],
    ['https://a.example', { HTTPS_PROXY: 'p:1/' }, 'http://p:1/'],
    ['https://a.example', { HTTPS_PROXY: 'user:pass@p:1' }, 'http://user:pass@p:1'],
    ['https://a.example', { HTTPS_PROXY: ' HTTP://p:1 ' }, 'http://p:1'],
    ['https://a.example', { HTTPS_PROXY: 'socks5://p:1' }, 'socks5://p:1'],
    ['http://a.example', { HTTP_PROXY: 'p:1', REQUEST_METHOD: 'GET' }, undefined],
    ['http://a.example', { http_proxy: 'p:1', REQUEST_METHOD: 'GET' }, undefined],
    ['https://a.example', { HTTPS_PROXY: 'p:1', REQUEST_METHOD: 'GET' }, 'http://p:1'],
  ])('of %s with %o is %s', (url, env, expected) => {
    expect(find(url, env)).toBe(expected);
  });

  it.each([
    ['http://localhost:8080', ''],
    ['http://127.1.2.3', ''],
    ['http://[::1]', ''],
    ['http://a.example', '*'],
    ['http://a.example', 'other, A.EXAMPLE'],
    ['http://a.b.example', 'other b.example'],
    ['http://a.b.example', '.b.example'],
    ['http://b.example', '*.b.example'],
    ['http://b.example', 'b.example:80'],
    ['http://b.example:8080', 'b.example:8080'],
    ['http://10.1.2.3', '10.0.0.0/8'],
    ['http://10.1.2.3:81', '10.1.2.3'],
    ['http://10.1.2.3:81', '10.1.2.3:81'],
    ['http://[2001:db8::1]', '2001:0db8:0::1'],
    ['http://[2001:db8::1]', '[2001:db8::1]'],
    ['http://[2001:db8::1]:81', '[2001:db8::1]:81'],
    ['http://[2001:db8::1]', '2001:db8::/32'],
  ])('is not used for %s, with NO_PROXY=%s', (url, noProxy) => {
    expect(find(url, { HTTP_PROXY: 'p:1', NO_PROXY: noProxy })).toBeUndefined();
  });

  it.each([
    ['http://127.a.example', ''],
    ['http://a.example', ', .,*., :80 , /8'],
    ['http://ab.example', 'b.example'],
    ['http://b.example', 'a.b.example'],
    ['http://b.example', 'b.example:8080'],
    ['http://11.1.2.3', '10.0.0.0/8'],
    ['http://10.1.2.3', '10.0.0.0/33 10.0.0.0/x 10.0.0.0/-1 10.0.0.0/0.5 10.0.0.0/'],
    ['http://[2001:db8::1]', '2001:db9::/32 0.0.0.0/0'],
    ['http://10.1.2.3', '::/0'],
  ])('is used for %s, with NO_PROXY=%s', (url, noProxy) => {
    expect(find(url, { HTTP_PROXY: 'p:1', NO_PROXY: noProxy })).toBe('http://p:1');
  });
});
