import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base } from '../../kernel/index.ts';
import type { GivenAuth } from './stored.ts';

export const AppConnectionEntity = defineEntity({
  name: 'AppConnection',
  tableName: 'app_connections',
  properties: {
    ...base,
    organizationId: p.uuid(),
    /** null: the organization's. */
    projectId: p.uuid().nullable(),
    app: p.text(),
    /** The integration that it was made for by `/api/v1/integration-auth`; then it has no name. */
    integration: p.text().nullable(),
    name: p.text().nullable(),
    description: p.text().nullable(),
    /** The number of changes of the credentials. Not that in their associated data, which is 0. */
    credentialsVersion: p.integer().default(1),
    given: p.json().$type<GivenAuth>().nullable(),
    credentials: p.blob().hidden(),
    /** Whether nobody else knows the password. */
    isPlatformManaged: p.boolean().default(false),
    /** The credentials with the next password, which the app may have by now. */
    nextCredentials: p.blob().hidden().nullable(),
    /** Who refreshes the tokens of OAuth, and until when. */
    tokenClaimId: p.uuid().nullable(),
    tokenClaimedUntil: p.datetime(3).nullable(),
    /** When the next scheduled check is due; see `app-connection/scheduled-check.ts`. */
    checkDueAt: p.datetime(3).nullable(),
    checkFailures: p.integer().default(0),
    checkClaimId: p.uuid().nullable(),
    checkClaimedUntil: p.datetime(3).nullable(),
    checkedAt: p.datetime(3).nullable(),
    /** What the app answered to the last check, if it did not accept the credentials. */
    checkError: p.text().nullable(),
    /** Of a copy: all projects that it comes from. */
    originProjectIds: p.array().$type<string[]>(),
  },
});
export type AppConnectionEntity = InferEntity<typeof AppConnectionEntity>;
