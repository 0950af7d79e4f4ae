import { once } from 'node:events';
import { connect } from 'node:net';
import type { Random } from '../chaos/random.ts';

/** Maximum time for reading from a connection, in milliseconds: incomplete requests get no response. */
const READING = 400;
const LONG = 'x'.repeat(40_000);

/** Raw requests; `HOST` and `AUTH` are replaced by valid headers. */
const REQUESTS: readonly string[] = [
  '\r\n\r\n',
  '\0\0\0\0\r\n\r\n',
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\nHOST\r\n\r\n',
  'GET /api/status HTTP/1.0\r\n\r\n',
  'GET /api/status HTTP/1.1\r\n\r\n',
  'GET http://127.0.0.1/api/status HTTP/1.1\r\nHOST\r\n\r\n',
  'GET * HTTP/1.1\r\nHOST\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHOST\r\n\r\n',
  'CONNECT example.com:443 HTTP/1.1\r\nHOST\r\n\r\n',
  'TRACE /api/status HTTP/1.1\r\nHOST\r\n\r\n',
  'BREW /api/status HTTP/1.1\r\nHOST\r\n\r\n',
  'PROPFIND /api/status HTTP/1.1\r\nHOST\r\n\r\n',
  'HEAD /api/status HTTP/1.1\r\nHOST\r\n\r\n',
  'HEAD /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\n\r\n',
  'OPTIONS /api/v1/projects HTTP/1.1\r\nHOST\r\norigin: https://evil.example\r\naccess-control-request-method: POST\r\n\r\n',
  'GET /api/v1/projects?a=%zz HTTP/1.1\r\nHOST\r\nAUTH\r\n\r\n',
  'GET /api/%zz HTTP/1.1\r\nHOST\r\n\r\n',
  'GET /api/v1/projects/%c3%28 HTTP/1.1\r\nHOST\r\nAUTH\r\n\r\n',
  'GET /api/v1/projects/%00 HTTP/1.1\r\nHOST\r\nAUTH\r\n\r\n',
  'GET //api//status HTTP/1.1\r\nHOST\r\n\r\n',
  'GET /api/../../etc/passwd HTTP/1.1\r\nHOST\r\n\r\n',
  'GET /api/trpc/%5f%5fproto%5f%5f HTTP/1.1\r\nHOST\r\n\r\n',
  'GET /api/trpc/ HTTP/1.1\r\nHOST\r\n\r\n',
  'GET /api/trpc/,,,?batch=1 HTTP/1.1\r\nHOST\r\n\r\n',
  'GET /api/trpc/instance.status?batch=1&batch=1&input=x HTTP/1.1\r\nHOST\r\n\r\n',
  'GET /api/trpc/instance.status?input[]=1&input=2 HTTP/1.1\r\nHOST\r\n\r\n',
  `GET /${LONG} HTTP/1.1\r\nHOST\r\n\r\n`,
  `GET /api/status HTTP/1.1\r\nHOST\r\nx: ${LONG}\r\n\r\n`,
  `GET /api/status HTTP/1.1\r\nHOST\r\n${'x: y\r\n'.repeat(3000)}\r\n`,
  'GET /api/status HTTP/1.1\r\nHOST\r\nHOST\r\n\r\n',
  'GET /api/status HTTP/1.1\r\nHOST\r\nbad header: x\r\n\r\n',
  'GET /api/status HTTP/1.1\r\nHOST\r\n folded: x\r\n\r\n',
  'GET /api/status HTTP/1.1\r\nHOST\r\nx: \0\r\n\r\n',
  'GET /api/v1/projects HTTP/1.1\r\nHOST\r\nauthorization: Bearer\r\n\r\n',
  'GET /api/v1/projects HTTP/1.1\r\nHOST\r\nauthorization: Basic AAAA\r\n\r\n',
  'GET /api/v1/projects HTTP/1.1\r\nHOST\r\nauthorization: Bearer ü\r\n\r\n',
  'GET /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\nAUTH\r\n\r\n',
  'GET /api/v1/projects HTTP/1.1\r\nHOST\r\nx-api-key: x\r\n\r\n',
  'GET /api/status HTTP/1.1\r\nHOST\r\nx-forwarded-for: 1,2,3,,,,x\r\nforwarded: for=_\r\n\r\n',
  'GET /api/status HTTP/1.1\r\nHOST\r\ncookie: jid=; jid=%zz; =; ;;\r\n\r\n',
  'GET /api/status HTTP/1.1\r\nHOST\r\nif-none-match: *, W/"x", ,\r\n\r\n',
  'GET /api/status HTTP/1.1\r\nHOST\r\nrange: bytes=-1\r\nexpect: nothing\r\n\r\n',
  'GET /api/status HTTP/1.1\r\nHOST\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  'GET /api/status HTTP/1.1\r\nHOST\r\nupgrade: h2c\r\nconnection: upgrade, http2-settings\r\nhttp2-settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'POST /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\ncontent-type: application/json\r\ncontent-length: 5\r\n\r\n{"a":',
  'POST /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\ncontent-type: application/json\r\ncontent-length: -1\r\n\r\n{}',
  'POST /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\ncontent-type: application/json\r\ncontent-length: 99999999999\r\n\r\n{}',
  'POST /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\ncontent-type: application/json\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
  'POST /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\ncontent-type: application/json\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  'POST /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\ncontent-type: application/json\r\ntransfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'POST /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}',
  'POST /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\ncontent-type: application/json; charset=utf-16\r\ncontent-length: 2\r\n\r\n{}',
  'POST /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\ncontent-type: ;;;\r\ncontent-length: 2\r\n\r\n{}',
  'POST /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\ncontent-type: multipart/form-data\r\ncontent-length: 2\r\n\r\n{}',
  'POST /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\ncontent-type: application/json\r\ncontent-length: 3\r\n\r\n\xef\xbb\xbf',
  'POST /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\ncontent-type: application/json\r\ncontent-length: 4\r\n\r\n"\xff\xfe"',
  'POST /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n{}',
  'POST /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\n\r\n',
  'DELETE /api/v1/projects HTTP/1.1\r\nHOST\r\nAUTH\r\ncontent-type: application/json\r\ncontent-length: 4\r\n\r\nnull',
  'POST /api/v1/auth/token HTTP/1.1\r\nHOST\r\ncookie: jid=x\r\ncontent-length: 0\r\n\r\n',
  'POST /api/v1/pki/ocsp/x HTTP/1.1\r\nHOST\r\ncontent-type: application/ocsp-request\r\ncontent-length: 2\r\n\r\n0\0',
  'GET /api/status HTTP/1.1\r\nHOST\r\n\r\nGET /api/status HTTP/1.1\r\nHOST\r\n\r\nnonsense\r\n\r\n',
];

/** The statuses of a server's responses to raw bytes, in order. */
export async function sendRaw(random: Random, url: URL, token: string): Promise<{ sent: string; statuses: number[] }> {
  const sent = spoilBytes(
    random,
    random.pick(REQUESTS).replaceAll('HOST', `host: ${url.host}`).replaceAll('AUTH', `authorization: Bearer ${token}`),
  );
  const socket = connect({ host: url.hostname, port: Number(url.port) });
  let said = '';
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(Buffer.from(sent, 'latin1'));
  const timer = setTimeout(() => socket.destroy(), READING);
  await once(socket, 'close').catch(() => undefined);
  clearTimeout(timer);
  const statuses = Array.from(said.matchAll(/(?:^|\r\n|\})HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
  return { sent: sent.replaceAll(token, '<token>'), statuses };
}

/** Leaves most unchanged; changes a few bytes of others. */
function spoilBytes(random: Random, text: string): string {
  if (random.next() < 0.7) return text;
  const at = random.whole(0, text.length - 1);
  return random.pick([
    () => text.slice(0, at),
    () => text.slice(0, at) + String.fromCharCode(random.whole(0, 255)) + text.slice(at + 1),
    () => text + text,
    () => text.replaceAll('\r\n', '\n'),
  ])();
}
