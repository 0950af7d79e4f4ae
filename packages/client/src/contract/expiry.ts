// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Query } from '../call.ts';

export type Ending = {
  kind: EndingKind;
  id: string;
  name: string;
  /** Whose it is, or what it is of */ of: string | null;
  endsAt: string;
  /** By kind: what leads to it (`environment`, `secretPath` and `dynamicSecretName` of a lease, `identityId`), and whether it is replaced (`renewedBy`, `renewBeforeDays` of a certificate) */
  details: Record<string, string>;
};

export type EndingKind = 'certificate' | 'certificate-authority' | 'ssh-certificate' | 'service-token' | 'lease' | 'role' | 'privilege' | 'kms-key' | 'client-secret' | 'access-token' | 'api-key';

export type EndingPage = {
  /** In the order of their ends, from now on */ endings: Ending[];
  /** null: there is no further page */ nextCursor: string | null;
};

export type ListEndings = {
  /** Default: what belongs to the organization and no project */ projectId?: string;
  kind?: EndingKind;
  /** A part of its name, or of what it is of */ search?: string;
  /** `nextCursor` of the page before */ cursor?: string;
  /** Default: `100` */ limit?: number;
};

export interface ExpiryApi {
  /**
   * List what ends when.
   * Certificates, authorities, tokens, leases, temporary roles and privileges of a project; without `projectId`, credentials of the machine identities of the organization, and, if you call with a session, your own API keys. Only what you may read.
   * `GET /api/v1/expiry`.
   */
  list: Query<ListEndings, EndingPage>;
}
