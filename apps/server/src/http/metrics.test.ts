import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { echoRouter } from '../testing/echo-router.ts';
import { testServer, type TestServer } from '../testing/test-server.ts';

const TOKEN = 'a-token-of-sixteen-letters-or-more';
let test: TestServer;
let closed: TestServer;
beforeAll(async () => {
  test = await testServer({}, { router: echoRouter });
  closed = await testServer({}, { router: echoRouter, metricsToken: TOKEN });
});
afterAll(async () => {
  await test.close();
  await closed.close();
});

const scrape = (server: TestServer, remoteAddress: string, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'GET', url: '/metrics', remoteAddress, headers });

describe('/metrics', () => {
  it('counts requests by the pattern of their route, never by their path', async () => {
    for (const id of ['canary-1', 'canary-2', 'canary-3']) await test.app.inject({ method: 'GET', url: `/echo/${id}` });
    await test.app.inject({ method: 'GET', url: '/canary' });
    await test.app.inject({ method: 'POST', url: '/broken', payload: {} });
    const { body, headers } = await scrape(test, '127.0.0.1');
    expect(headers['content-type']).toContain('text/plain');
    expect(body).not.toContain('canary');
    expect(body).toContain('# TYPE coffer_http_request_duration_seconds histogram');
    expect(body).toContain(
      'coffer_http_request_duration_seconds_count{method="GET",route="/echo/:id",status="200"} 3\n',
    );
    expect(body).toContain(
      'coffer_http_request_duration_seconds_bucket{method="GET",route="/echo/:id",status="200",le="+Inf"} 3\n',
    );
    expect(body).toContain('coffer_http_request_duration_seconds_count{method="*",route="(none)",status="404"} 1\n');
    expect(body).toContain(
      'coffer_http_request_duration_seconds_count{method="POST",route="/broken",status="500"} 1\n',
    );
  });

  it('tells of the process, the database and the caches', async () => {
    const { body } = await scrape(test, '127.0.0.1');
    expect(body).toMatch(/^process_resident_memory_bytes \d+/m);
    expect(body).toMatch(/^coffer_database_connections{of="open"} \d+/m);
    expect(body).toMatch(/^coffer_cache_entries{of="abilities"} \d+/m);
    expect(body).toMatch(/^coffer_audit_waiting{of="all"} 0/m);
    expect(body).toMatch(/^coffer_http_requests{of="all"} 1/m);
  });

  it('is for the machine itself where no token is set', async () => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect((await scrape(test, address)).statusCode).toBe(200);
    expect((await scrape(test, '10.0.0.1')).statusCode).toBe(404);
    // Through a proxy on this machine.
    expect((await scrape(test, '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).statusCode).toBe(404);
  });

  it('is for those who have the token where there is one', async () => {
    expect((await scrape(closed, '127.0.0.1')).statusCode).toBe(401);
    expect((await scrape(closed, '127.0.0.1', { authorization: 'Bearer wrong' })).statusCode).toBe(401);
    expect((await scrape(closed, '10.0.0.1', { authorization: `Bearer ${TOKEN}` })).statusCode).toBe(200);
  });
});
