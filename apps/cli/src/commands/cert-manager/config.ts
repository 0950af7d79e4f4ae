import {
  count,
  duration,
  flag,
  listOf,
  needed,
  object,
  permission,
  readYaml,
  text,
  nameIn,
  type At,
  type Shape,
} from '../../daemon/config-shape.ts';
import type { Execute } from '../../daemon/execute.ts';
import { executeShape, machineShape, type MachineConfig } from '../../daemon/server-config.ts';
import type { Environment } from '../../parse.ts';
import type { Node } from 'yaml';

/** A file to be written. */
export interface Output {
  readonly path: string;
  readonly permission: number;
}

export type Hook = 'on-issuance' | 'on-renewal' | 'on-failure';

export interface CertificateConfig {
  /** For messages: its common name, else its file. */
  readonly name: string;
  /** What is delivered: a certificate that the agent orders, or one that is there. */
  readonly source:
    | { readonly kind: 'profile'; readonly projectSlug: string; readonly profile: string }
    | { readonly kind: 'certificate'; readonly id: string; readonly follows: boolean };
  readonly attributes: Attributes;
  readonly csr: { readonly path: string } | { readonly text: string } | undefined;
  readonly certificate: Output;
  readonly privateKey: Output | undefined;
  readonly chain: (Output & { readonly omitsRoot: boolean }) | undefined;
  /** Milliseconds; `undefined`: it is not renewed. */
  readonly renewBefore: number | undefined;
  readonly checkInterval: number;
  readonly retryInterval: number;
  readonly maxFailures: number;
  readonly hooks: Readonly<Partial<Record<Hook, Execute>>>;
}

export interface CertificateAgentConfig extends MachineConfig {
  readonly certificates: readonly CertificateConfig[];
}

const attributes = object({
  'common-name': text,
  'alt-names': listOf(needed),
  ttl: text,
  'not-before': text,
  'not-after': text,
  'key-algorithm': text,
  'signature-algorithm': text,
  'key-usages': listOf(needed),
  'extended-key-usages': listOf(needed),
});
export type Attributes = ReturnType<typeof attributes>;

const output: Shape<Output | undefined> = (node, at) => {
  if (node === undefined) return undefined;
  const { path, permission: mode = 0o600 } = object({ path: needed, permission })(node, at);
  return { path, permission: mode };
};

const chainOutput: Shape<CertificateConfig['chain']> = (node, at) => {
  if (node === undefined) return undefined;
  const read = object({ path: needed, permission, 'omit-root': flag(true) })(node, at);
  return { path: read.path, permission: read.permission ?? 0o600, omitsRoot: read['omit-root'] };
};

const fields = {
  'application-name': text,
  'project-slug': text,
  'profile-name': text,
  'certificate-id': text,
  attributes,
  csr: text,
  'csr-path': text,
  lifecycle: object({
    'renew-before-expiry': duration(undefined, 1),
    'status-check-interval': duration(10_000, 1000),
    'failure-retry-interval': duration(undefined, 1000),
    'max-failure-retries': count(10),
    'replace-on-renewals': flag(false),
  }),
  'file-output': object({ 'private-key': output, certificate: output, chain: chainOutput }),
  'post-hooks': object({ 'on-issuance': executeShape, 'on-renewal': executeShape, 'on-failure': executeShape }),
};
type Read = { readonly [Name in keyof typeof fields]: ReturnType<(typeof fields)[Name]> };

const certificateShape: Shape<CertificateConfig> = (node, at) => {
  const read = object<Read>(fields)(node, at);
  const { lifecycle, 'file-output': files } = read;
  const { csr, 'csr-path': csrPath, 'certificate-id': id } = read;
  const request = csrPath === undefined ? csr && { text: csr } : { path: csrPath };
  requireSense(read, at, node);
  if (!files.certificate) at.below('file-output.certificate').fault('is missing');
  if (!files['private-key'] && !request && id === undefined) at.below('file-output.private-key').fault('is missing');
  const certificate = files.certificate ?? { path: '', permission: 0o600 };
  return {
    name: read.attributes['common-name'] ?? id ?? certificate.path,
    source:
      id === undefined
        ? { kind: 'profile', projectSlug: read['project-slug'] ?? '', profile: read['profile-name'] ?? '' }
        : { kind: 'certificate', id, follows: lifecycle['replace-on-renewals'] },
    attributes: read.attributes,
    csr: request || undefined,
    certificate,
    privateKey: files['private-key'],
    chain: files.chain,
    renewBefore: request || id !== undefined ? undefined : lifecycle['renew-before-expiry'],
    checkInterval: lifecycle['status-check-interval'],
    retryInterval: lifecycle['failure-retry-interval'] ?? lifecycle['status-check-interval'],
    maxFailures: lifecycle['max-failure-retries'],
    hooks: Object.fromEntries(Object.entries(read['post-hooks']).filter(([, hook]) => hook)),
  };
};

/** What does not go together is an error: left out silently, it would be missed at the worst moment. */
function requireSense(read: Read, at: At, node: Node | null | undefined): void {
  const { attributes: asked, lifecycle } = read;
  const fault = (name: string, message: string): void =>
    at.below(name).fault(message, nameIn(node, name.split('.')[0]!));
  if (read['application-name'] !== undefined)
    fault('application-name', 'is not offered: there are no applications; name project-slug');
  const isTracked = read['certificate-id'] !== undefined;
  for (const name of ['project-slug', 'profile-name', 'csr', 'csr-path'] as const)
    if (isTracked && read[name] !== undefined) fault(name, 'does not go together with certificate-id');
  if (isTracked && Object.values(asked).some((one) => (Array.isArray(one) ? one.length : one !== undefined)))
    fault('attributes', 'does not go together with certificate-id');
  if (!isTracked && lifecycle['replace-on-renewals'])
    fault('lifecycle.replace-on-renewals', 'goes together with certificate-id only');
  for (const name of ['project-slug', 'profile-name'] as const)
    if (!isTracked && !read[name]) fault(name, 'is missing');
  if (read.csr !== undefined && read['csr-path'] !== undefined) fault('csr', 'does not go together with csr-path');
  if (asked.ttl !== undefined && (asked['not-before'] ?? asked['not-after']) !== undefined)
    fault('attributes.ttl', 'does not go together with not-before and not-after');
}

/**
 * Reads the configuration of the agent for certificates, which is the published one.
 *
 * @throws CommandError with all faults and their lines.
 */
export const readCertificateAgentConfig = (name: string, source: string, env: Environment): CertificateAgentConfig =>
  readYaml(name, source, (node, at) => {
    const read = machineShape(env, { certificates: listOf(certificateShape) }, { takesValues: true })(node, at);
    if (!read.certificates.length) at.below('certificates').fault('is missing');
    return read;
  });
