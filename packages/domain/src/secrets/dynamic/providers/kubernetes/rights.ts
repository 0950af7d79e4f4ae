import type { Right } from '../../../../apps/kubernetes/index.ts';
import { namespacesOf, type Inputs } from './inputs.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** What the provider does there. */
export function rightsOf(inputs: Inputs): Right[] {
  const both = (right: Omit<Right, 'verb'>): Right[] => [
    { verb: 'create', ...right },
    { verb: 'delete', ...right },
  ];
  const tokens = { verb: 'create', group: '', resource: 'serviceaccounts', subresource: 'token' } as const;
  const { namespace } = inputs;
  if (inputs.credentialType === 'static')
    return [
      { ...tokens, namespace, name: inputs.serviceAccountName },
      ...both({ group: '', resource: 'secrets', namespace }),
    ];
  const isRole = inputs.roleType === 'role';
  return [
    ...namespacesOf(namespace).flatMap((one) => [
      ...both({ group: '', resource: 'serviceaccounts', namespace: one }),
      { ...tokens, namespace: one },
      ...(isRole ? both({ group: RBAC, resource: 'rolebindings', namespace: one }) : []),
    ]),
    ...(isRole ? [] : both({ group: RBAC, resource: 'clusterrolebindings' })),
  ];
}

export const wordsOf = ({ verb, resource, subresource, namespace, name }: Right): string =>
  `${verb} ${[resource, subresource].filter(Boolean).join('/')}${name ? ` of ${name}` : ''}${namespace ? ` in ${namespace}` : ''}`;
