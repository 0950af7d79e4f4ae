import { createSocket } from 'node:dgram';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNames } from './names.ts';

const failure = (code: string) => ({ kind: 'bad_request', code: `outbound.${code}` });

describe('asking name servers', () => {
  it('returns addresses, IPv4 first, and texts in one piece', async () => {
    const { names } = await nameServer({ texts: [['one'], ['two ', 'pieces']] });
    expect(await names.addresses('app.test')).toEqual(['192.0.2.1', '2001:db8::1']);
    expect(await names.texts('_acme-challenge.app.test')).toEqual(['one', 'two pieces']);
  });

  it('returns nothing for missing records', async () => {
    const { names } = await nameServer({ code: 3 });
    expect([await names.addresses('app.test'), await names.texts('app.test')]).toEqual([[], []]);
  });

  it('reports failures of the servers', async () => {
    const { names } = await nameServer({ code: 2 });
    await expect(names.texts('app.test')).rejects.toMatchObject(failure('unreachable'));
    await expect(names.addresses('app.test')).rejects.toMatchObject(failure('unreachable'));
  });

  it('queries names and nothing else', async () => {
    const { names, asked } = await nameServer({});
    for (const name of [
      '',
      'a b',
      'a..test',
      '.test',
      'a.test.',
      '-a.test',
      `${'a'.repeat(64)}.test`,
      'a\0.test',
      'ä.test',
    ])
      await expect(names.texts(name), name).rejects.toMatchObject(failure('bad_url'));
    expect(asked).toEqual([]);
  });

  it('rejects excessive responses', async () => {
    const { names } = await nameServer({ texts: Array.from({ length: 101 }, () => ['x']) });
    await expect(names.texts('app.test')).rejects.toMatchObject(failure('too_large'));
  });
});

interface Records {
  readonly texts?: readonly (readonly string[])[];
  readonly code?: number;
}

/** A name server with the same records for every name (RFC 1035, section 4). */
async function nameServer({ texts = [], code = 0 }: Records) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  onTestFinished(() => {
    socket.close();
  });
  socket.on('message', (query, from) => {
    let at = 12;
    while (query[at]) at += 1 + query[at]!;
    asked.push(query.toString('latin1', 12, at));
    const type = query.readUInt16BE(at + 1);
    const datas = code ? [] : dataOf(type, texts);
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | code, 2);
    header.writeUInt16BE(datas.length, 6);
    header.writeUInt32BE(0, 8);
    const answers = datas.map((data) => {
      const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, 0]);
      head.writeUInt16BE(data.length, 10);
      return Buffer.concat([head, data]);
    });
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...answers]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { names: createNames([`127.0.0.1:${socket.address().port}`]), asked };
}

function dataOf(type: number, texts: readonly (readonly string[])[]): Buffer[] {
  if (type === 1) return [Buffer.from([192, 0, 2, 1])];
  if (type === 28) return [Buffer.from('20010db8000000000000000000000001', 'hex')];
  return texts.map((pieces) => Buffer.concat(pieces.map((one) => Buffer.from([one.length, ...Buffer.from(one)]))));
}
