import { z } from 'zod';
import { defineEvent, Id, Uuid } from '../../kernel/schema.ts';

export const RevocationListRef = z.object({ crlId: Id.describe('One list for each key of an authority') });

/** A list as members of the project are shown it. */
export const NamedRevocationList = z.object({ id: Uuid, crl: z.string().describe('PEM') });
export type NamedRevocationList = z.output<typeof NamedRevocationList>;

export const responderIssued = defineEvent(
  'ocsp_responder.issued',
  'issue-ocsp-responder',
  z.object({ caId: z.string(), caKeyId: z.string(), serialNumber: z.string(), notAfter: z.string() }),
);
export const revocationListIssued = defineEvent(
  'revocation_list.issued',
  'issue-ca-crl',
  z.object({ caId: z.string(), caKeyId: z.string(), number: z.string(), entries: z.number() }),
);
