import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { serveRaw } from '../../outbound/testing/servers.ts';
import { NoReply, RedisError, RespConnection } from './resp.ts';

/** A connection to a server that sends these parts one after the other on request. */
async function saying(parts: readonly string[]) {
  const asked: string[] = [];
  const { port } = await serveRaw((socket) => {
    socket.on('data', (data: Buffer) => asked.push(data.toString()));
    const say = async () => {
      for (const part of parts) {
        socket.write(part);
        await sleep(2);
      }
      socket.end();
    };
    socket.once('data', () => void say());
  });
  const stream = connect(port, '127.0.0.1');
  await once(stream, 'connect');
  return { stream, asked, resp: new RespConnection(stream) };
}

describe('RESP', () => {
  it('sends words with their lengths, so that no content can end a word', async () => {
    const { resp, asked } = await saying(['+OK\r\n']);
    await resp.ask([['SET', 'a b\r\n*1', '', 'é"\'']]);
    expect(asked).toEqual(['*4\r\n$3\r\nSET\r\n$7\r\na b\r\n*1\r\n$0\r\n\r\n$4\r\né"\'\r\n']);
  });

  // From the specification of RESP 2.
  it.each([
    ['+OK\r\n', 'OK'],
    ['+\r\n', ''],
    [':-1000\r\n', -1000],
    ['$0\r\n\r\n', ''],
    ['$-1\r\n', null],
    ['*-1\r\n', null],
    ['*0\r\n', []],
    ['$6\r\nfoo\r\na\r\n', 'foo\r\na'],
    ['$2\r\né\r\n', 'é'],
    ['*5\r\n:1\r\n:2\r\n:3\r\n:4\r\n$5\r\nhello\r\n', [1, 2, 3, 4, 'hello']],
    [
      '*2\r\n*3\r\n:1\r\n:2\r\n:3\r\n*2\r\n+Hello\r\n-World\r\n',
      [
        [1, 2, 3],
        ['Hello', new RedisError('World')],
      ],
    ],
    ['*3\r\n$5\r\nhello\r\n$-1\r\n$5\r\nworld\r\n', ['hello', null, 'world']],
    ['-WRONGTYPE Operation against a key\r\n', new RedisError('WRONGTYPE Operation against a key')],
  ])('reads %j, however it is cut', async (text, expected) => {
    for (const parts of [[text], text.match(/[^]{1,3}/g) ?? []]) {
      const { resp } = await saying(parts);
      expect(await resp.ask([['PING']])).toEqual([expected]);
    }
  });

  it('returns each command its reply', async () => {
    const { resp } = await saying(['+1\r\n:2\r', '\n$1\r\n3\r\n']);
    expect(await resp.ask([['A'], ['B'], ['C']])).toEqual(['1', 2, '3']);
  });

  it.each([
    ['OK\r\n'],
    ['+OK\n'],
    ['%1\r\n+a\r\n+b\r\n'],
    [':1e3\r\n'],
    [':\r\n'],
    ['$-2\r\n'],
    ['$3\r\nfoobar\r\n'],
    ['*-2\r\n'],
    ['$99999999\r\n'],
    ['*99999999\r\n'],
    ['*1\r\n'.repeat(20)],
    [`+${'x'.repeat(70_000)}\r\n`],
  ])('refuses %j', async (text) => {
    const { resp, stream } = await saying([text]);
    const failure = await resp.ask([['PING']]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NoReply);
    expect(stream.destroyed).toBe(true);
  });

  it('closes a connection on an unsolicited message', async () => {
    const { resp, stream } = await saying(['+OK\r\n+AND\r\n']);
    expect(await resp.ask([['PING']])).toEqual(['OK']);
    expect(stream.destroyed).toBe(true);
    await expect(resp.ask([['PING']])).rejects.toMatchObject({ hasEnded: true });
  });
});
