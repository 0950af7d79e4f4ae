import { createSocket } from 'node:dgram';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemResolver } from './resolver.ts';

describe('systemResolver', () => {
  it('queries addresses of both kinds', async () => {
    const { resolve } = await resolver({ records: { 'dual.test': ['10.0.0.1', 'fd00::1'], 'old.test': ['10.0.0.2'] } });
    expect(await resolve('dual.test')).toEqual([
      { address: '10.0.0.1', family: 4 },
      { address: 'fd00::1', family: 6 },
    ]);
    expect(await resolve('old.test')).toEqual([{ address: '10.0.0.2', family: 4 }]);
  });

  it('returns nothing for an unknown name', async () => {
    const { resolve } = await resolver({});
    expect(await resolve('gone.test')).toEqual([]);
  });

  it('reports failures of the servers', async () => {
    const { resolve } = await resolver({ records: { 'broken.test': 'fails' } });
    await expect(resolve('broken.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });

  it('prefers the hosts file', async () => {
    const hosts = '# 10.0.0.9 app.test\n10.0.0.1\tApp.test app # home\nfe80::1%lo0 app.test\n::1 app.test\n';
    const { resolve, asked } = await resolver({ hosts, records: { 'app.test': ['10.0.0.9'] } });
    expect(await resolve('app.test')).toEqual([
      { address: '10.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
    expect(asked).toEqual([]);
  });

  it('tries the search list first for a short name, as in Kubernetes', async () => {
    const conf = 'search ns.svc.cluster.local svc.cluster.local\noptions ndots:5 edns0\n';
    const { resolve, asked } = await resolver({
      conf,
      records: { 'vault.svc.cluster.local': ['10.0.0.1'], vault: ['10.0.0.9'], 'api.github.test': ['10.0.0.2'] },
    });
    expect(await resolve('vault')).toEqual([{ address: '10.0.0.1', family: 4 }]);
    expect(new Set(asked)).toEqual(new Set(['vault.ns.svc.cluster.local', 'vault.svc.cluster.local']));
    expect(await resolve('api.github.test')).toEqual([{ address: '10.0.0.2', family: 4 }]);
  });

  it('tries a name with a dot literally by default', async () => {
    const { resolve, asked } = await resolver({ conf: 'search corp.test\n', records: { 'a.test': ['10.0.0.1'] } });
    await resolve('a.test');
    expect(new Set(asked)).toEqual(new Set(['a.test']));
  });

  it('is not delayed by names with silent servers', async () => {
    const { resolve } = await resolver({ records: { 'quick.test': ['10.0.0.1'], 'silent.test': 'silent' } });
    let ended = 0;
    for (let i = 0; i < 20; i += 1) resolve('silent.test').catch(() => (ended += 1));
    expect(await resolve('quick.test')).toEqual([{ address: '10.0.0.1', family: 4 }]);
    expect(ended).toBe(0);
  });
});

type Records = Record<string, string[] | 'silent' | 'fails'>;

async function resolver({ records = {}, hosts = '', conf = '' }: { records?: Records; hosts?: string; conf?: string }) {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-resolver-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [hostsFile, resolvConf] = [join(folder, 'hosts'), join(folder, 'resolv.conf')];
  await Promise.all([writeFile(hostsFile, hosts), writeFile(resolvConf, conf)]);
  const { server, asked } = await serveNames(records);
  return { resolve: systemResolver({ hostsFile, resolvConf, servers: [server] }), asked };
}

/** A name server for A and AAAA questions (RFC 1035, section 4). */
async function serveNames(records: Records) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  onTestFinished(() => {
    socket.close();
  });
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at]!; length; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    asked.push(name);
    const record = records[name];
    if (record === 'silent') return;

    const size = query.readUInt16BE(at + 1) === 1 ? 4 : 16;
    const answers = Array.isArray(record) ? record.map(bytesOf).filter((bytes) => bytes.length === size) : [];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(record === 'fails' ? 0x8182 : record ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(answers.length, 6);
    header.writeUInt32BE(0, 8);
    const kind = size === 4 ? 1 : 28;
    const body = answers.map((bytes) => Buffer.from([0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 60, 0, size, ...bytes]));
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...body]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { server: `127.0.0.1:${socket.address().port}`, asked };
}

function bytesOf(address: string): number[] {
  if (address.includes('.')) return address.split('.').map(Number);
  const [head = '', tail = ''] = address.split('::').map((half) =>
    half
      .split(':')
      .filter(Boolean)
      .map((g) => g.padStart(4, '0'))
      .join(''),
  );
  return [...Buffer.from(head + '0'.repeat(32 - head.length - tail.length) + tail, 'hex')];
}
