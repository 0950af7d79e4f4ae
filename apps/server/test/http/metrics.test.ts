import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { INSTANCE_LOG } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { echoRouter } from '../harness/echo-router.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';
import { listenForMetrics } from '../../src/http/metrics.ts';

const TOKEN = 'a-token-of-sixteen-letters-or-more';
let test: TestServer;
let closed: TestServer;
beforeAll(async () => {
  test = await testServer({}, { router: echoRouter, metricsToken: TOKEN });
  closed = await testServer({}, { router: echoRouter });
});
afterAll(async () => {
  await test.close();
  await closed.close();
});

const authorization = `Bearer ${TOKEN}`;
const scrape = (server: TestServer, headers: Record<string, string> = { authorization }, remoteAddress = '127.0.0.1') =>
  server.app.inject({ method: 'GET', url: '/metrics', remoteAddress, headers });

describe('/metrics', () => {
  it('counts requests by the pattern of their route, never by their path', async () => {
    for (const id of ['canary-1', 'canary-2', 'canary-3']) await test.app.inject({ method: 'GET', url: `/echo/${id}` });
    await test.app.inject({ method: 'GET', url: '/canary' });
    await test.app.inject({ method: 'POST', url: '/broken', payload: {} });
    const { body, headers } = await scrape(test);
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

  it('reports the process, the database and the caches', async () => {
    const { body } = await scrape(test);
    expect(body).toMatch(/^process_resident_memory_bytes \d+/m);
    expect(body).toMatch(/^coffer_database_connections{of="open"} \d+/m);
    expect(body).toMatch(/^coffer_cache_entries{of="abilities"} \d+/m);
    expect(body).toMatch(/^coffer_audit_waiting{of="all"} 0/m);
    expect(body).toMatch(/^coffer_http_requests{of="all"} 1/m);
  });

  it('is not there without a token, for the machine itself as little as for others', async () => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1'])
      expect((await scrape(closed, {}, address)).statusCode).toBe(404);
    expect((await scrape(closed)).statusCode).toBe(404);
  });

  it('needs the token if one is configured', async () => {
    expect((await scrape(test, {})).statusCode).toBe(401);
    for (const wrong of ['Bearer wrong', `Basic ${TOKEN}`, TOKEN, `Bearer ${TOKEN}x`])
      expect((await scrape(test, { authorization: wrong })).statusCode).toBe(401);
    expect((await scrape(test, { authorization }, '10.0.0.1')).statusCode).toBe(200);
  });
});

describe('a separate address', () => {
  const open = async (token?: string, { coffer, app } = test) => {
    const hosts = { siteUrl: 'https://coffer.example.com', hosts: [] };
    const server = await listenForMetrics({
      coffer,
      traffic: app.traffic,
      host: '127.0.0.1',
      port: 0,
      token,
      hosts,
    });
    const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      new Promise<{ status: number | undefined; body: string }>((done, fail) => {
        const req = request(
          { host: '127.0.0.1', port: server.port, path, method, headers },
          (res) => void text(res).then((body) => done({ status: res.statusCode, body }), fail),
        );
        req.once('error', fail).end();
      });
    return { ask, close: server.close };
  };

  it('serves metrics and nothing else', async () => {
    const { ask, close } = await open();
    const { status, body } = await ask('/metrics?x=1');
    expect(status).toBe(200);
    expect(body).toMatch(/^coffer_http_requests{of="all"} \d+/m);
    for (const path of ['/', '/api/status', '/metrics/x', '//metrics']) expect((await ask(path)).status).toBe(404);
    expect((await ask('/metrics', {}, 'POST')).status).toBe(404);
    expect(await ask('/metrics', {}, 'HEAD')).toEqual({ status: 200, body: '' });
    await close();
  });

  it('is accessible from any address, but not by another host name', async () => {
    const { ask, close } = await open();
    for (const host of ['10.0.0.7:9464', '[fd00::1]:9464', 'localhost', 'coffer.example.com'])
      expect((await ask('/metrics', { host })).status).toBe(200);
    for (const host of ['evil.example', '127.0.0.1.evil.example', '10.0.0.7@evil.example'])
      expect((await ask('/metrics', { host })).status).toBe(421);
    await close();
  });

  it('requires the token if one is configured', async () => {
    const { ask, close } = await open(TOKEN);
    expect((await ask('/metrics')).status).toBe(401);
    expect((await ask('/metrics', { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await ask('/metrics', { authorization })).status).toBe(200);
    await close();
  });

  it('records guesses of the token in the log of the instance, with their address', async () => {
    const server = await testServer({ clock: 'standing' });
    const { ask, close } = await open(TOKEN, server);
    await ask('/metrics');
    for (const guess of ['Bearer canary', 'Bearer canary-2', `Basic ${TOKEN}`])
      expect((await ask('/metrics', { authorization: guess })).status).toBe(401);
    await server.coffer.refusals.sweep(true);
    const { rows } = await server.coffer.pool.query(
      `select data ->> 'kind' as kind, data -> 'count' as count, ip_address as address from audit_events
       where published = 'refused-code' and organization_id = $1 order by created_at, id`,
      [INSTANCE_LOG],
    );
    const refused = { kind: 'metrics', address: '127.0.0.1' };
    expect(rows).toEqual([
      { ...refused, count: 1 },
      { ...refused, count: 2 },
    ]);
    await close();
    await server.close();
  });
});
