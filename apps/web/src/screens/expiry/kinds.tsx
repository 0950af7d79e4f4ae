import type { Outputs } from '@coffer/client';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../ui/note.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

export type Ending = Outputs['expiry']['list']['endings'][number];
type Kind = Ending['kind'];
interface Target {
  readonly to: string;
  readonly params?: object;
  readonly search?: object;
}

const ofIdentity = ({ details: { identityId = '' } }: Ending): Target => ({
  to: '/organization/identities/$identityId',
  params: { identityId },
});

const TABS: Readonly<Record<string, string>> = { user: 'people', identity: 'identities', group: 'groups' };
const ofMember = ({ details: { membershipId: member, holder = '' } }: Ending, projectId: string): Target => ({
  to: '/projects/$projectId/access',
  params: { projectId },
  search: { tab: TABS[holder], member },
});

interface EndingKind {
  readonly title: string;
  /** Where it is shown. */
  readonly target: (ending: Ending, projectId: string) => Target;
}

/** How each kind of what ends is called, and where it is shown. */
export const KINDS: Readonly<Record<Kind, EndingKind>> = {
  certificate: {
    title: words.certificate,
    target: ({ id }, projectId) => ({ to: '/projects/$projectId/certificates/$id', params: { projectId, id } }),
  },
  'certificate-authority': {
    title: words.authority,
    target: ({ id }, projectId) => ({
      to: '/projects/$projectId/certificates/authorities/$id',
      params: { projectId, id },
    }),
  },
  'ssh-certificate': {
    title: texts.sshCertificate,
    target: ({ details: { serialNumber } }, projectId) => ({
      to: '/projects/$projectId/ssh/certificates/$serialNumber',
      params: { projectId, serialNumber },
    }),
  },
  'service-token': {
    title: texts.serviceToken,
    target: (_, projectId) => ({ to: '/projects/$projectId/service-tokens', params: { projectId } }),
  },
  lease: {
    title: texts.lease,
    target: ({ details: { dynamicSecretName: name, environment, secretPath: path } }, projectId) => ({
      to: '/projects/$projectId/dynamic-secrets/$name',
      params: { projectId, name },
      search: { environment, path },
    }),
  },
  role: { title: texts.temporaryRole, target: ofMember },
  privilege: { title: texts.temporaryPrivilege, target: ofMember },
  'kms-key': {
    title: texts.deletedKey,
    target: ({ id }, projectId) => ({ to: '/projects/$projectId/keys/$id', params: { projectId, id } }),
  },
  'client-secret': { title: texts.clientSecret, target: ofIdentity },
  'access-token': { title: words.accessToken, target: ofIdentity },
  'api-key': { title: texts.apiKeyOfYours, target: () => ({ to: '/account' }) },
};

/** Its name, which leads to it. */
export function EndingLink({ of: ending, projectId }: { readonly of: Ending; readonly projectId: string }) {
  const { to, params = {}, search = {} } = KINDS[ending.kind].target(ending, projectId);
  return (
    <Link to={to} params={params} search={search}>
      {ending.name}
    </Link>
  );
}

/** What it is of, and whether something takes its place by itself. */
export const EndingFacts = ({
  of: {
    kind,
    of: owner,
    details: { renewedBy, renewBeforeDays },
  },
}: {
  readonly of: Ending;
}) => (
  <>
    <Badge kind={kind === 'certificate-authority' ? 'warn' : undefined}>{KINDS[kind].title}</Badge>
    {owner && <> {texts.ofOwner(owner)} </>}
    {renewedBy ? (
      <Badge kind="good">{texts.renewedAlready}</Badge>
    ) : (
      renewBeforeDays !== undefined && <Badge kind="good">{texts.isRenewedDaysBefore(Number(renewBeforeDays))}</Badge>
    )}
  </>
);
