import { describe, expect, it } from 'vitest';
import { serve } from '../../../../outbound/testing/servers.ts';
import { describeMalformedAnswers, failureOf, THE_CREDENTIAL } from '../../testing/malformed-answers.ts';
import { rabbitMq } from './rabbit-mq.ts';

const inputs = (port: number) => ({
  host: 'http://127.0.0.1',
  port,
  username: 'coffer',
  password: THE_CREDENTIAL,
  virtualHost: { name: '/', permissions: { read: '', write: '', configure: '' } },
});

describe('a misbehaving RabbitMQ', () => {
  describeMalformedAnswers({
    provider: rabbitMq,
    inputs,
    dialogs: [
      ['', 'HTTP/1.1 200 OK\r\n'],
      ['', 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"tags": '],
      ['', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"tag'],
    ],
  });

  it.each([
    ['no JSON', 200, '<html>', /bad_response/],
    ['another shape', 200, '{"tags": {"administrator": true}}', /administrator/],
    ['nothing', 200, 'null', /administrator/],
    ['a redirect', 302, '', /redirect/],
    ['a page about a fault', 502, '<html>', /remote\.ambiguous/],
    ['words of many lines', 401, JSON.stringify({ reason: 'x\n'.repeat(500) }), /remote\.rejected/],
  ])('is not believed with %s', async (_what, status, body, code) => {
    const elsewhere: string[] = [];
    const other = await serve((request, response) => {
      elsewhere.push(request.url ?? '');
      response.end();
    });
    const { port } = await serve((_request, response) =>
      response.writeHead(status, { location: `${other.origin}/stolen` }).end(body),
    );
    const failure = await failureOf(rabbitMq, inputs(port), 3000);
    expect(`${failure?.code} ${failure?.message}`).toMatch(code);
    expect(elsewhere).toEqual([]);
  });

  it('repeats no credential, in whichever form it was sent', async () => {
    const { port } = await serve((request, response) => {
      const { authorization = '' } = request.headers;
      const [, basic = ''] = authorization.split(' ');
      const plain = Buffer.from(basic, 'base64').toString();
      response.writeHead(401).end(JSON.stringify({ reason: `${authorization} ${basic} ${plain} is wrong` }));
    });
    expect((await failureOf(rabbitMq, inputs(port), 3000))?.message).toBe(
      `127.0.0.1:${port} reports: 401 Basic [hidden] [hidden] coffer:[hidden] is wrong`,
    );
  });

  it('sends no credential in plaintext unless the host says http', async () => {
    const heard: string[] = [];
    const { port } = await serve((request, response) => {
      heard.push(`${request.url}`);
      response.writeHead(200).end('{"tags": "management"}');
    });
    expect(await failureOf(rabbitMq, { ...inputs(port), host: '127.0.0.1' }, 3000)).toBeDefined();
    expect(heard).toEqual([]);
    const plain = await failureOf(rabbitMq, { ...inputs(port), host: 'http://127.0.0.1' }, 3000);
    expect([plain?.message, heard]).toEqual(['coffer needs the tag administrator', ['/api/whoami']]);
  });
});
