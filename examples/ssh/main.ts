// The typed client with SSH certificates: a deployment that logs in with a key of its own, which lasts for some minutes.
//
//   node examples/ssh/main.ts
//
// COFFER_URL, COFFER_CLIENT_ID, COFFER_CLIENT_SECRET and COFFER_PROJECT_ID are what examples/http/quickstart.sh ends with.
import { createCofferClient } from '@coffer/client';

const { COFFER_URL = 'http://127.0.0.1:8080', COFFER_CLIENT_ID, COFFER_CLIENT_SECRET, COFFER_PROJECT_ID } = process.env;
if (!COFFER_CLIENT_ID || !COFFER_CLIENT_SECRET || !COFFER_PROJECT_ID) {
  throw new Error('Set COFFER_CLIENT_ID, COFFER_CLIENT_SECRET and COFFER_PROJECT_ID');
}

const { sshAuthorities, sshTemplates, sshCertificates } = createCofferClient({
  url: COFFER_URL,
  auth: { clientId: COFFER_CLIENT_ID, clientSecret: COFFER_CLIENT_SECRET },
});

// Once: an authority, whose key servers trust, and what its certificates may be.
const { ca } = await sshAuthorities.create.mutate({ projectId: COFFER_PROJECT_ID, friendlyName: 'Deployments' });
console.log(`TrustedUserCAKeys has ${ca.publicKey.split(' ')[0]}`);
const template = await sshTemplates.create.mutate({
  sshCaId: ca.id,
  name: 'deploy',
  maxTTL: '1h',
  allowedUsers: ['deploy'],
  allowedHosts: [],
  allowUserCertificates: true,
  allowHostCertificates: false,
  allowCustomKeyIds: false,
});

// For each deployment: a new key with its certificate. Both are for ssh, in two files; Coffer stores only the certificate.
const order = { certificateTemplateId: template.id, principals: ['deploy'], ttl: '10m' };
const { serialNumber, signedKey, privateKey } = await sshCertificates.issue.mutate(order);
console.log(`${privateKey.split('\n')[0]} and ${signedKey.split(' ')[0]}`);
await sshCertificates.issue
  .mutate({ ...order, principals: ['root'] })
  .catch(({ reason }) => console.log(`As root: ${reason}`));

// When it is done, or when something is wrong.
const { certificate } = await sshCertificates.revoke.mutate({ serialNumber });
const list = await fetch(`${COFFER_URL}/api/v1/ssh/ca/${ca.id}/krl`);
const isListed = Buffer.from(await list.arrayBuffer()).includes(bytesOf(BigInt(serialNumber)));
console.log(`For ${certificate.principals.join()}: ${isListed ? 'revoked' : 'valid'}`);

function bytesOf(serial: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(serial);
  return bytes;
}
