import type { ApiServer, TokenSpec } from '../../../../apps/kubernetes/index.ts';
import { badRequest } from '../../../../kernel/index.ts';
import type { LeaseOf } from '../../provider.ts';
import type { DynamicInputs, Inputs } from './inputs.ts';

type Kind = 'secret' | 'rolebinding' | 'clusterrolebinding';
interface Entity {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
}

/** A lease for `readEntity`: the first created object, and its namespace. */
export function entityOf(inputs: Inputs, namespace: string, name: string): string {
  if (inputs.credentialType === 'static') return `secret/${namespace}/${name}`;
  return `${inputs.roleType === 'role' ? 'rolebinding' : 'clusterrolebinding'}/${namespace}/${name}`;
}

export function readEntity({ entityId }: LeaseOf): Entity {
  const [kind = '', namespace = '', name = ''] = entityId.split('/');
  return { kind: kind as Kind, namespace, name };
}

const RBAC = 'rbac.authorization.k8s.io';
const core = (namespace: string) => `/api/v1/namespaces/${namespace}`;
const bindings = (kind: Kind, namespace: string) =>
  `/apis/${RBAC}/v1/${kind === 'clusterrolebinding' ? 'clusterrolebindings' : `namespaces/${namespace}/rolebindings`}`;

/** The objects of a lease. */
export function pathsOf({ kind, namespace, name }: Entity): string[] {
  if (kind === 'secret') return [`${core(namespace)}/secrets/${name}`];
  return [`${core(namespace)}/serviceaccounts/${name}`, `${bindings(kind, namespace)}/${name}`];
}

const metadataOf = (name: string) => ({ name, labels: { 'app.kubernetes.io/managed-by': 'coffer' } });

/**
 * A token of an existing account. Tokens cannot be revoked, but they are valid only while their bound object exists: an
 * empty Secret, created for this one.
 */
export async function tokenOfAccount(
  cluster: ApiServer,
  { namespace, name, account }: { namespace: string; name: string; account: string },
  spec: TokenSpec,
): Promise<string> {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: metadataOf(name), type: 'Opaque' };
  const uid = await cluster.create(`${core(namespace)}/secrets`, secret);
  const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name, uid };
  const given = await cluster.requestToken(`${core(namespace)}/serviceaccounts/${account}/token`, {
    ...spec,
    boundObjectRef,
  });
  if (given.boundTo !== uid)
    throw badRequest('kubernetes.not_bound', 'The cluster issues no tokens that can be revoked');
  return living(given, spec);
}

/** A token of an account that is made for it, and bound to the role. */
export async function tokenOfNewAccount(
  cluster: ApiServer,
  lease: LeaseOf,
  { roleType, role }: DynamicInputs,
  spec: TokenSpec,
): Promise<string> {
  const { kind, namespace, name } = readEntity(lease);
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadataOf(name) };
  await cluster.create(`${core(namespace)}/serviceaccounts`, account);
  await cluster.create(bindings(kind, namespace), {
    apiVersion: `${RBAC}/v1`,
    kind: kind === 'rolebinding' ? 'RoleBinding' : 'ClusterRoleBinding',
    metadata: metadataOf(name),
    roleRef: { apiGroup: RBAC, kind: roleType === 'role' ? 'Role' : 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  });
  return living(await cluster.requestToken(`${core(namespace)}/serviceaccounts/${name}/token`, spec), spec);
}

/** @throws DomainError 400 for a token that ends before its lease does. */
function living({ token, expirationSeconds }: { token: string; expirationSeconds: number }, asked: TokenSpec): string {
  if (expirationSeconds < asked.expirationSeconds)
    throw badRequest('kubernetes.ttl', `The cluster limits the lifetime of tokens to ${expirationSeconds} seconds`);
  return token;
}
