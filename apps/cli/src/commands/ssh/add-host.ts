import { existsSync } from 'node:fs';
import { failure, usage } from '../../exit.ts';
import { readText, writeWhole } from '../../files.ts';
import { projectOf } from '../../place.ts';
import { connect } from '../../session.ts';
import type { Action, Invocation } from '../../table/command.ts';
import type { addHostFlags } from './flags.ts';
import { publicKeyOf, publicKeysOf } from './answer.ts';
import { textOf } from './connect.ts';

export const addHost: Action<typeof addHostFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const { hostname, alias } = flags;
  if (!hostname) throw usage('No host is named', 'Pass --hostname, the name that clients connect to');
  const certificate = flags['host-key-path'].replace(/\.pub$/, '-cert.pub');
  const userCa = flags['user-ca-out-file-path'];
  requireFree(invocation, [
    ...(flags['write-user-ca-to-file'] ? [userCa] : []),
    ...(flags['write-host-cert-to-file'] ? [certificate] : []),
    ...(flags['configure-sshd'] ? [flags['sshd-config-path']] : []),
  ]);
  const publicKey = flags['write-host-cert-to-file']
    ? readText(flags['host-key-path'], 'Name the key with --host-key-path').trim()
    : '';
  const client = await connect(invocation);
  const projectId = await projectOf(invocation, client);
  const host = await client.sshHosts.create.mutate({ projectId, hostname, ...(alias && { alias }) });
  io.say('info', `Registered ${hostname} (${host.id})`);
  if (flags['write-user-ca-to-file']) {
    const keys = publicKeysOf(textOf(await client.sshHosts.userCaPublicKey.query({ sshHostId: host.id })));
    writeWhole(userCa, `${keys.join('\n')}\n`, { mode: 0o644 });
    io.say('info', `Wrote ${userCa}`);
  }
  if (flags['write-host-cert-to-file']) {
    const { signedKey } = await client.sshHosts.issueHostCert.mutate({ sshHostId: host.id, publicKey });
    writeWhole(certificate, `${publicKeyOf(signedKey)}\n`, { mode: 0o644 });
    io.say('info', `Wrote ${certificate}`);
  }
  if (flags['configure-sshd']) configure(invocation, userCa, certificate);
  if (flags.json) io.write(`${JSON.stringify(host)}\n`);
};

/** What tells sshd to accept certificates of users, and to show its own (sshd_config(5)). */
function configure({ flags, io }: Invocation<typeof addHostFlags>, userCa: string, certificate: string): void {
  const path = flags['sshd-config-path'];
  const key = flags['host-key-path'].replace(/\.pub$/, '');
  const lines = [
    ...(flags['write-user-ca-to-file'] ? [`TrustedUserCAKeys ${userCa}`] : []),
    ...(flags['write-host-cert-to-file'] ? [`HostKey ${key}`, `HostCertificate ${certificate}`] : []),
  ];
  if (!lines.length)
    throw usage('There is nothing to configure', 'Pass --write-user-ca-to-file and --write-host-cert-to-file');
  writeWhole(path, `${lines.join('\n')}\n`, { mode: 0o644 });
  io.say('info', `Wrote ${path}: check it with sshd -t, then reload sshd`);
}

function requireFree({ flags }: Invocation<typeof addHostFlags>, paths: readonly string[]): void {
  const there = paths.filter((path) => existsSync(path));
  if (there.length && !flags.force) throw failure(`${there.join(', ')} exists`, 'Replace it with --force');
}
