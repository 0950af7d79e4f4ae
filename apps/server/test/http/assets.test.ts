import { brotliDecompressSync } from 'node:zlib';
import { webConsole } from '@coffer/web';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let script: string;
beforeAll(async () => {
  test = await testServer({}, { console: webConsole });
  [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec((await get('/')).body) ?? [];
});
afterAll(() => test.close());

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  test.app.inject({ method, url, headers: { accept: 'text/html', ...headers } });

describe('the page of the console', () => {
  it('is in the language that the browser prefers, with files of its own', async () => {
    const several = await testServer({}, { console: { ...webConsole, languages: ['en', 'en-XA'] } });
    const page = (language: string) =>
      several.app.inject({ url: '/', headers: { accept: 'text/html', 'accept-language': language } });
    const [english, accented] = [await page('fr, en-GB;q=0.5'), await page('en-XA, en;q=0.9')];
    for (const [answer, language] of [
      [english, 'en'],
      [accented, 'en-XA'],
    ] as const) {
      expect(answer.headers).toMatchObject({ 'content-language': language, 'cache-control': 'no-cache' });
      expect(answer.body).toContain(`<html lang="${language}">`);
      const scripts = await Promise.all(
        Array.from(answer.body.matchAll(/"(\/assets\/[^"]+\.js)"/g), ([, url]) => several.app.inject({ url })),
      );
      const code = scripts.map(({ body }) => body).join('\n');
      expect([code.includes('Keyboard shortcuts'), code.includes('Ķéýƀöåŕð šĥöŕţçûţš')]).toEqual([
        language === 'en',
        language === 'en-XA',
      ]);
    }
    expect((await several.app.inject({ url: '/assets/none-12345678.js' })).statusCode).toBe(404);
    await several.close();
  });
});

describe('the build of the console', () => {
  it('begins when the server listens, before anybody opens it', async () => {
    const built: string[] = [];
    const directory = (language: string) => {
      built.push(language);
      return webConsole.directory(language);
    };
    const listening = await testServer({}, { console: { languages: ['en', 'en-XA'], directory } });
    expect(built).toEqual([]);
    await listening.app.listen({ host: '127.0.0.1', port: 0 });
    await expect.poll(() => built).toEqual(['en', 'en-XA']);
    await listening.close();
  });
});

describe('the files of the console, and the OpenAPI document', () => {
  const all = () => ['/', '/projects/any/secrets', script, '/api/docs/json'];

  it('are sent with brotli to those who take it, under a tag of its own', async () => {
    for (const url of all()) {
      const plain = await get(url);
      const packed = await get(url, { 'accept-encoding': 'gzip, br;q=0.9' });
      expect([url, packed.headers['content-encoding']]).toEqual([url, 'br']);
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(brotliDecompressSync(packed.rawPayload)).toEqual(plain.rawPayload);
      expect(packed.headers.etag).not.toBe(plain.headers.etag);
      for (const { headers } of [plain, packed]) expect(headers).toMatchObject({ vary: 'accept-encoding' });
    }
  });

  it('are sent as they are to those who refuse brotli', async () => {
    for (const url of all()) {
      const { headers } = await get(url, { 'accept-encoding': 'gzip, br;q=0' });
      expect([url, headers['content-encoding']]).toEqual([url, undefined]);
    }
  });

  it('are not sent again to those who have them in the encoding that they take', async () => {
    for (const url of all()) {
      const { headers } = await get(url, { 'accept-encoding': 'br' });
      const known = { 'if-none-match': `"other", W/${String(headers.etag)}` };
      const again = await get(url, { 'accept-encoding': 'br', ...known });
      expect([url, again.statusCode, again.body]).toEqual([url, 304, '']);
      expect(again.headers).toMatchObject({ etag: headers.etag, vary: 'accept-encoding' });
      expect([url, (await get(url, known)).statusCode]).toEqual([url, 200]);
    }
  });

  it('may be kept forever under names with a hash, and are asked for again under all others', async () => {
    expect((await get(script)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    for (const url of ['/', '/api/docs/json'])
      expect((await get(url)).headers).toMatchObject({ 'cache-control': 'no-cache' });
    expect((await get('/assets/none-12345678.js')).statusCode).toBe(404);
  });

  it('come with a policy that allows nothing from elsewhere and no script that is made of text', async () => {
    const { headers } = await get('/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toMatch(/unsafe|https?:/);
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });

  it('have the page for browsers, which ask for HTML, and at the root for whoever takes anything', async () => {
    expect((await get('/projects', { accept: 'application/json' })).statusCode).toBe(404);
    for (const accept of ['*/*', 'text/plain, */*;q=0.1']) {
      expect((await get('/', { accept })).headers['content-type']).toContain('text/html');
      expect((await get('/projects', { accept })).statusCode).toBe(404);
    }
    expect((await get('/', { accept: 'application/json' })).statusCode).toBe(404);
    expect((await get('/api/nothing')).statusCode).toBe(404);
    // The API reference is a screen.
    expect((await get('/api/docs/secrets_create')).headers['content-type']).toContain('text/html');
    const head = await get('/projects', {}, 'HEAD');
    expect([head.statusCode, head.body]).toEqual([200, '']);
  });
});
