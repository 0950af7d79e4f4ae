import { usage } from '../../exit.ts';
import { pathOf, readText, writeWhole } from '../../files.ts';
import { connect } from '../../session.ts';
import type { Action, Flags, Values } from '../../table/command.ts';
import { addToAgent } from './agent.ts';
import { keysOf, publicKeyOf } from './answer.ts';
import type { issueFlags, signFlags } from './flags.ts';

type Common = Pick<Values<typeof issueFlags>, 'certificateTemplateId' | 'principals' | 'certType' | 'ttl' | 'keyId'>;

/** The fields that issuing and signing have in common. @throws CommandError for what is missing. */
function orderOf({ certificateTemplateId, principals, certType, ttl, keyId }: Common) {
  if (!certificateTemplateId) throw usage('No template is named', 'Pass --certificateTemplateId');
  if (!principals) throw usage('No principals are named', 'Pass --principals, such as deploy,root');
  return {
    certificateTemplateId,
    certType: certType as 'user' | 'host',
    principals: principals.split(',').map((one) => one.trim()),
    ...(ttl && { ttl }),
    ...(keyId && { keyId }),
  };
}

export const issueCredentials: Action<typeof issueFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const order = orderOf(flags);
  const client = await connect(invocation);
  const keyAlgorithm = flags.keyAlgorithm as 'ED25519';
  const issued = keysOf(await client.sshCertificates.issue.mutate({ ...order, keyAlgorithm }));
  if (flags.addToAgent) {
    addToAgent(io, issued);
    return io.say('info', `The key with certificate ${issued.serialNumber} is in the SSH agent`);
  }
  if (flags.json && !flags.outFilePath) return io.write(`${JSON.stringify(issued)}\n`);
  const path = pathOf(flags.outFilePath ?? `id_${flags.keyAlgorithm.toLowerCase()}`, io.cwd);
  writeWhole(path, issued.privateKey);
  writeWhole(`${path}.pub`, `${publicKeyOf(issued.publicKey)}\n`, { mode: 0o644 });
  writeWhole(`${path}-cert.pub`, `${issued.signedKey}\n`, { mode: 0o644 });
  io.say('info', `Wrote ${path}, ${path}.pub and ${path}-cert.pub (certificate ${issued.serialNumber})`);
};

export const signKey: Action<typeof signFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const order = orderOf(flags);
  const publicKey = keyToSign(flags, io.cwd);
  const client = await connect(invocation);
  const signed = await client.sshCertificates.sign.mutate({ ...order, publicKey });
  if (flags.json) return io.write(`${JSON.stringify(signed)}\n`);
  const beside = flags.publicKeyFilePath?.replace(/\.pub$/, '-cert.pub');
  const target = flags.outFilePath ?? beside;
  const signedKey = publicKeyOf(signed.signedKey);
  if (!target) return io.write(`${signedKey}\n`);
  writeWhole(pathOf(target, io.cwd), `${signedKey}\n`, { mode: 0o644 });
  io.say('info', `Wrote ${target} (certificate ${signed.serialNumber})`);
};

function keyToSign({ publicKey, publicKeyFilePath }: Values<Flags & typeof signFlags>, cwd: string): string {
  if (publicKey && publicKeyFilePath) throw usage('Pass either --publicKey or --publicKeyFilePath, not both');
  if (publicKey) return publicKey;
  if (!publicKeyFilePath) throw usage('No key is named', 'Pass --publicKeyFilePath or --publicKey');
  return readText(pathOf(publicKeyFilePath, cwd)).trim();
}
