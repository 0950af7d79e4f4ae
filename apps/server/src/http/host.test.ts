import { describe, expect, it } from 'vitest';
import { hostGuard, isLoopbackHost, readHost } from './host.ts';

describe('the host of an authority', () => {
  it.each([
    ['localhost', 'localhost'],
    ['LocalHost.:8080', 'localhost'],
    ['coffer.example.com:443', 'coffer.example.com'],
    ['[::1]:8080', '[::1]'],
    ['[0:0:0:0:0:0:0:1]', '[::1]'],
    ['127.1', '127.0.0.1'],
    ['0x7f.0.0.1', '127.0.0.1'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['', undefined],
    [':8080', undefined],
    ['a b', undefined],
    ['localhost:99999', undefined],
    ['localhost/evil', undefined],
    ['localhost@evil.example', undefined],
    ['evil.example#localhost', undefined],
    ['evil.example\\localhost', undefined],
    ['::1', undefined],
    ['[::1', undefined],
  ])('%j is %j', (authority, host) => {
    expect(readHost(authority)).toBe(host);
  });

  it.each([
    ['localhost', true],
    ['app.localhost', true],
    ['127.0.0.1', true],
    ['127.255.0.9', true],
    ['[::1]', true],
    ['127.evil.example', false],
    ['127.0.0.1.evil.example', false],
    ['evillocalhost', false],
    ['localhost.evil.example', false],
    ['128.0.0.1', false],
    ['0.0.0.0', false],
    ['[::]', false],
  ])('%j leads to the machine itself: %s', (host, isLoopback) => {
    expect(isLoopbackHost(host)).toBe(isLoopback);
  });
});

describe('the guard of hosts', () => {
  const guard = hostGuard({
    siteUrl: 'https://coffer.example.com',
    hosts: ['10.0.0.5', '0.0.0.0', 'Internal.'],
    isTrustedProxy: (address) => address === '10.0.0.1',
  });
  const allows = (headers: Record<string, string>, url = '/', remoteAddress = '192.0.2.1') =>
    guard.isAllowed({ url, headers, socket: { remoteAddress } });

  it('allows the site, what the operator named, and the machine itself, with any port', () => {
    for (const host of [
      'coffer.example.com',
      'COFFER.example.com.:8443',
      '10.0.0.5:80',
      'internal',
      'localhost:1',
      '127.0.0.9',
    ])
      expect([host, allows({ host })]).toEqual([host, true]);
  });

  it('allows nothing else, and no request without a host', () => {
    for (const host of [
      'evil.example',
      'sub.coffer.example.com',
      '10.0.0.6',
      '0.0.0.0:8080',
      '',
      'coffer.example.com, localhost',
    ])
      expect([host, allows({ host })]).toEqual([host, false]);
    expect(allows({})).toBe(false);
  });

  it('allows no request with several hosts, whichever of them are served', () => {
    const host = 'localhost';
    for (const others of [['Host', 'evil.example'], ['host', host], ['HOST', ''], []]) {
      const rawHeaders = ['Host', host, 'Accept', 'host', ...others];
      const asked = { url: '/', headers: { host }, rawHeaders, socket: { remoteAddress: '127.0.0.1' } };
      expect([others, guard.isAllowed(asked)]).toEqual([others, others.length === 0]);
    }
  });

  it('uses the host of the request target if there is one, as servers do', () => {
    expect(allows({ host: 'localhost' }, 'http://evil.example/api/status')).toBe(false);
    expect(allows({ host: 'localhost' }, 'http://localhost/x')).toBe(true);
    expect(allows({ host: 'evil.example' }, 'http://localhost/x')).toBe(false);
  });

  it('checks also the host that a trusted proxy received, which never replaces its own', () => {
    const proxy = '::ffff:10.0.0.1';
    expect(allows({ host: 'internal', 'x-forwarded-host': 'coffer.example.com' }, '/', proxy)).toBe(true);
    expect(allows({ host: 'internal', 'x-forwarded-host': 'evil.example' }, '/', proxy)).toBe(false);
    expect(allows({ host: 'internal', 'x-forwarded-host': 'coffer.example.com, evil.example' }, '/', proxy)).toBe(
      false,
    );
    expect(allows({ host: 'evil.example', 'x-forwarded-host': 'coffer.example.com' }, '/', proxy)).toBe(false);
    // Says nothing about other peers.
    expect(allows({ host: 'internal', 'x-forwarded-host': 'evil.example' })).toBe(true);
  });
});
