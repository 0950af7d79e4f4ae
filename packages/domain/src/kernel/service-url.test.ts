import { describe, expect, it } from 'vitest';
import { atServiceUrl, parseServiceUrls } from './service-url.ts';

describe('service URLs', () => {
  const services = parseServiceUrls(
    'graph.microsoft.com=https://graph.internal/v2/, *.vault.azure.net=http://127.0.0.1:8200/{host},api.github.com=https://{host}.proxy.example',
  );
  const at = (url: string) => atServiceUrl(services, url);

  it('take the place of the host of a service, with its path and query', () => {
    expect(at('https://graph.microsoft.com/v1.0/users?$top=1')).toBe('https://graph.internal/v2/v1.0/users?$top=1');
    expect(at('https://GRAPH.microsoft.com')).toBe('https://graph.internal/v2/');
    expect(at('https://acme.vault.azure.net/secrets')).toBe('http://127.0.0.1:8200/acme.vault.azure.net/secrets');
    expect(at('https://api.github.com./user')).toBe('https://api.github.com.proxy.example/user');
    expect(at('https://api.github.com/user')).toBe('https://api.github.com.proxy.example/user');
  });

  it('leave other hosts as they are', () => {
    for (const url of [
      'https://vault.azure.net/x',
      'https://evil-graph.microsoft.com/x',
      'https://graph.microsoft.com.evil.example/x',
      'https://graph.microsoft.com:8443/x',
      'not a url',
    ])
      expect(at(url)).toBe(url);
  });

  it.each([
    'graph.microsoft.com',
    'https://graph.microsoft.com=https://x.example',
    'graph.microsoft.com=ftp://x.example',
    'graph.microsoft.com=https://user@x.example',
    'graph.microsoft.com=https://x.example?a=b',
    '*=https://x.example',
    'a.example=https://{hosts}',
  ])('are rejected when malformed: %s', (text) => {
    expect(() => parseServiceUrls(text)).toThrow('expected the host of a service');
  });
});
